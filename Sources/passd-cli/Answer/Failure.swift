// The end of the program: its exit codes, and the error of a verb. operations.md §1.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension ExitCode {
    static let explained: [(code: Int32, meaning: String)] = [
        (0, "done"), (1, "failed"), (3, "the answer is no: nobody is signed in, or the resource is not permitted"),
        (64, "the command line is wrong"), (69, "the daemon cannot be reached, or it has closed the connection"),
        (75, "temporary failure; try again later"), (77, "denied by policy"),
        (78, "the configuration must be corrected"), (130, "interrupted by Ctrl-C"),
    ]

    init(_ fault: ClientFault) {
        switch fault {
        case .refused(let error): self.init(error)
        case .unreachable, .gone: self = .unreachable
        case .forbidden: self = .denied
        case .closed, .broken, .cancelled: self = .failed
        case .timedOut, .overloaded, .overrun: self = .tryLater
        }
    }

    init(_ error: RPCError) {
        switch error.name {
        case .denied: self = .denied
        case .limit, .notReady: self = .tryLater
        case .requestorNotSet: self = .usage
        case .unanswered(.R400), .unanswered(.R401), .unanswered(.CFG400): self = .configuration
        // No service is configured, so waiting does not help.
        case .unanswered(.CFG404) where error.action == .configuration: self = .configuration
        case .unanswered(.CFG404), .unanswered(.CFG429): self = .tryLater
        case .unanswered(let status) where status.rawValue.hasPrefix("CFG5"): self = .tryLater
        default:
            let mayPass = error.action == .retry || error.action == .retryAfter || error.retryAfter != nil
            self = mayPass ? .tryLater : .failed
        }
    }
}

/// One sentence, a remedy, and the exit code.
struct Failure: Error, Equatable {
    let exit: ExitCode
    let message: String
    let remedy: String
    /// The `data` of the JSON object with `"kind": "error"`.
    let json: JSONValue

    init(_ exit: ExitCode, name: String, _ message: String, remedy: String) {
        self.exit = exit
        self.message = message
        self.remedy = remedy
        json = ["message": .string(message), "data": ["code": .string(name), "remedy": .string(remedy)]]
    }

    init(_ fault: ClientFault) {
        exit = ExitCode(fault)
        message = fault.message
        json = fault.json
        switch fault {
        case .refused(let error) where error.name == .requestorNotSet:
            remedy = "Name it with --requestor ID or PASSD_REQUESTOR."
        case .refused(let error):
            remedy = error.remedy + (error.retryAfter.map { " Wait \(Int64($0).secondsInWords)." } ?? "")
        default: remedy = fault.remedy
        }
    }

    /// Converts any error to a failure.
    init(any error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let mistake as Mistake: self.init(.usage, name: "USAGE", mistake.message, remedy: mistake.remedy)
        case let fault as ClientFault: self.init(fault)
        case let lost as OutputLost: self.init(.failed, name: "WRITE", lost.message, remedy: "")
        default: self.init(.failed, name: "FAILED", "\(error).", remedy: "")
        }
    }
}
