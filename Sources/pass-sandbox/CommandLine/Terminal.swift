// Reading from and writing to whoever started the program, without a buffer in between.

import Glibc

enum Terminal {
    static func say(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func warn(_ line: String) { write("pass-sandbox: \(line)\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// A secret that should not stand in the list of processes: the first line of standard input.
    static func secret(_ what: String) throws(Failure) -> String {
        guard let line = readLine(), !line.isEmpty else {
            throw Failure(.usage, "there is no \(what) on standard input")
        }
        return line
    }
}
