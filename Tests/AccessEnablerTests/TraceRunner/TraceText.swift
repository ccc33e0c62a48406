// Writes callbacks and answers as lines of a trace, with all their contents.

import FoundationEssentials
import PassJSON
import PassProtocol

enum TraceText {
    static func callback(_ callback: Callback) -> String {
        switch callback {
        case .setRequestorComplete(let status): "← setRequestorComplete \(status)"
        case .setAuthenticationStatus(let status, let code, let reason, let outcome, _):
            line(
                "← setAuthenticationStatus \(status)", code.rawValue, reason.map { "reason=\($0.rawValue)" },
                outcome.map { "outcome=\($0.kind.rawValue)" }, outcome?.cause.map { "cause=\($0.rawValue)" },
                outcome?.code.map { "code=\($0)" })
        case .displayProviderDialog(let list): "← displayProviderDialog \(list.map(\.id).joined(separator: ","))"
        case .navigateToUrl(let url, let useSVC): line("← navigateToUrl \(url)", useSVC.map { "useSVC=\($0)" })
        case .status(let message): status(message)
        case .setToken(let token, let resource): "← setToken \(token) \(word(resource))"
        case .tokenRequestFailed(let resource, let code, let description, let error, _):
            line(
                "← tokenRequestFailed \(word(resource)) \(code.rawValue) '\(description)'", error.map { "(\($0.code))" }
            )
        case .selectedProvider(let selection):
            "← selectedProvider \(selection.provider?.id ?? "null") '\(selection.state.rawValue)'"
        case .preauthorizedResources(let resources): "← preauthorizedResources [\(resources.joined(separator: ","))]"
        case .setMetadataStatus(let answer): "← setMetadataStatus \(metadata(answer))"
        case .sendTrackingData(let event, let data):
            "← sendTrackingData \(event.rawValue) \(data.joined(separator: ","))"
        case .presentTvProviderDialog, .dismissTvProviderDialog, .event: "← \(callback.name)"
        }
    }

    /// The message, unless it is the default of the code, then the extras.
    private static func status(_ message: StatusMessage) -> String {
        let own = StatusMessage(message.status).message
        if message.status == .REGCODE {
            let extras = JSONValue.object(message.extras)
            return line("~ REGCODE \(message.message)", extras["url"]?.string, extras["expires"].map(value))
        }
        let extras = message.extras.members.map { "\($0.name)=\(value($0.value))" }
        return line(
            "~ \(message.status.rawValue)", message.message == own ? nil : "'\(message.message)'",
            extras.isEmpty ? nil : extras.joined(separator: " "))
    }

    private static func metadata(_ answer: GetMetadata.Result) -> String {
        let argument =
            switch answer.question {
            case .authentication, .deviceID: nil as String?
            case .authorization(let resource): word(resource)
            case .userMetadata(let name): name
            }
        return line(
            answer.question.key.rawValue, argument, value(answer.metadata), answer.encrypted ? "encrypted" : nil)
    }

    /// The members of an answer, without the sentences made from other members.
    static func answer(_ json: JSONValue) -> String {
        guard let members = json.object?.members, !members.isEmpty else { return "done" }
        return members.filter { !["display", "displaySource", "displayCode", "log"].contains($0.name) }.map {
            "\($0.name)=\(value($0.value))"
        }.joined(
            separator: " ")
    }

    static func error(_ error: RPCError) -> String {
        line(
            "error=\(error.name.text)", error.action.map { "action=\($0.rawValue)" },
            error.retryAfter.map { "retryAfter=\($0)" }, error.details?["code"].map { "code=\(value($0))" })
    }

    private static func value(_ json: JSONValue) -> String {
        switch json {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .string(let text):
            // Times in texts are decimal milliseconds.
            return word(Int64(text).flatMap(date) ?? text)
        case .array(let items): return "[\(items.map(value).joined(separator: ","))]"
        case .object(let object):
            // A provider is written as its id.
            if let id = json["id"]?.string, json["displayName"] != nil { return id }
            if let id = json["id"]?.string, let isPermitted = json["authorized"]?.bool {
                return "\(id):\(isPermitted ? "yes" : "no")\(json["error"].map { " \(value($0))" } ?? "")"
            }
            if let code = json["code"]?.string, json["action"] != nil { return "(\(code))" }
            return "{\(object.members.map { "\($0.name)=\(value($0.value))" }.joined(separator: " "))}"
        default:
            guard let number = json.int64 else { return "\(json)" }
            return date(number) ?? "\(number)"
        }
    }

    /// The date, if the number is a date after the year 2000.
    private static func date(_ milliseconds: Int64) -> String? {
        guard milliseconds >= 1_000_000_000_000 else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }

    private static func word(_ text: String) -> String { text.isEmpty || text.contains(" ") ? "'\(text)'" : text }

    private static func line(_ parts: String?...) -> String {
        parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
