// The form of user metadata on disk: the JSON that the service sent, with a mark on values that only the programmer can
// decrypt. The identity of a temporary pass is one more member, with its own name. The identity has no separate column, so that
// older programs can read the store. These programs treat the identity as one more value of metadata.

import AccessEnabler
import PassJSON

struct AttributesRecord: JSONRecord {
    private static let identityName = "passd:temporary-identity"
    /// The max nesting of a value that can be read back. Each value is nested in two objects.
    private static let depth = JSONRecordLimits.depth - 2

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
            guard let value = member.value["value"]?.canonical else { return nil }
            let mark = member.value.member("encrypted")
            guard mark == nil || mark?.bool != nil else { return nil }
            attributes[member.name] = Profile.Attribute(value: value, isEncrypted: mark?.bool ?? false)
        }
        let identity = attributes.removeValue(forKey: Self.identityName)?.value.object?.members ?? []
        self.attributes = attributes
        let texts = identity.compactMap { member in member.value.string.map { (member.name, $0) } }
        temporaryIdentity = Dictionary(texts) { first, _ in first }
    }

    var json: JSONValue? {
        var members: [String: JSONValue] = [:]
        if !temporaryIdentity.isEmpty {
            members[Self.identityName] = .members(["value": .sorted(temporaryIdentity.mapValues { .string($0) })])
        }
        for (name, attribute) in attributes where name != Self.identityName {
            guard let value = attribute.value.canonical, value.isShallow(Self.depth) else { return nil }
            members[name] = .members(["encrypted": attribute.isEncrypted ? true : nil, "value": value])
        }
        return .sorted(members)
    }
}
