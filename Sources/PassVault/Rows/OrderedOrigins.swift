// Converts the keys of earlier versions, in which the origins of an app with several services stood in the order of its
// configuration. Now the order does not matter, and keys have the origins sorted.

import AccessEnabler

extension RegistrationKey {
    fileprivate var inOrder: RegistrationKey {
        var key = self
        key.origin = origin.split(separator: " ").sorted().joined(separator: " ")
        return key
    }
}

extension ProfileKey {
    fileprivate var inOrder: ProfileKey {
        ProfileKey(registration: registration.inOrder, requestor: requestor, provider: provider)
    }
}

extension VaultContents {
    /// The contents with sorted keys. If two keys become the same, the one that was sorted already stays.
    var withOrderedOrigins: VaultContents {
        var ordered = self
        ordered.registrations = Self.keyed(registrations, \.inOrder)
        ordered.profiles = Self.keyed(profiles, \.inOrder)
        ordered.openLogins = Self.keyed(openLogins) { key in
            LoginKey(registration: key.registration.inOrder, requestor: key.requestor)
        }
        ordered.tombstones = Set(tombstones.map(\.inOrder))
        ordered.lapsed = Set(lapsed.map(\.inOrder))
        return ordered
    }

    private static func keyed<Key: Hashable, Value>(
        _ rows: [Key: Value], _ inOrder: (Key) -> Key
    ) -> [Key: Value] {
        var ordered = rows.filter { $0.key == inOrder($0.key) }
        for (key, value) in rows where ordered[inOrder(key)] == nil { ordered[inOrder(key)] = value }
        return ordered
    }
}
