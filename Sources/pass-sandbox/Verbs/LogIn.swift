// `pass-sandbox log-in`: plays the viewer who has the code from the TV, without a browser.

extension Option {
    static let provider = Option(
        name: "--provider", value: "ID", help: "the TV provider, if none was chosen on the TV")
    static let user = Option(name: "--user", value: "NAME", help: "the subscriber's name")
    static let password = Option(
        name: "--password", value: "PW", help: "the subscriber's password; - reads it from standard input")
}

extension Verb {
    static let logIn = Verb(
        name: "log-in", operand: "CODE|ADDRESS", summary: "play the viewer: type the code, choose the provider, log in",
        details: """
            Plays the viewer on the sandbox's own pages, over HTTP: types the code, chooses the provider if the page
            asks for it, and fills in the login form. If the code or password is wrong, prints what the page says and
            exits with 3. Instead of the code, the address that the TV shows can be given, as if its QR code had been
            scanned; then --server is not used. A sandbox that runs with --foreign needs the address: its pages are not
            where --server leads.
            """,
        options: [.provider, .user, .password, .server, .authority]
    ) { arguments in
        let given = arguments[.password] ?? ""
        let operand = arguments.operand
        let scanned = operand.contains("://") ? operand : nil
        let viewer = Viewer(
            code: scanned == nil ? operand : nil, address: scanned, provider: arguments[.provider],
            user: arguments[.user] ?? "", password: given == "-" ? try Terminal.secret("password") : given)
        let client = try HTTPClient(arguments, at: scanned)
        try Terminal.say(viewer.logIn(client))
        return .done
    }
}
