// `openssl s_server -www` on a free port of loopback, with a self-signed certificate of its own.

import Glibc
import PassBackend
import Synchronization

/// Bytes that one thread writes and another reads.
final class ByteBox: Sendable {
    private let content = Mutex<[UInt8]>([])

    var bytes: [UInt8] { content.withLock { $0 } }

    func put(_ bytes: [UInt8]) { content.withLock { $0 += bytes } }
}

final class SecureServer: Sendable {
    struct CannotStart: Error {}

    private let folder: String
    private let process: pid_t
    private let port: UInt16

    var certificate: String { folder + "/certificate.pem" }

    /// Runs on a thread of its own, since making the certificate blocks.
    static func start(name: String, options: [String] = []) async throws -> SecureServer {
        try await withCheckedThrowingContinuation { waiter in
            runThread { waiter.resume(with: Result { try SecureServer(name: name, options: options) }) }
        }
    }

    private init(name: String, options: [String]) throws {
        var template = Array("/tmp/passd-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CannotStart() }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
        let making = try spawn([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-keyout", key, "-out", certificate, "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
        ])
        var status: Int32 = 0
        guard waitpid(making.process, &status, 0) == making.process, status == 0 else { throw CannotStart() }
        close(making.output)
        let server = try spawn(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"] + options)
        process = server.process
        // It prints `ACCEPT 127.0.0.1:40123` when it listens.
        var text: [UInt8] = []
        var port: UInt16?
        while port == nil {
            var byte: UInt8 = 0
            guard read(server.output, &byte, 1) == 1 else { throw CannotStart() }
            if byte != UInt8(ascii: "\n") {
                text.append(byte)
            } else {
                let line = String(decoding: text, as: UTF8.self)
                if line.hasPrefix("ACCEPT") { port = line.split(separator: ":").last.flatMap { UInt16($0) } }
                text = []
            }
        }
        close(server.output)
        guard let port else { throw CannotStart() }
        self.port = port
    }

    func url(_ host: String) throws -> ServiceURL { try Origin("https://\(host):\(port)").url(["a"]) }

    func stop() {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        for file in ["/certificate.pem", "/key.pem"] { unlink(folder + file) }
        rmdir(folder)
    }
}

/// Starts a program from the path, with its output in a pipe.
private func spawn(_ arguments: [String]) throws -> (process: pid_t, output: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SecureServer.CannotStart() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var texts = arguments.map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, "openssl", &actions, nil, &texts, environ) == 0 else {
        close(ends[0])
        throw SecureServer.CannotStart()
    }
    return (process, ends[0])
}
