// The error of a verb: one sentence, a remedy, and the exit code.

import PassClient
import PassJSON
import PassProtocol

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
            remedy = error.remedy + (error.retryAfter.map { " Wait \($0) s." } ?? "")
        default: remedy = fault.remedy
        }
    }

    /// Makes a failure of any error.
    init(any error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let fault as ClientFault: self.init(fault)
        default: self.init(.failed, name: "FAILED", "\(error).", remedy: "")
        }
    }

    static func usage(_ message: String, remedy: String) -> Failure {
        Failure(.usage, name: "USAGE", message, remedy: remedy)
    }

    static func usage(_ message: String, _ verb: Verb?) -> Failure {
        .usage(message, remedy: "Usage: \(verb?.usage ?? "passd-cli [OPTION…] VERB …").")
    }
}
