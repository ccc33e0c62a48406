// The daemon's reports for operators as text: the daemon's state, the last decisions, and the connected clients.

import PassJSON
import PassProtocol

enum Report {
    static func status(_ result: JSONValue, _ paint: Paint) -> String {
        let lists = ["warnings", "signedIn", "refusals"]
        let members = result.members.filter { !lists.contains($0.name) }
        let logins = result.list("signedIn").map { login in
            let end = login.time("expires").map { " until \($0)" } ?? ""
            let confirmed =
                login.time("confirmed").map { "last confirmed by the service at \($0)" }
                ?? "not confirmed by the service since the start"
            return "signed in  \(login.word("requestorID")) with \(login.word("name"))\(end), \(confirmed)"
        }
        let refusals = result.list("refusals").map { decision in
            let resource = decision.text("resource").map { "\($0.abridged) for " } ?? ""
            let facts = "\(resource)\(decision.word("requestorID")): \(decision.word("reason"))"
            return "refused    \(decision.time("time") ?? "")  \(facts)\(times(decision))"
        }
        let warnings = result.list("warnings").map { warning in
            "\(paint.doubtful("warning"))    \(warning.word("code")): \(warning.word("message"))\n"
                + "           \(warning.word("remedy"))"
        }
        return
            ([Table.lines(.object(JSONObject(members)))] + (logins.isEmpty ? [Verb.nobody] : logins) + refusals
            + warnings).joined(separator: "\n")
    }

    static func decisions(_ result: JSONValue, _ paint: Paint) -> String {
        result.list("decisions").map { paragraph($0, paint) }.joined(separator: "\n\n")
    }

    /// The number of repetitions of a decision, as text.
    private static func times(_ decision: JSONValue) -> String {
        guard let times = decision["times"]?.int64, times > 1 else { return "" }
        return " (\(times) times\(decision.time("since").map { ", the first at \($0)" } ?? ""))"
    }

    private static func paragraph(_ decision: JSONValue, _ paint: Paint) -> String {
        let outcome = decision.word("outcome")
        let painted = outcome == "permitted" ? paint.good(outcome) : paint.bad(outcome)
        let resource = decision.text("resource")?.abridged ?? "?"
        let subject =
            switch decision.text("kind") {
            case "login-ended": "login ended: \(painted)"
            case "call-denied": "call \(painted)"
            case "logout-refused": "logout \(painted)"
            case "start-failed": "start of the app: \(painted)"
            case "login-failed": "start of a login: \(painted)"
            case "hint": "hint for \(resource): \(painted)"
            default: "play of \(resource): \(painted)"
            }
        func list(_ members: KeyValuePairs<String, String>) -> [String] {
            members.compactMap { label, name in decision.text(name).map { "\(label) \($0)" } }
        }
        let decider = decision.text("decidedBy")
        let place = decider.map { ["decided by \($0 == "memory" ? "the box's memory" : "the \($0)")"] } ?? []
        let speaker =
            decision.text("source") == "degradation" ? "The operator of the service says" : "The provider says"
        let message: String? =
            decision.text("text").map { "\(speaker): \($0)" }
            ?? decision.text("message").map { decider == nil ? "Cause: \($0)" : "The service says: \($0)" }
        let details: [String?] = [
            (list(["app": "app", "title": "title", "requestor": "requestorID", "provider": "provider"]) + place)
                .joined(separator: ", "),
            decision.text("reason"), message, decision.text("remedy").map { "What to do: \($0)" },
            list(["code": "code", "trace": "trace"]).joined(separator: ", "),
        ]
        let lines = details.compactMap(\.self).filter { !$0.isEmpty }.map { "    " + $0 }
        return (["\(paint.strong(decision.time("time") ?? ""))  \(subject)\(times(decision))"] + lines)
            .joined(separator: "\n")
    }

    static func sessions(_ result: JSONValue, on console: any Console, _ paint: Paint) -> String {
        Table.fitted(
            header: ["app", "client", "user", "pid", "requestor", "signed in with", "since", "open"],
            result.list("sessions").map { row($0, now: console.now) }, to: console.output.columns, paint: paint)
    }

    private static func row(_ session: JSONValue, now: Int64) -> [String] {
        let identity = session["identity"] ?? [:]
        let calls = session["pendingCalls"]?.int64 ?? 0
        let cells: [String?] = [
            ["app", "origin"].compactMap { identity[$0]?.string }.joined(separator: " "), session["client"]?.string,
            identity["uid"]?.int64.map { Account.name(UInt32(exactly: $0)) ?? "\($0)" },
            identity["pid"]?.int64.flatMap { $0 > 0 ? "\($0)" : nil }, session["requestorID"]?.string,
            session["providerName"]?.string ?? session["provider"]?.string,
            session["since"]?.int64.map { Moment.brief($0, now: now) },
            (session.texts("open") + (calls > 0 ? [counted(calls, "call")] : [])).joined(separator: ", "),
        ]
        return cells.map { cell in cell.map(\.onOneLine).flatMap { $0.isEmpty ? nil : $0 } ?? "-" }
    }
}
