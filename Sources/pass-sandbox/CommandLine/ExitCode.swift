// The exit codes, and the error by which a verb ends early.

import PassArguments

extension ExitCode {
    static let explained: [(code: Int32, meaning: String)] = [
        (0, "done"),
        (1, "failed: the port, the state file, the directory or passd cannot be used, or the server refused"),
        (3, "no: the token is not valid, or the login was refused"), (64, "the command line is wrong"),
        (69, "the server cannot be reached"), (75, "the server is busy; try again later"),
        (77, "the server does not allow this from this machine"),
        (78, "the catalogue, the certificate or the key cannot be used"),
    ]

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
