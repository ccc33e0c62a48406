// Converts keys of registrations with several services. Earlier versions kept the services in the order in which an app
// had named them; now they are sorted, so that the order does not matter.

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
    /// Sorts the origins. Of two rows with equal keys, the one that was already sorted is kept.
    var withOrderedOrigins: VaultContents {
        var ordered = self
        ordered.registrations = Self.keyed(registrations, \.inOrder)
        ordered.profiles = Self.keyed(profiles, \.inOrder)
        ordered.openLogins = Self.keyed(openLogins) { key in
            LoginKey(registration: key.registration.inOrder, requestor: key.requestor)
        }
        ordered.tombstones = Set(tombstones.map(\.inOrder))
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
