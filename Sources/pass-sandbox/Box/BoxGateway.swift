// The gateway of a box: passd-web, which lets web apps reach the box's daemon.

import FoundationEssentials
import Glibc

struct BoxGateway {
    let program: BoxProgram
    private let path: String
    private let socket: String

    static let log = "passd-web.log"

    init(_ path: String, port: UInt16, in directory: BoxDirectory) throws(Failure) {
        self.path = path
        socket = directory.file(BoxDaemon.socket)
        program = try BoxProgram(
            "passd-web", words: Self.words(path, socket: socket, port: String(port)), log: directory.file(Self.log))
    }

    private static func words(_ path: String, socket: String, port: String) -> [String] {
        [path, "--socket", socket, "--port", port]
    }

    func becomesReady(_ signals: EndingSignals) throws(Failure) -> Bool {
        do throws(Failure) {
            return try program.waits(signals) { addresses.count == program.starts }
        } catch {
            guard program.records.contains(String(cString: strerror(EADDRINUSE))) else { throw error }
            throw Failure(error.code, error.message + "; choose another port with --web-port")
        }
    }

    /// Starts it again where it has listened, because pages know that port.
    func startAgain() throws(Failure) {
        let port = address?.split(separator: ":").last.map(String.init)
        try program.startAgain(words: port.map { Self.words(path, socket: socket, port: $0) })
    }

    var address: String? { addresses.last }

    /// Where it listens, which it says after each start.
    private var addresses: [String] {
        let mark = "<5>listening at "
        // A line that has no end yet may be half a line.
        return program.records.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
}
