// Unbuffered access to standard input, standard output and standard error. Also: the exit codes, and the error that ends a
// verb.

import Glibc
import PassArguments

enum Terminal {
    /// Prints a line of the answer. Throws if it cannot be written.
    static func say(_ line: String) throws(Failure) { try answer(line.onOneLine + "\n") }

    /// Prints the answer unchanged. A reader that has closed the pipe is not an error.
    static func answer(_ text: String) throws(Failure) {
        if let code = Descriptors.write(text, to: STDOUT_FILENO), code != EPIPE {
            throw Failure(.failed, "cannot write to standard output: \(String(cString: strerror(code)))")
        }
    }

    /// Prints text, and ignores errors.
    static func print(_ text: String) { _ = Descriptors.write(text, to: STDOUT_FILENO) }

    /// Prints text for the person at the terminal, and ignores errors.
    static func tell(_ text: String) { _ = Descriptors.write(text, to: STDERR_FILENO) }

    static func warn(_ line: String) { _ = Descriptors.write("pass-sandbox: \(line.onOneLine)\n", to: STDERR_FILENO) }

    /// Reads a secret from the first line of standard input. A secret in the arguments would be visible in the list of
    /// processes.
    static func secret(_ what: String) throws(Failure) -> String {
        guard let line = readLine(), !line.isEmpty else {
            throw Failure(.usage, "there is no \(what) on standard input")
        }
        return line
    }
}

extension String {
    /// The text without characters that end a line or control a terminal. Much of the output comes from a server.
    var onOneLine: String {
        var line = UnicodeScalarView()
        for scalar in unicodeScalars {
            let steers =
                [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                || scalar.properties.isBidiControl
            line.append(steers ? " " : scalar)
        }
        return String(line)
    }
}

// The exit codes, and the error that ends a verb.

extension ExitCode {
    static let explained: [(code: Int32, meaning: String)] = [
        (0, "done"),
        (1, "failed: the port, the state file, the directory or passd cannot be used, or the server refused"),
        (3, "no: the token is not valid, or the login was refused"), (64, "the command line is wrong"),
        (69, "the server cannot be reached"), (75, "the server is busy; try again later"),
        (77, "the server does not allow this from this machine"),
        (78, "the catalogue, the certificate or the key cannot be used"),
    ]

    /// The exit code for an unexpected answer of a server.
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
