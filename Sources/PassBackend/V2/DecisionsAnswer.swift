// The answers of D1 and D2. Permits and denials are both answers. A resource that is missing from the list is neither,
// as in an empty answer. Contract: rest-v2.md D1, D2.

import AccessEnabler

struct DecisionsAnswer: Decodable, Sendable, MayBeEmpty {
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
        // The service's pages do not name the member (E20).
        var metadata: Lenient<DecisionMetadata>?
        var userMetadata: Lenient<DecisionMetadata>?
        var attributes: Lenient<DecisionMetadata>?

        func decision(on resource: ResourceID) -> ServiceDecision {
            let token = authorized ? token : nil
            return ServiceDecision(
                resource: resource, isAuthorized: authorized, source: ServiceDecision.Source(source ?? "mvpd"),
                token: token.map { token in
                    MediaToken(
                        serialized: Secret(token.serializedToken),
                        notAfter: token.notAfter?.time ?? ServerTime(milliseconds: 0))
                }, notAfter: notAfter?.time, error: error?.error,
                metadata: [metadata, userMetadata, attributes].lazy.compactMap { $0?.value?.attributes }
                    .first { !$0.isEmpty } ?? [:])
        }
    }

    private let decisions: [Lenient<Item>]?

    static let empty = DecisionsAnswer(decisions: nil)

    /// Returns one decision for each resource that was asked about, in that order.
    func decisions(for resources: [ResourceID]) -> [ServiceDecision] {
        let items = echoed((decisions ?? []).compactMap(\.value), for: resources, \.resource)
        return resources.map { resource in
            items[ExactText(resource)]?.decision(on: resource) ?? .missing(resource)
        }
    }
}

/// The viewer's metadata that came with a decision. A value is either plain or `{value, state}`, as in a profile.
/// Missing values are left out, so that earlier values stay.
struct DecisionMetadata: Decodable, Sendable {
    private struct Entry: Decodable {
        private enum Keys: CodingKey { case value, state, error }

        let attribute: Profile.Attribute?

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: Keys.self)
            let isDescribed = container.map { $0.contains(.value) || $0.contains(.state) || $0.contains(.error) }
            let value: MetadataValue?
            var state: String?
            if let container, isDescribed == true {
                value = try? container.decodeIfPresent(AnyMetadata.self, forKey: .value)?.value
                state = try? container.decodeIfPresent(String.self, forKey: .state)
            } else {
                value = try AnyMetadata(from: decoder).value
            }
            attribute = value.flatMap { $0 == .null ? nil : .init(value: $0, isEncrypted: state == "enc") }
        }
    }

    let attributes: [String: Profile.Attribute]

    init(from decoder: any Decoder) throws {
        attributes = try decoder.singleValueContainer().decode([String: Lenient<Entry>].self)
            .compactMapValues { $0.value?.attribute }
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
