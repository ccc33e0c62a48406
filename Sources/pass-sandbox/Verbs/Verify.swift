// `pass-sandbox verify`: checks a media token, as an app's own server does before it delivers the stream.

import PassArguments
import PassJSON

extension Option {
    static let resource = Option(
        "--resource", "ID", help: "the resource that the token must be for")
}

extension Verb {
    static let verify = Verb(
        "verify", "check a media token, which uses it up", operands: [Operand("TOKEN")],
        details: """
            Asks the running sandbox whether it is genuine, current and unused, and prints the verdict and what it
            contains. TOKEN may be - for standard input.
            """,
        options: [.resource, .server, .authority]
    ) { arguments in
        let token = arguments.operands[0] == "-" ? try Terminal.secret("token") : arguments.operands[0]
        let (result, verdict) = try ControlClient(arguments).send(
            "/sandbox/verify",
            ["token": .string(token), "resource": arguments[.resource].map(JSONValue.string)], wanting: "result")
        try Terminal.say(result)
        for (name, member) in facts {
            guard let fact = verdict[member], let text = fact.string ?? fact.number?.text else { continue }
            try Terminal.say("\(name): \(text)")
        }
        return result == "VALID_TOKEN" ? .done : .no
    }
}

/// What is said of the token, and the member of the answer that has it.
private let facts = [
    ("resource", "resourceID"), ("requestor", "requestorID"), ("provider", "mvpdId"), ("session", "sessionGUID"),
    ("issued", "issueTime"), ("lifetime", "ttl"),
]
