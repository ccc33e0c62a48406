// Reading from and writing to whoever started the program, without a buffer in between.

import Glibc

enum Terminal {
    /// One line of what was asked for. Fails if it is lost.
    static func say(_ line: String) throws(Failure) { try answer(line.onOneLine + "\n") }

    /// What was asked for, as it stands. A reader who has seen enough and gone is no failure.
    static func answer(_ text: String) throws(Failure) {
        let code = write(text, to: STDOUT_FILENO)
        guard code == 0 || code == EPIPE else {
            throw Failure(.failed, "cannot write to standard output: \(String(cString: strerror(code)))")
        }
    }

    /// What nobody need read.
    static func print(_ text: String) { _ = write(text, to: STDOUT_FILENO) }

    static func warn(_ line: String) { _ = write("pass-sandbox: \(line.onOneLine)\n", to: STDERR_FILENO) }

    /// A descriptor that is closed at the start would become some file's or connection's, and what is printed would
    /// go there. One that cannot be used takes its place, before anything is opened.
    static func occupyStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// 0, or the error's number.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    /// A secret that should not stand in the list of processes: the first line of standard input.
    static func secret(_ what: String) throws(Failure) -> String {
        guard let line = readLine(), !line.isEmpty else {
            throw Failure(.usage, "there is no \(what) on standard input")
        }
        return line
    }
}

extension String {
    /// Without the characters that end a line or steer a terminal: much of what is printed is a server's text.
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
