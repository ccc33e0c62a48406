// The answer of D1 and D2. Permits and denials both are answers. A resource that is missing in the list gets an error
// of its own, because older servers answer a question that is too long with an empty list. Contract: rest-v2.md D1, D2.

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

        func decision(on resource: ResourceID) -> ServiceDecision {
            let token = authorized ? token : nil
            return ServiceDecision(
                resource: resource, isAuthorized: authorized, source: ServiceDecision.Source(source ?? "mvpd"),
                token: token.map { token in
                    MediaToken(
                        serialized: Secret(token.serializedToken),
                        notAfter: token.notAfter?.time ?? ServerTime(milliseconds: 0))
                }, notAfter: notAfter?.time, error: error?.error)
        }
    }

    private let decisions: [Lenient<Item>]

    /// One decision for each resource of the question, in its order.
    func decisions(for resources: [ResourceID]) -> [ServiceDecision] {
        let items = echoed(decisions.compactMap(\.value), for: resources, \.resource)
        return resources.map { resource in
            items[ExactText(resource)]?.decision(on: resource) ?? .missing(resource)
        }
    }
}

extension ServiceDecision.Source {
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
