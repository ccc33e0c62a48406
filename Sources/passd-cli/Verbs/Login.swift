// `login`: shows code, address and QR code, waits for the viewer and reports the outcome.

import PassArguments

extension Option {
    static let qr = Option(
        "--qr", "auto|light|dark|color", help: "draw the QR code this way, into a pipe or file as well",
        details: """
            light and dark name the terminal's background; color paints the code black on white. auto, the default, paints it \
            unless colours are off. If they are off, the terminal is asked for its background; without an answer, a dark one is \
            assumed.
            """)
    static let noQR = Option("--no-qr", help: "print no QR code", excludes: ["--qr"])
    static let noWait = Option("--no-wait", help: "print what the viewer needs, then exit")
}

extension Verb {
    static let login = Verb(
        "login", "sign the viewer in on a second screen", options: [.provider, .qr, .noQR, .noWait],
        details: """
            Draws a QR code if it fits on the terminal. It leads straight to the provider's login if the service gives \
            such a link, else to the page where the code is typed. Link, code and address are printed below it. A note \
            says if only this machine can open them, and not a phone; this happens with a sandbox. If a provider must be \
            chosen, --provider names it; without this option, the person at the terminal is asked. Waits until the login \
            ends, also across a restart of the daemon; Ctrl-C cancels the login. With --json, it prints two objects. The \
            first has the KIND login-code with code, link, url and expires; the second is the outcome. With --no-wait, it \
            prints the first object and exits; the daemon continues to poll the code until it expires. If the code has \
            neither a link nor a page, the login cannot be finished: it is cancelled, and the verb fails with \
            NO_LOGIN_PAGE.
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
