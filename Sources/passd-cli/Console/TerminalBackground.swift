// Asks the terminal for its background. The answer comes as if it had been typed, so for that moment nothing that is
// typed is shown.

import Glibc

enum TerminalBackground {
    /// How long the terminal may take, in milliseconds. Even a slow line answers within this time.
    private static let longestWait: Int64 = 500
    private static let longestAnswer = 256

    /// Nil if the terminal does not say. Must not be called in the background, where a terminal is not to be read.
    static func ask(_ environment: [String: String]) -> Background? {
        // The console of Linux is dark, and some versions of it would print the question.
        if environment["TERM"] == "linux" { return .dark }
        if let told = environment["COLORFGBG"].flatMap(Background.init(colorFGBG:)) { return told }
        guard let kind = environment["TERM"], !kind.isEmpty, kind != "dumb" else { return nil }
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetpgrp(terminal) == getpgrp(), tcgetattr(terminal, &before) == 0 else { return nil }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(terminal, TCSANOW, &quiet) == 0 else { return nil }
        // What comes too late is not to look as if it had been typed.
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        let question = Array(Background.question.utf8)
        guard write(terminal, question, question.count) == question.count else { return nil }
        return Background(answer: read(from: terminal))
    }

    private static func read(from terminal: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        let end = milliseconds + longestWait
        while answer.count < longestAnswer, !Background.isComplete(answer) {
            var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            let left = end - milliseconds
            guard left > 0 else { break }
            let ready = poll(&waiting, 1, Int32(left))
            if ready < 0, errno == EINTR { continue }
            var buffer = [UInt8](repeating: 0, count: 64)
            guard ready > 0 else { break }
            let count = Glibc.read(terminal, &buffer, buffer.count)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return answer
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
