// The format of an answer: given by the extension of the path, else by `format` in the query or the form, else by `Accept`, else XML. Contract:
// rest-v1.md §3, open-questions.md OQ-37.

struct AnswerFormat: Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable { case xml, json }

    let kind: Kind
    /// Whether two selectors ask for different formats.
    var isContradictory = false
    /// The path without the extension, as the endpoints know it.
    let path: String

    init(_ request: Request) {
        let byExtension = Kind.allCases.first { request.path.hasSuffix("." + $0.rawValue) }
        path = String(request.path.dropLast(byExtension.map { $0.rawValue.count + 1 } ?? 0))
        let byParameter = (request.query.one("format") ?? request.form?.one("format")).flatMap(Kind.init)
        let accept = Self.accepted(request.header("Accept") ?? "")
        let chosen = [byExtension, byParameter, accept?.isNamed == true ? accept?.kind : nil].compactMap(\.self)
        kind = chosen.first ?? accept?.kind ?? .xml
        isContradictory = chosen.contains { $0 != kind }
    }

    private struct Choice {
        let kind: Kind
        let quality: Double
        let isNamed: Bool
    }

    /// The format that `Accept` prefers: the one with the highest quality; of equal ones, a named format comes before a
    /// wildcard.
    private static func accepted(_ header: String) -> Choice? {
        var choices: [Choice] = []
        var wildcard: Double?
        for range in header.parts(between: ",") {
            let parts = range.parts(between: ";").map { $0.trimmed.lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case "application/json", "text/json": choices.append(Choice(kind: .json, quality: quality, isNamed: true))
            case "application/xml", "text/xml": choices.append(Choice(kind: .xml, quality: quality, isNamed: true))
            case "*/*", "application/*": wildcard = max(wildcard ?? 0, quality)
            default: break
            }
        }
        // A wildcard stands for XML, unless XML is named as well.
        if let wildcard, let kind = [Kind.xml, .json].first(where: { kind in !choices.contains { $0.kind == kind } }) {
            choices.append(Choice(kind: kind, quality: wildcard, isNamed: false))
        }
        let best = choices.map(\.quality).max() ?? 0
        return best > 0 ? choices.first { $0.quality == best } : nil
    }
}
