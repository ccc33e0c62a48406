// `pass-sandbox log-in`: plays the viewer who has the code from the TV, without a browser.

extension Option {
    static let provider = Option(
        name: "--provider", value: "ID", help: "the TV provider, where the TV has not chosen one")
    static let user = Option(name: "--user", value: "NAME", help: "the subscriber's name")
    static let password = Option(
        name: "--password", value: "PW", help: "the subscriber's password; - reads it from standard input")
}

extension Verb {
    static let logIn = Verb(
        name: "log-in", operand: "CODE", summary: "play the viewer: type the code, choose the provider, log in",
        details: """
            Plays the viewer, on the sandbox's own pages over HTTP: types the code, chooses the provider where the page
            asks, fills in the login form. A wrong code or password ends with 3 and with what the page says.
            """,
        options: [.provider, .user, .password, .server, .authority]
    ) { arguments in
        let given = arguments[.password] ?? ""
        let viewer = Viewer(
            code: arguments.operand, provider: arguments[.provider], user: arguments[.user] ?? "",
            password: given == "-" ? try Terminal.secret("password") : given)
        let client = try HTTPClient(arguments)
        try Terminal.say(viewer.logIn(client))
        return .done
    }
}
