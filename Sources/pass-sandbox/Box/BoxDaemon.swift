// The daemon of a box, which is asked until it answers.

import Glibc

struct BoxDaemon {
    let program: BoxProgram
    private let socketPath: String

    static let socket = "passd.sock"
    static let log = "passd.log"

    init(_ path: String, in directory: BoxDirectory) throws(Failure) {
        socketPath = directory.file(Self.socket)
        let words = [
            path, "--config", directory.file(BoxDirectory.configuration), "--socket", socketPath, "--state-dir",
            directory.file("state"),
        ]
        program = try BoxProgram("passd", words: words, log: directory.file(Self.log))
    }

    func becomesReady(_ signals: EndingSignals) throws(Failure) -> Bool {
        var probe = Probe(socketPath)
        return try program.waits(signals) { probe.isAnswered }
    }
}

/// A first call to the daemon. Any answer will do, since none comes before the daemon is ready.
private struct Probe: ~Copyable {
    private let path: String
    private var descriptor: Int32 = -1

    init(_ path: String) { self.path = path }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var isAnswered: Bool {
        mutating get {
            if descriptor < 0 { descriptor = Self.ask(path) }
            guard descriptor >= 0 else { return false }
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
            guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else { return count > 0 }
            close(descriptor)
            descriptor = -1
            return false
        }
    }

    private static func ask(_ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let question = Array("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"passd.hello\"}\n".utf8)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected, send(descriptor, question, question.count, Int32(MSG_NOSIGNAL)) == question.count
        else {
            if descriptor >= 0 { close(descriptor) }
            return -1
        }
        return descriptor
    }
}
