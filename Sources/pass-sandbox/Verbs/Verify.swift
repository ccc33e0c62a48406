// `pass-sandbox verify`: checks a media token, as an app's own server does before it delivers the stream.

import PassArguments

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
        var question = ["token": token]
        question["resource"] = arguments[.resource]
        let verdict: Verdict = try ControlClient(arguments).send("/sandbox/verify", question)
        try Terminal.say(verdict.result)
        for (name, value) in verdict.facts { try Terminal.say("\(name): \(value)") }
        return verdict.result == "VALID_TOKEN" ? .done : .no
    }
}

private struct Verdict: Decodable {
    let result: String
    let resourceID: String?
    let requestorID: String?
    let mvpdId: String?
    let sessionGUID: String?
    let issueTime: Fact?
    let ttl: Fact?

    var facts: [(String, String)] {
        [
            ("resource", resourceID), ("requestor", requestorID), ("provider", mvpdId), ("session", sessionGUID),
            ("issued", issueTime?.text), ("lifetime", ttl?.text),
        ].compactMap { name, value in value.map { (name, $0) } }
    }
}

/// A fact about the token, which may be a number or a text.
private struct Fact: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            text = String(number)
        } else {
            text = try container.decode(String.self)
        }
    }
}
