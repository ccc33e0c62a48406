// D1 and D2. Permits and denials both are answers; a resource that is missing from the list is an error of its own,
// because older servers answered an over-long question with an empty list. Contract: rest-v2.md D1, D2.

import AccessEnabler

struct DecisionsAnswer: Decodable, Sendable {
    private struct Item: Decodable, Sendable {
        struct Token: Decodable, Sendable {
            var serializedToken: String
            var notAfter: Milliseconds?
        }

        var resource: String
        var authorized: Bool
        var source: String?
        var token: Token?
        var notAfter: Milliseconds?
        var error: ErrorAnswer?
    }

    private let decisions: [Lenient<Item>]

    /// One decision for each resource that was asked for, in that order. Samples echo a resource with a blank more.
    func decisions(for resources: [ResourceID]) -> [Decision] {
        let items = decisions.compactMap(\.value)
        return resources.map { resource in
            guard let item = items.first(where: { trimmed($0.resource) == trimmed(resource.rawValue) }) else {
                return Decision(
                    resource: resource, isAuthorized: false, source: .other("missing"),
                    error: EnhancedError(status: 0, code: "decision_missing", actionName: "none"))
            }
            let token = item.authorized ? item.token : nil
            return Decision(
                resource: resource, isAuthorized: item.authorized, source: Decision.Source(item.source ?? "mvpd"),
                token: token.map { token in
                    MediaToken(
                        serialized: Secret(token.serializedToken),
                        notAfter: token.notAfter?.time ?? ServerTime(milliseconds: 0))
                }, notAfter: item.notAfter?.time, error: item.error?.error)
        }
    }

    private func trimmed(_ text: String) -> Substring {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension Decision.Source {
    init(_ name: String) {
        self =
            switch name {
            case "mvpd": .mvpd
            case "degradation": .degradation
            case "temppass": .tempPass
            case "dummy": .dummy
            default: .other(name)
            }
    }
}
