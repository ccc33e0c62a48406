// `login`: shows code, address and QR code, waits for the viewer and reports the outcome.

import PassArguments

extension Option {
    static let qr = Option(
        "--qr", "auto|light|dark|color", help: "draw the QR code this way, into a pipe or file as well",
        details: """
            light and dark are the background on which it is shown, and color paints it black on white. With auto, the default, it is \
            painted unless colours are off; else the terminal is asked for its background, and a dark one is assumed if it \
            does not answer.
            """)
    static let noQR = Option("--no-qr", help: "print no QR code", excludes: ["--qr"])
    static let noWait = Option("--no-wait", help: "print what the viewer needs, then exit")
}

extension Verb {
    static let login = Verb(
        "login", "sign the viewer in on a second screen", options: [.provider, .qr, .noQR, .noWait],
        details: """
            Draws a QR code if it fits on the terminal. It leads straight to the provider's login if the service gives such a \
            link, else to the page where the code is typed. Below it are link, code and address, and a note if they lead to \
            this machine alone, as those of a sandbox may: a phone cannot open them. If a provider \
            must be chosen, --provider names it; without it, a person at the terminal is asked. Waits until the login ends, \
            also over a restart of the daemon; Ctrl-C cancels it. With --json, it prints two objects: as soon as there is a \
            code, one of the KIND login-code with code, link, url and expires, and at the end the outcome. With --no-wait, it exits at \
            once, with one object; the daemon goes on asking about the code until it expires. If the code has neither a link nor a \
            page, no login can be finished: it is cancelled, and the verb fails with NO_LOGIN_PAGE.
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
