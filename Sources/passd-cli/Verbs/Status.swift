// `status`: shows the state of the daemon: the service, who is signed in, and what was refused lately.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let status = Verb(name: "status", summary: "show the state of the daemon") { invocation in
        let result = try await invocation.connect(.admin).call(Status.self)
        return Outcome(data: result, text: statusText(result, invocation.paint), isProse: true)
    }

    static func statusText(_ result: JSONValue, _ paint: Paint) -> String {
        let lists = ["warnings", "signedIn", "refusals"]
        let members = (result.object?.members ?? []).filter { !lists.contains($0.name) }.map(withUnits)
        let logins = (result["signedIn"]?.array ?? []).map { login in
            let words = ["requestorID", "name"].map { login[$0]?.string?.onOneLine ?? "" }
            let end = login["expires"]?.int64.map { " until \(Moment.text($0))" } ?? ""
            let confirmed =
                login["confirmed"]?.int64.map { "last confirmed by the service at \(Moment.text($0))" }
                ?? "not confirmed by the service since the start"
            return "signed in  \(words[0]) with \(words[1])\(end), \(confirmed)"
        }
        let refusals = (result["refusals"]?.array ?? []).map { decision in
            let words = ["requestorID", "reason"].map { decision[$0]?.string?.onOneLine ?? "" }
            let time = decision["time"]?.int64.map(Moment.text) ?? ""
            let resource = decision["resource"]?.string.map { "\($0.onOneLine.abridged) for " } ?? ""
            return "refused    \(time)  \(resource)\(words[0]): \(words[1])\(times(decision))"
        }
        let warnings = (result["warnings"]?.array ?? []).map { warning in
            let words = ["code", "message", "remedy"].map { warning[$0]?.string?.onOneLine ?? "" }
            return "\(paint.doubtful("warning"))    \(words[0]): \(words[1])\n           \(words[2])"
        }
        return
            ([Table.lines(.object(JSONObject(members)))] + (logins.isEmpty ? [nobody] : logins) + refusals + warnings)
            .joined(separator: "\n")
    }

    /// That there is no login, wherever a verb says so.
    static let nobody = "Nobody is signed in."

    private static func withUnits(_ member: JSONObject.Member) -> JSONObject.Member {
        func length(_ value: JSONValue?, unit: Int64) -> JSONValue? {
            guard let number = value?.int64 else { return nil }
            let (milliseconds, isTooLarge) = number.multipliedReportingOverflow(by: unit)
            return isTooLarge ? nil : .string(Length.text(milliseconds))
        }
        switch member.name {
        case "uptime": return .init(name: member.name, value: length(member.value, unit: 1000) ?? member.value)
        case "clock":
            return .init(
                name: member.name,
                value: length(member.value["offset"], unit: 1).map { ["offset": $0] } ?? member.value)
        default: return member
        }
    }
}
