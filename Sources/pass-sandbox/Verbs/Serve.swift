// `pass-sandbox serve`: runs the server, and stops it cleanly.

import FoundationEssentials
import Glibc
import PassArguments
import PassSandbox

extension Option {
    static let listen = Option(
        "--listen", "ADDR", help: "address and port; default: 127.0.0.1:8642; port 0: any free port")
    static let noThrottle = Option(
        "--no-throttle",
        help: "allow any number of requests, wrong codes and wrong passwords")
    static let publicURL = Option(
        "--public-url", "URL", help: "this server's address as viewers and clients see it")
    static let foreign = Option(
        "--foreign",
        help: "behave like a service whose pages have another host, port and paths than its API")
    static let certificate = Option(
        "--tls-cert", "FILE", help: "serve HTTPS with this certificate chain (PEM)", needs: "--tls-key")
    static let key = Option(
        "--tls-key", "FILE", help: "the certificate's private key (PEM)", needs: "--tls-cert")
    static let requestTime = Option(
        "--request-time", "TIME", help: "how long one request may take to arrive; default: 20s")
}

extension Verb {
    static let serve = Verb(
        "serve", "run the service, its pages and its controls",
        details: """
            SIGTERM, SIGINT or SIGHUP ends the server with exit status 0. Without --state, the server keeps everything
            in memory. With --state, it keeps everything in a file, and every acknowledged change survives a crash. Only
            this machine can use the controls under /sandbox/.
            """,
        options: [
            .listen, .catalogue, .state, .seed, .noThrottle, .publicURL, .foreign, .certificate, .key, .requestTime,
        ]
    ) { arguments in
        prepareProcess()
        var options = try sandboxOptions(arguments)
        options.state = arguments[.state]
        options.tls = try tls(arguments)
        let ending = EndingSignals()
        let server = try SandboxServer(options)
        announce(server, options)
        ending.wait()
        server.stop()
        return .done
    }
}

/// Forbids core dumps, because secrets are in memory. The limit is one byte, because a kernel that pipes core dumps to a
/// program ignores a limit of zero. Also turns SIGPIPE and SIGXFSZ into errors.
func prepareProcess() {
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}

private func tls(_ arguments: Arguments) throws(Failure) -> HTTPServer.TLS? {
    guard let certificate = arguments[.certificate], let key = arguments[.key] else { return nil }
    return HTTPServer.TLS(
        certificate: try pem(certificate, "CERTIFICATE-----"), key: try pem(key, "PRIVATE KEY-----"))
}

private func pem(_ path: String, _ kind: String) throws(Failure) -> String {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
        throw Failure(.configuration, "\(path): cannot be read")
    }
    let text = String(decoding: data, as: UTF8.self)
    guard text.contains("-----BEGIN "), text.contains(kind) else {
        throw Failure(.configuration, "\(path): contains no PEM text \"…\(kind)\"")
    }
    return text
}

private func announce(_ server: SandboxServer, _ options: SandboxOptions) {
    if !options.listen.isLoopback, options.tls == nil {
        Terminal.warn(
            "warning: \(options.listen) can be reached from other machines, and nothing is encrypted; "
                + "see --tls-cert")
    }
    if options.listen.isAny, options.publicURL == nil {
        Terminal.warn(
            "warning: the addresses of pages and logos contain 127.0.0.1; for phones and other boxes, "
                + "give this machine's address with --public-url")
    }
    let own = CommandLine.arguments.first ?? "pass-sandbox"
    let there = options.listen == .standard && options.tls == nil ? "" : " --server \(server.localOrigin)"
    let trust = options.tls == nil ? "" : " --tls-ca FILE"
    let known = server.origin == server.localOrigin ? "" : "\n  known as             \(server.origin)"
    Terminal.print(
        """
        pass-sandbox listens on \(server.localOrigin)\(known)
          start page           \(server.pages)/
          software statement   \(own) statement \(server.exampleApp)\(there)\(trust)
          viewers log in at    \(server.activationPage)
        Press Ctrl-C to stop.

        """)
}

// The options of the verbs that run the service.

func sandboxOptions(_ arguments: Arguments) throws -> SandboxOptions {
    var options = SandboxOptions(catalogue: "")
    if let text = arguments[.listen] {
        guard let address = ListenAddress(text) else {
            throw Failure(
                .usage, "--listen \(text): should be an address and a port, such as 127.0.0.1:8642 or [::1]:8642")
        }
        options.listen = address
    }
    options.seed = try arguments.seed()
    options.throttled = !arguments.has(.noThrottle)
    options.isForeign = arguments.has(.foreign)
    if let text = arguments[.publicURL] { options.publicURL = try ServerURL(option: .publicURL, text).origin }
    if let text = arguments[.requestTime] {
        guard let time = Duration(written: text), .seconds(1)...(.seconds(3600)) ~= time else {
            throw Failure(.usage, "--request-time \(text): should be a time from 1s to 60m, such as 20s")
        }
        options.limits.requestTime = time / .seconds(1)
        options.limits.silence = min(options.limits.silence, Int(options.limits.requestTime))
    }
    options.catalogue = try cataloguePath(arguments)
    return options
}
