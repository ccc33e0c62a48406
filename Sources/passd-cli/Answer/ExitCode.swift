// The program's exit codes. operations.md §1; numbers above 3 are those of sysexits.h.

import PassClient
import PassProtocol

struct ExitCode: RawRepresentable, Sendable, Equatable {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    static let done = ExitCode(rawValue: 0)
    static let failed = ExitCode(rawValue: 1)
    /// The answer is no: not authenticated or not authorized.
    static let no = ExitCode(rawValue: 3)
    static let usage = ExitCode(rawValue: 64)
    static let unreachable = ExitCode(rawValue: 69)
    static let tryLater = ExitCode(rawValue: 75)
    static let denied = ExitCode(rawValue: 77)
    static let configuration = ExitCode(rawValue: 78)

    /// The number that a shell reports for a signal.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }

    static let explained: [ExitCode] = [
        .done, .failed, .no, .usage, .unreachable, .tryLater, .denied, .configuration, .signal(2),
    ]

    var meaning: String {
        switch self {
        case .done: "done"
        case .no: "the answer is no: nobody is signed in, or it is not authorized"
        case .usage: "the command line is wrong"
        case .unreachable: "the daemon cannot be reached, or closed the connection"
        case .tryLater: "temporary failure; try again later"
        case .denied: "denied by policy"
        case .configuration: "the configuration must be corrected"
        case .signal(2): "interrupted by Ctrl-C"
        default: "failed"
        }
    }

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
        // No service is configured: no waiting helps.
        case .unanswered(.CFG404) where error.action == .configuration: self = .configuration
        case .unanswered(.CFG404), .unanswered(.CFG429): self = .tryLater
        case .unanswered(let status) where status.rawValue.hasPrefix("CFG5"): self = .tryLater
        default:
            let mayPass = error.action == .retry || error.action == .retryAfter || error.retryAfter != nil
            self = mayPass ? .tryLater : .failed
        }
    }
}
