// The faults of a program's run, in words for the log.

import Glibc
import PassJSON

extension ProgramOutput.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotStart(let reason): "it cannot be started: " + String(cString: strerror(reason))
        case .failed(let status): "it exited with status \(status)"
        case .killed(let signal): "it was killed by signal \(signal)"
        case .empty: "it printed nothing"
        case .tooLong(let limit): "it printed more than \(limit) bytes"
        case .hung(let time): "it did not finish within \(time.inWords)"
        }
    }
}
