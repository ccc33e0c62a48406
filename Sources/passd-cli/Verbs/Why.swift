// `why`: tells why something was not permitted lately, in plain words, and what to do.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let most = Option(name: "--most", value: "COUNT", help: "show at most so many decisions; default: 10")
}

extension Verb {
    static let why: Verb = Verb(
        name: "why", summary: "tell why something was not permitted, and what to do",
        operands: [Operand("RESOURCE|APP|REQUESTOR", .optional, known: .resources)], options: [.most],
        details: """
            Shows the last decisions since the daemon started, the newest last: plays, hints that were not permitted, ends of \
            logins, calls that policy denied, and starts of apps and of logins that failed. What was decided alike several times is shown once, \
            with the time of the last. The RESOURCE_HASH of a record in the journal is \
            accepted as well, and --requestor in place of REQUESTOR. Exits with 3 if there is no such decision.
            """
    ) { invocation in
        let (name, requestor) = (invocation.arguments.operands.first, invocation.arguments[.requestor])
        guard name == nil || requestor == nil else {
            throw Failure.usage("why is about one name, so --requestor cannot go with \(name ?? "").", Verb.why)
        }
        let about = name ?? requestor
        guard about?.isEmpty != true else { throw Failure.usage("The name is empty.", Verb.why) }
        let most = try invocation.arguments[.most].map { text throws(Failure) in try number(text) } ?? 10
        let result = try await invocation.connect(.admin).call(Decisions.self, .init(about: about, most: most))
        let decisions = result["decisions"]?.array ?? []
        guard !decisions.isEmpty else {
            let what = about.map { " about \($0.onOneLine)" } ?? ""
            return Outcome(
                exit: .no, data: result,
                notes: [
                    "Nothing was decided\(what) since the daemon started. Earlier decisions are in the journal: "
                        + "journalctl -u \(invocation.instance?.directory ?? "passd") PASSD_EVENT=AUTHORIZATION"
                ])
        }
        return Outcome(data: result, text: whyText(result, invocation.paint), isProse: true)
    }

    static func whyText(_ result: JSONValue, _ paint: Paint) -> String {
        (result["decisions"]?.array ?? []).map { paragraph($0, paint) }.joined(separator: "\n\n")
    }

    private static func number(_ text: String) throws(Failure) -> Int {
        guard let most = Int(text), (1...Decisions.most).contains(most) else {
            throw Failure.usage("--most \(text) is not a number from 1 to \(Decisions.most).", Verb.why)
        }
        return most
    }

    /// How often a decision was repeated.
    static func times(_ decision: JSONValue) -> String {
        guard let times = decision["times"]?.int64, times > 1 else { return "" }
        let first = decision["since"]?.int64.map { ", the first at \(Moment.text($0))" } ?? ""
        return " (\(times) times\(first))"
    }

    private static func paragraph(_ decision: JSONValue, _ paint: Paint) -> String {
        func word(_ name: String) -> String? { decision[name]?.string?.onOneLine }
        let time = decision["time"]?.int64.map(Moment.text) ?? ""
        let outcome = word("outcome") ?? ""
        let painted = outcome == "permitted" ? paint.good(outcome) : paint.bad(outcome)
        let resource = word("resource")?.abridged ?? "?"
        let subject =
            switch word("kind") {
            case "login-ended": "login ended: \(painted)"
            case "call-denied": "call \(painted)"
            case "logout-refused": "logout \(painted)"
            case "start-failed": "start of the app: \(painted)"
            case "login-failed": "start of a login: \(painted)"
            case "hint": "hint for \(resource): \(painted)"
            default: "play of \(resource): \(painted)"
            }
        let facts = [("app", "app"), ("requestor", "requestorID"), ("provider", "provider")].compactMap { label, name in
            word(name).map { "\(label) \($0)" }
        }
        let decider =
            word("decidedBy").map { ["decided by \($0 == "memory" ? "the box's memory" : "the \($0)")"] } ?? []
        let speaker = word("source") == "degradation" ? "The operator of the service says" : "The provider says"
        let message: String? =
            word("text").map { "\(speaker): \($0)" }
            ?? word("message").map { word("decidedBy") == nil ? "Cause: \($0)" : "The service says: \($0)" }
        let remedy: String? = word("remedy").map { "What to do: \($0)" }
        let marks: [String?] = [word("code").map { "code \($0)" }, word("trace").map { "trace \($0)" }]
        let all: [String?] = [
            (facts + decider).joined(separator: ", "), word("reason"), message, remedy,
            marks.compactMap(\.self).joined(separator: ", "),
        ]
        let details = all.compactMap(\.self).filter { !$0.isEmpty }
        return ([paint.strong(time) + "  " + subject + times(decision)] + details.map { "    " + $0 }).joined(
            separator: "\n")
    }
}
