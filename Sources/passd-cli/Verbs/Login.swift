// `login`: shows code, address and QR code, waits for the viewer and reports the outcome.

import PassArguments

extension Option {
    static let qr = Option(
        "--qr", "auto|light|dark|color", help: "draw the QR code this way, also into a pipe or file",
        details: """
            light and dark are the terminal's background; color draws the code black on white. The default, auto, \
            means color if colours are on, and dark if they are off.
            """)
    static let noQR = Option("--no-qr", help: "print no QR code", excludes: ["--qr"])
    static let noWait = Option("--no-wait", help: "print what the viewer needs, then exit")
}

extension Verb {
    static let login = Verb(
        "login", "sign the viewer in on a second screen", options: [.provider, .qr, .noQR, .noWait],
        details: """
            Prints the link, the code and the address. If only this machine can open the address, for example with a \
            sandbox, a note says so. Draws a QR code of the link if the QR code fits on the terminal. The link leads to \
            the provider's login. If the service gives no link, the QR code leads to the page where viewers type the \
            code. If a provider must be chosen, and you do not give --provider, passd-cli asks at the terminal. The \
            verb waits until the login ends, even if the daemon restarts; Ctrl-C cancels the login. With --no-wait, \
            exits after it has shown the code; the daemon still polls the code until the code expires. With --json, \
            prints two objects: the first has the KIND login-code and the members code, link, url and expires, and the \
            second has the outcome. With --json and --no-wait, prints a single object with these members. If the code \
            has neither a link nor a page, passd-cli cancels the login and fails with NO_LOGIN_PAGE.
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
