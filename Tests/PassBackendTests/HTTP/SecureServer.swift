// `openssl s_server -www` on a free port of loopback, with a self-signed certificate of its own.

import Glibc
import PassBackend
import PassTestTools
import Synchronization

/// A buffer of bytes: one thread writes, and another reads.
final class ByteBox: Sendable {
    private let content = Mutex<[UInt8]>([])

    var bytes: [UInt8] { content.withLock { $0 } }

    func put(_ bytes: [UInt8]) { content.withLock { $0 += bytes } }
}

final class SecureServer: Sendable {
    private let folder = TemporaryDirectory()
    private let process: ChildProcess
    private let port: UInt16

    var certificate: String { folder.file("certificate.pem") }

    /// Runs on a thread of its own, because the creation of the certificate blocks.
    static func start(
        name: String, options: [String] = [], validity: (from: String, to: String)? = nil
    ) async throws -> SecureServer {
        try await withCheckedThrowingContinuation { waiter in
            runThread {
                waiter.resume(with: Result { try SecureServer(name: name, options: options, validity: validity) })
            }
        }
    }

    private init(name: String, options: [String], validity: (from: String, to: String)?) throws {
        let (certificate, key) = (folder.file("certificate.pem"), folder.file("key.pem"))
        let form = validity == nil ? ["-x509", "-days", "2", "-out", certificate] : ["-out", folder.file("request")]
        let place = folder.path
        func make(_ words: [String]) throws {
            let making = try ChildProcess.run(["openssl"] + words, folder: place)
            guard making.status == 0 else { throw TestFailure(making.errors) }
        }
        try make(
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key] + form
                + ["-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)"])
        if let validity {
            // Only `openssl ca` accepts a start date in the past or future.
            let settings = """
                [ca]
                default_ca = own
                [own]
                database = index
                new_certs_dir = .
                rand_serial = yes
                default_md = sha256
                policy = any
                copy_extensions = copy
                [any]
                commonName = supplied

                """
            folder.write(settings, to: "ca.conf")
            folder.write("", to: "index")
            try make([
                "ca", "-selfsign", "-batch", "-notext", "-config", "ca.conf", "-keyfile", key, "-in", "request", "-out",
                certificate, "-startdate", validity.from, "-enddate", validity.to,
            ])
        }
        process = try ChildProcess(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"] + options)
        // The server prints `ACCEPT 127.0.0.1:40123` and listens.
        var found: UInt16?
        _ = becomesTrue { [process] in
            let lines = process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            found = lines.first { $0.hasPrefix("ACCEPT") }?.split(separator: ":").last.flatMap { UInt16($0) }
            return found != nil || process.hasEnded
        }
        guard let found else { throw TestFailure("openssl does not listen: \(process.errors)") }
        port = found
    }

    func url(_ host: String) throws -> ServiceURL { try Origin("https://\(host):\(port)").url(["a"]) }

    func stop() { process.signal(SIGKILL) }
}
