// The verbs that ask a running service: `statement`, `service-token`, `log-in` and `verify`.

import FoundationEssentials
import PassArguments
import PassJSON
import PassSandbox

extension Verb {
    static let statement = signing(
        "statement", "print a software statement for an app of the catalogue", "APP",
        details: """
            The statement is a JWT, signed by the running sandbox. With --state or --seed, you need no running sandbox,
            and every server with the same file or seed accepts the statement.
            """, control: "/sandbox/statement", asking: "app", wanting: "statement"
    ) { app, files in
        try OfflineSandbox.statement(app: app, catalogue: files.catalogue, state: files.state, seed: files.seed)
    }

    static let serviceToken = signing(
        "service-token", "print a service token for a subscriber", "SUBSCRIBER",
        details: """
            The token is a JWT for the AD-Service-Token header, signed in the same way as a software statement. Apps
            that send tokens for the same subscriber share a login.
            """, control: "/sandbox/service-token", asking: "subscriber", wanting: "serviceToken"
    ) { user, files in
        try OfflineSandbox.serviceToken(
            subscriber: user, catalogue: files.catalogue, state: files.state, seed: files.seed)
    }

    /// Makes a verb that prints a signed text for its operand. If the options name the files, this program signs the text.
    /// Otherwise the running sandbox signs it.
    private static func signing(
        _ name: String, _ summary: String, _ operand: String, details: String, control: String, asking member: String,
        wanting answer: String, offline sign: @escaping @Sendable (String, OfflineFiles) throws -> String
    ) -> Verb {
        Verb(
            name, summary, operands: [Operand(operand)], details: details,
            options: [.server, .authority, .catalogue, .state, .seed]
        ) { arguments in
            let name = arguments.operands[0]
            if let files = try OfflineFiles(arguments) {
                try Terminal.say(sign(name, files))
            } else {
                let client = try ControlClient(arguments)
                try Terminal.say(client.send(control, [member: .string(name)], wanting: answer).value)
            }
            return .done
        }
    }
}

// `pass-sandbox log-in`: logs in with the code from the TV, like a viewer, but without a browser.

extension Option {
    static let provider = Option(
        "--provider", "ID", help: "the TV provider, if none was chosen on the TV")
    static let user = Option(
        "--user", "NAME", help: "the subscriber's name", isRequired: true)
    static let password = Option(
        "--password", "PW", help: "the subscriber's password; if PW is -, it is read from standard input",
        isRequired: true)
}

extension Verb {
    static let logIn = Verb(
        "log-in", "log in as the viewer would: type the code, choose the provider, send the password",
        operands: [Operand("CODE|ADDRESS")],
        details: """
            Uses the sandbox's own pages, over HTTP. If the code or password is wrong, prints the page's message
            and exits with 3. ADDRESS is the address in the TV's QR code. With ADDRESS, --server has no effect. A
            sandbox with --foreign needs ADDRESS, not CODE.
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

// `pass-sandbox verify`: checks a media token. An app's own server makes the same check before it delivers the stream.

extension Option {
    static let resource = Option(
        "--resource", "ID", help: "the resource that the token must be for")
}

extension Verb {
    static let verify = Verb(
        "verify", "check a media token, and use it up", operands: [Operand("TOKEN")],
        details: """
            Asks the running sandbox whether the token is genuine, current and unused, and prints the answer and the
            token's content. If TOKEN is -, the token is read from standard input.
            """,
        options: [.resource, .server, .authority]
    ) { arguments in
        let token = arguments.operands[0] == "-" ? try Terminal.secret("token") : arguments.operands[0]
        let (result, verdict) = try ControlClient(arguments).send(
            "/sandbox/verify",
            ["token": .string(token), "resource": arguments[.resource].map(JSONValue.string)], wanting: "result")
        try Terminal.say(result)
        for (name, member) in facts {
            if let fact = verdict[member]?.string { try Terminal.say("\(name): \(fact)") }
        }
        if let issued = verdict["issueTime"]?.int64 {
            let date = Date(timeIntervalSince1970: Double(issued) / 1000)
            try Terminal.say("issued: \(date.formatted(.iso8601))")
        }
        if let lifetime = verdict["ttl"]?.int64 { try Terminal.say("lifetime: \((lifetime / 1000).secondsInWords)") }
        return result == "VALID_TOKEN" ? .done : .no
    }
}

/// The facts about the token that are printed, each with the name of its member in the answer.
private let facts = [
    ("resource", "resourceID"), ("requestor", "requestorID"), ("provider", "mvpdId"), ("session", "sessionGUID"),
]
