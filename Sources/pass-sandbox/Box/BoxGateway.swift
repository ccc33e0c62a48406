// The gateway of a box: passd-web, which lets web apps reach the box's daemon.

import FoundationEssentials
import Glibc

struct BoxGateway {
    let program: BoxProgram

    static let log = "passd-web.log"

    init(_ path: String, port: UInt16, in directory: BoxDirectory) throws(Failure) {
        program = try BoxProgram(
            "passd-web", words: [path, "--socket", directory.file(BoxDaemon.socket), "--port", String(port)],
            log: directory.file(Self.log))
    }

    func becomesReady(_ signals: EndingSignals) throws(Failure) -> Bool {
        try program.waits(signals) { address != nil }
    }

    /// Where it listens, which it says once it does.
    var address: String? {
        let mark = "<5>listening at "
        // A line that has no end yet may be half a line.
        return program.records.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
}
