// The contents of a sandbox box: the files of its daemon, and the messages to the developer.

import Glibc
import PassSandbox

struct Box {
    let directory: BoxDirectory
    let server: SandboxServer
    let interface: Interface
    let web: WebApps?
    /// The gateway's address; nil until the gateway listens.
    var gateway: String?
    private let options: SandboxOptions
    private let apps: [RegistrableApp]

    init(
        directory: BoxDirectory, server: SandboxServer, interface: Interface, web: WebApps?, options: SandboxOptions
    ) throws(Failure) {
        (self.directory, self.server, self.interface, self.options) = (directory, server, interface, options)
        apps = server.apps(of: interface)
        self.web = web
        try web?.check(apps.map(\.id))
    }

    // MARK: Files

    func write() throws(Failure) {
        for folder in ["apps.d", "passd.conf.d", "statements"] { try directory.makeFolder(folder) }
        for app in apps { try directory.write(app.statement + "\n", to: statement(of: app)) }
        try directory.write(stanzas, to: "apps.d/catalog.conf")
        try directory.write(configuration, to: BoxDirectory.configuration)
    }

    private func statement(of app: RegistrableApp) -> String { "statements/\(app.id).jwt" }

    private var stanzas: String {
        BoxDirectory.mark + " Put stanzas of your own into other files of this directory.\n"
            + apps.map { app in
                """

                [app \(app.id)]
                \(title(of: app))
                requestors = \(app.serviceProviders.joined(separator: " "))
                software-statement = file:\(directory.file(statement(of: app)))
                allow = user:\(geteuid())\(web?.rules(for: app.id) ?? "")
                may = entitlement observe

                """
            }
            .joined()
    }

    /// The line with the app's title; empty if passd would not accept the title.
    private func title(of app: RegistrableApp) -> String {
        let isPlain = app.title.onOneLine == app.title && !app.title.utf8.contains { $0 == 0x22 || $0 == 0x5C }
        return isPlain && app.title.utf8.count <= 64 ? "title = \"\(app.title)\"" : ""
    }

    private var configuration: String {
        // In V1, passd makes the login link from `origin`. No phone can open this link.
        let isOpenToPhones = interface == .v2 || options.publicURL == nil
        let finish = isOpenToPhones ? "finish-url = \(server.finishPage)\n" : ""
        let pace = options.throttled ? "" : "requests-per-second = 100\nburst = 1000\n"
        return """
            \(BoxDirectory.mark) Put settings of your own into passd.conf.d/NAME.conf.
            [device]
            model = Test TV
            manufacturer = Example
            [backend]
            origin = \(server.localOrigin)
            protocol = \(interface.rawValue)
            activation-url = \(server.activationPage)
            \(finish)\(pace)\(web?.configuration ?? "")
            """
    }

    /// Shell commands that set environment variables for programs, such as PASSD_SOCKET.
    private var exports: String {
        var lines = [
            ("PASSD_SOCKET", Self.quoted(directory.file(BoxDaemon.socket))),
            ("PASSD_ADMIN_SOCKET", Self.quoted(directory.file("admin.sock"))), ("SANDBOX", server.localOrigin),
        ]
        if let gateway { lines.append(("PASSD_WEB", gateway)) }
        if let folder = DaemonProgram.ownFolder, !DaemonProgram.isSearched(folder) {
            lines.append(("PATH", Self.quoted(folder) + ":\"$PATH\""))
        }
        return lines.map { "export \($0)=\($1)\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "/._-+:".utf8.contains(byte)
        }
        return isPlain
            ? text
            : "'"
                + text.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }

    // MARK: Messages to the developer

    func announce(daemon: Int32) throws(Failure) {
        try directory.write(exports, to: "exports")
        let end = directory.isTemporary ? "deleted at the end" : "kept"
        let list = apps.map { "\($0.id) (\($0.serviceProviders.joined(separator: " ")))" }.joined(separator: ", ")
        Terminal.tell(
            """
            pass-sandbox: the box is ready; Ctrl-C ends it.

              page       \(server.pages)/ (viewers' passwords, and buttons for failures and other events)
              apps       \(list)\(webLine)
              daemon     process \(daemon), restarted when it ends
              directory  \(directory.path) (\(end); the daemon's log is \(BoxDaemon.log))

            So that programs find the box, enter these lines in another terminal, or
            `. \(Self.quoted(directory.file("exports")))`:


            """)
        try Terminal.answer(exports)
        if let example = server.exampleLogin(of: apps) { Terminal.tell("\nThen try:\n\n\(lines(example))\n") }
        if let warning { Terminal.tell("\n\(warning)\n") }
    }

    private var webLine: String {
        guard let web, let gateway else { return "" }
        return "\n  web        \(gateway), for \(web.description)"
    }

    private func lines(_ example: ExampleLogin) -> String {
        // A foreign service accepts a code only at the address that it has returned with the code.
        let place = server.pagesOrigin == nil ? "CODE" : "ADDRESS"
        return """
              # Shows a code, and waits for the viewer.
              passd-cli --requestor \(example.serviceProvider) login --provider \(example.provider)
              # The viewer's login, in a third terminal. Or open the address in a browser.
              pass-sandbox log-in \(place) --user \(example.user) --password \(example.password)
              # A media token, good for one play.
              passd-cli --requestor \(example.serviceProvider) authorize \(example.resource)
            """
    }

    private var warning: String? {
        if !options.listen.isLoopback {
            return "Other machines can reach the service at port \(server.port), and nothing is encrypted."
        }
        if let url = options.publicURL, ServerURL(of: url)?.isLoopback != true {
            return url.hasPrefix("https://")
                ? "The server at \(url) must forward requests to \(server.localOrigin)." : nil
        }
        return options.isForeign
            ? "Only this machine can open the pages; a phone cannot scan the codes."
            : "Only this machine can open the pages. For a phone in the same network, start the box with\n"
                + "--public-url \(OwnAddress.example(port: server.port)), or another address of this machine."
    }
}
