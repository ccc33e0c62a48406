// `login`: shows code, address and QR code, waits for the viewer and reports the outcome.

import PassArguments

extension Option {
    static let qr = Option(
        "--qr", "auto|light|dark|color", help: "draw the QR code this way, into a pipe or file as well",
        details: """
            light and dark name the terminal's background; color paints the code black on white. The default, auto, \
            means color unless colours are off; then passd-cli asks the terminal for its background, and assumes dark \
            without an answer.
            """)
    static let noQR = Option("--no-qr", help: "print no QR code", excludes: ["--qr"])
    static let noWait = Option("--no-wait", help: "print what the viewer needs, then exit")
}

extension Verb {
    static let login = Verb(
        "login", "sign the viewer in on a second screen", options: [.provider, .qr, .noQR, .noWait],
        details: """
            Draws a QR code if it fits on the terminal. It leads to the provider's login if the service gives a link, \
            else to the page where viewers type the code. Link, code and address are printed below it, with a note if \
            only this machine can open them, as with a sandbox. If a provider must be chosen, the person at the \
            terminal is asked, unless --provider names it. Waits until the login ends, also across a restart of the \
            daemon; Ctrl-C cancels the login. With --json, prints two objects: the KIND login-code with code, link, \
            url and expires, and the outcome. With --no-wait, prints only the first and exits; the daemon polls the \
            code until it expires. If the code has neither a link nor a page, the login is cancelled, and the verb \
            fails with NO_LOGIN_PAGE.
            """
    ) { invocation in
        let client = try await invocation.entitledSession()
        let connection = LoginConnection(client) { try await invocation.entitledSession() }
        let login = Login(invocation: invocation, connection: connection)
        switch try await invocation.console.untilInterrupted({ try await login.run() }) {
        case .finished(let outcome): return outcome
        case .interrupted(let number): return await login.cancelled(by: number)
        }
    }
}
