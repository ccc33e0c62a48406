// The form of user metadata on disk: the JSON that the service sent, with a mark on values that only the programmer can
// decrypt. The identity of a temporary pass is one more member, with its own name. It has no separate column, so that older
// programs can read the store. They treat it as another value of metadata.

import AccessEnabler
import PassJSON

struct AttributesRecord: JSONRecord {
    private static let identityName = "passd:temporary-identity"

    let attributes: [String: Profile.Attribute]
    let temporaryIdentity: [String: String]

    init(_ profile: Profile) {
        attributes = profile.attributes
        temporaryIdentity = profile.temporaryIdentity
    }

    init?(_ json: JSONValue) {
        guard let members = json.object?.members else { return nil }
        var attributes: [String: Profile.Attribute] = [:]
        for member in members {
            guard let value = member.value["value"].flatMap({ MetadataValue($0) }) else { return nil }
            let mark = member.value.member("encrypted")
            guard mark == nil || mark?.bool != nil else { return nil }
            attributes[member.name] = Profile.Attribute(value: value, isEncrypted: mark?.bool ?? false)
        }
        let identity = attributes.removeValue(forKey: Self.identityName)?.value
        guard case .object(let members)? = identity else {
            (self.attributes, temporaryIdentity) = (attributes, [:])
            return
        }
        self.attributes = attributes
        temporaryIdentity = members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }

    var json: JSONValue? {
        var members: [String: JSONValue] = [:]
        if !temporaryIdentity.isEmpty {
            members[Self.identityName] = .members(["value": .sorted(temporaryIdentity.mapValues { .string($0) })])
        }
        for (name, attribute) in attributes where name != Self.identityName {
            // Each value is nested in two objects.
            guard let value = attribute.value.json(depth: 2) else { return nil }
            members[name] = .members(["encrypted": attribute.isEncrypted ? true : nil, "value": value])
        }
        return .sorted(members)
    }
}

extension MetadataValue {
    /// Nil if a number is too large.
    fileprivate init?(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number):
            guard let number = number.double else { return nil }
            self = .number(number)
        case .string(let text): self = .string(text)
        case .array(let items):
            let list = items.compactMap { MetadataValue($0) }
            guard list.count == items.count else { return nil }
            self = .list(list)
        case .object(let object):
            var members: [String: MetadataValue] = [:]
            for member in object.members {
                guard let value = MetadataValue(member.value) else { return nil }
                members[member.name] = value
            }
            self = .object(members)
        }
    }

    /// The value as JSON. Nil if a number is not finite, or if the nesting is too deep to be read back. `depth` is the
    /// nesting of this value.
    fileprivate func json(depth: Int) -> JSONValue? {
        guard depth <= JSONRecordLimits.depth else { return nil }
        switch self {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .number(let number): return JSONNumber(number).map { .number($0) }
        case .string(let text): return .string(text)
        case .list(let list):
            let items = list.compactMap { $0.json(depth: depth + 1) }
            return items.count == list.count ? .array(items) : nil
        case .object(let object):
            let members = object.compactMapValues { $0.json(depth: depth + 1) }
            return members.count == object.count ? .sorted(members) : nil
        }
    }
}
