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

        func decision(on resource: ResourceID) -> Decision {
            let token = authorized ? token : nil
            return Decision(
                resource: resource, isAuthorized: authorized, source: Decision.Source(source ?? "mvpd"),
                token: token.map { token in
                    MediaToken(
                        serialized: Secret(token.serializedToken),
                        notAfter: token.notAfter?.time ?? ServerTime(milliseconds: 0))
                }, notAfter: notAfter?.time, error: error?.error)
        }
    }

    private let decisions: [Lenient<Item>]

    /// One decision for each resource that was asked for, in that order.
    func decisions(for resources: [ResourceID]) -> [Decision] {
        let items = items(for: resources)
        return resources.map { resource in
            items[ExactText(resource)]?.decision(on: resource)
                ?? Decision(
                    resource: resource, isAuthorized: false, source: .other("missing"),
                    error: EnhancedError(status: 0, code: "decision_missing", actionName: "none"))
        }
    }

    /// Byte for byte first. Samples echo a resource with a blank more, so what is left over answers what differs from
    /// it in blanks only; but no item answers two resources.
    private func items(for resources: [ResourceID]) -> [ExactText: Item] {
        let asked = Set(resources.map(ExactText.init))
        var found: [ExactText: Item] = [:]
        var rest: [Item] = []
        for item in decisions.compactMap(\.value) {
            let name = ExactText(ResourceID(rawValue: item.resource))
            if !asked.contains(name) { rest.append(item) } else if found[name] == nil { found[name] = item }
        }
        for resource in resources where found[ExactText(resource)] == nil {
            let name = trimmed(resource.rawValue)
            guard let index = rest.firstIndex(where: { trimmed($0.resource) == name }) else { continue }
            found[ExactText(resource)] = rest.remove(at: index)
        }
        return found
    }

    private func trimmed(_ text: String) -> ExactText {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return ExactText(ResourceID(rawValue: String(text)))
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
