// `pass-sandbox log-in`: plays the viewer who has the code from the TV, without a browser.

import PassArguments

extension Option {
    static let provider = Option(
        "--provider", "ID", help: "the TV provider, if none was chosen on the TV")
    static let user = Option(
        "--user", "NAME", help: "the subscriber's name", isRequired: true)
    static let password = Option(
        "--password", "PW", help: "the subscriber's password; - reads it from standard input", isRequired: true)
}

extension Verb {
    static let logIn = Verb(
        "log-in", "play the viewer: type the code, choose the provider, log in", operands: [Operand("CODE|ADDRESS")],
        details: """
            Uses the sandbox's own pages, over HTTP. The provider is chosen if the page asks for it. If the code or password is wrong, prints what the page says and
            exits with 3. Instead of the code, the address that the TV shows can be given, as if its QR code had been
            scanned; then --server is not used. A sandbox that runs with --foreign needs the address: its pages are not
            where --server leads.
            """,
        options: [.provider, .user, .password, .server, .authority]
    ) { arguments in
        let given = arguments[.password] ?? ""
        let operand = arguments.operands[0]
        let scanned = operand.contains("://") ? operand : nil
        let viewer = Viewer(
            code: scanned == nil ? operand : nil, address: scanned, provider: arguments[.provider],
            user: arguments[.user] ?? "", password: given == "-" ? try Terminal.secret("password") : given)
        let client = try HTTPClient(arguments, at: scanned)
        try Terminal.say(viewer.logIn(client))
        return .done
    }
}
