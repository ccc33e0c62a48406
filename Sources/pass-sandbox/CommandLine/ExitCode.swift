// The exit codes, and the error by which a verb ends early. The numbers are those of `passd-cli`.

enum ExitCode: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case no = 3
    case usage = 64
    case unreachable = 69
    case tryLater = 75
    case denied = 77
    case configuration = 78

    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed: the port, the state file, the directory or passd cannot be used, or the server refused"
        case .no: "no: the token is not valid, or the login was refused"
        case .usage: "the command line is wrong"
        case .unreachable: "the server cannot be reached"
        case .tryLater: "the server is busy; try again later"
        case .denied: "the server does not allow this from this machine"
        case .configuration: "the catalogue, the certificate or the key cannot be used"
        }
    }
}

extension ExitCode {
    /// The exit code for a server's answer that is not the expected one.
    init(status: Int) {
        switch status {
        case 403: self = .denied
        case 429, 503: self = .tryLater
        default: self = .failed
        }
    }
}

/// One line for a person, and the exit code for a script.
struct Failure: Error, Equatable {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
