// `pass-sandbox box`: a service and a private daemon for app developers.

import Glibc
import PassArguments
import PassSandbox

extension Option {
    static let directory = Option(
        "--directory", "DIR",
        help: "keep the box in this directory; default: a temporary one, which is deleted at the end")
    static let interface = Option(
        "--protocol", "v2|v1", help: "let the daemon use this interface of the service; default: v2")
    static let daemon = Option(
        "--passd", "FILE",
        help:
            "the daemon's program; default: the first passd beside this program, on the PATH, or in the directories of packages"
    )
    static let web = Option(
        "--web", "ORIGINS",
        help: "accept web apps of these origins (ORIGIN or APP=ORIGIN), separated by commas",
        details: """
            An ORIGIN is, for example, http://localhost:5173. With ORIGIN, the requestor that a page sets shows to which \
            app of the catalogue the page belongs. With APP=ORIGIN, all pages of the origin belong to APP.
            """)
    static let webPort = Option(
        "--web-port", "PORT", help: "the port of the gateway; default: 8643; 0: any free port", needs: "--web")
}

extension Verb {
    static let box = Verb(
        "box", "run the service and a private daemon with the catalogue's apps",
        details: """
            You need neither root nor an installed passd. The daemon uses the service and has a stanza for each app of
            the catalogue. When the box is ready, standard output has shell commands that tell programs where the box
            is, and standard error has a summary and examples. SIGTERM, SIGINT or SIGHUP ends the box with exit status
            0. If the daemon ends, the box restarts it, so you can kill the daemon to test an app. If the daemon does
            not start, or ends ten times in ten seconds, the box exits with 1. With --directory, the next box with
            this directory has the same logins and settings. *.conf files in DIR/passd.conf.d and DIR/apps.d change and
            extend the configuration. With --web, pages of these origins can reach the daemon from a browser. With
            --public-url but not --listen, the service listens on the URL's port and on all addresses of this machine.
            If the URL has a loopback address, the service listens only on that address. For an https URL, another
            program must forward the requests.
            """,
        options: [
            .listen, .directory, .interface, .foreign, .publicURL, .catalogue, .seed, .noThrottle, .daemon, .web,
            .webPort,
        ]
    ) { arguments in
        prepareProcess()
        umask(0o077)
        var options = try sandboxOptions(arguments)
        try options.listen = boxAddress(arguments, options)
        let interface = arguments[.interface].flatMap(Interface.init(rawValue:)) ?? .v2
        let web = try WebApps(arguments)
        let program = try DaemonProgram.find(arguments)
        let signals = EndingSignals(ofChildren: true)
        let directory = try BoxDirectory(arguments[.directory])
        // Keeps the directory until the end. A temporary directory is deleted with its last reference.
        defer { withExtendedLifetime(directory) {} }
        options.state = directory.isTemporary ? nil : directory.file("sandbox.state")
        let server = try SandboxServer(options)
        defer { server.stop() }
        var box = try Box(directory: directory, server: server, interface: interface, web: web, options: options)
        try box.write()
        let daemon = try BoxDaemon(program, in: directory)
        defer { daemon.program.stop(signals) }
        guard try daemon.becomesReady(signals) else { return .done }
        let gateway = try web.map { web throws(Failure) in
            try BoxGateway(web.gateway, port: web.port, in: directory)
        }
        defer { gateway?.program.stop(signals) }
        guard try gateway?.becomesReady(signals) != false else { return .done }
        box.gateway = gateway?.address
        try box.announce(daemon: daemon.program.id)
        while signals.wait() == SIGCHLD {
            // Both programs are checked until both run, because one signal may report the end of both, and a program may end
            // while the other one starts.
            while daemon.program.hasEnded || gateway?.program.hasEnded == true {
                if daemon.program.hasEnded {
                    try daemon.program.startAgain()
                    guard try daemon.becomesReady(signals) else { return .done }
                }
                if let gateway, gateway.program.hasEnded {
                    try gateway.startAgain()
                    guard try gateway.becomesReady(signals) else { return .done }
                }
            }
        }
        return .done
    }
}

/// The address that the service listens on. The daemon always uses a loopback address, because it accepts plain HTTP only
/// there.
private func boxAddress(_ arguments: Arguments, _ options: SandboxOptions) throws(Failure) -> ListenAddress {
    guard options.publicURL == nil || !options.isForeign else {
        throw Failure(
            .usage,
            "--public-url and --foreign cannot be combined: only this machine can open the pages of "
                + "--foreign")
    }
    let address = try arguments[.publicURL].map { text throws(Failure) in try ServerURL(option: .publicURL, text) }
    guard address.map({ ["0.0.0.0", "[::]"].contains($0.host) }) != true else {
        throw Failure(.usage, "--public-url: no browser can open 0.0.0.0 or [::]; name an address of this machine")
    }
    if arguments.has(.listen) {
        guard options.listen.isLoopback || options.listen.isAny else {
            throw Failure(
                .usage,
                "--listen \(options.listen): passd asks the service at 127.0.0.1; for other machines, listen on "
                    + "0.0.0.0:\(options.listen.port)")
        }
        return options.listen
    }
    guard let address else { return options.listen }
    // For an https URL, another program serves https and forwards the requests to the default address.
    guard address.origin.hasPrefix("http://") else { return options.listen }
    let host =
        switch address.host {
        case "localhost": "127.0.0.1"
        case let host where address.isLoopback: host
        case let host: host.hasPrefix("[") ? "[::]" : "0.0.0.0"
        }
    return ListenAddress("\(host):\(address.port)") ?? options.listen
}
