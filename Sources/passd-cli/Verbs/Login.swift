// `login`: shows code, address and QR code, waits for the viewer and reports the outcome.

import PassArguments

extension Option {
    static let qr = Option(
        "--qr", "auto|light|dark|color", help: "draw the QR code in this style, even if the output is a pipe or a file",
        details: """
            light and dark are for terminals with a light or dark background. color draws the code black on white. The \
            default is auto: color if colours are on, and dark if they are off.
            """)
    static let noQR = Option("--no-qr", help: "print no QR code", excludes: ["--qr"])
    static let noWait = Option("--no-wait", help: "print code and addresses, then exit")
    static let login = Option("--login", help: "sign in first if nobody is signed in")
}

extension Verb {
    static let login = Verb(
        "login", "sign the viewer in with a phone or computer", options: [.provider, .qr, .noQR, .noWait],
        details: """
            Prints a link to the provider's login, the code, and the address of the page where viewers type the code. \
            Draws a QR code of the link if there is room on the terminal. If the service gives no link, the QR code leads \
            to the page. If a provider must be chosen, and you do not give --provider, passd-cli asks at the terminal. \
            Waits until the login ends, even if the daemon restarts. Ctrl-C cancels the login. With --no-wait, exits after \
            printing the code, and the daemon continues the login until the code expires. With --json, prints two objects. \
            In the first, KIND is login-code, and the data has the members code, link, url and expires. The \
            second has the result. \
            With --json and --no-wait, prints one object with the same members. If the service gives neither a link nor a \
            page, passd-cli cancels the login and fails with NO_LOGIN_PAGE.
            """
    ) { try await logIn($0) }

    static func logIn(_ invocation: Invocation) async throws -> Outcome {
        let client = try await invocation.entitledSession()
        let connection = LoginConnection(client) { try await invocation.entitledSession() }
        let login = Login(invocation: invocation, connection: connection)
        do { return try await invocation.console.untilInterrupted { try await login.run() } } catch let end
            as Interrupted
        {
            return await login.cancelled(by: end.signal)
        }
    }
}
