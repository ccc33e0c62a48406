// The services of this box: its own service, and the configured services that apps may name. If an app names several services,
// these services form one backend for the engine. The order in which the app names the services does not matter. May be used
// from any thread. Contract: access-enabler.md §6.1.

import AccessEnabler
import PassBackend
import Synchronization

final class ServiceBook: ServiceDirectory {
    /// The max number and the max size of addresses. No app needs more.
    static let maxAddresses = 16
    static let maxAddressSize = 2048
    /// The max number of unused combinations of services that are kept.
    static let maxUnused = 8

    final class Union {
        weak var backend: UnitedBackend?
        init(_ backend: UnitedBackend) { self.backend = backend }
    }

    struct State {
        /// The backend of each origin. Each backend is kept until the process ends, because it counts its requests against the
        /// limit of its service.
        var parts: [String: any EntitlementBackend]
        /// The united backends by their sorted origins. The references are weak, so that unused backends are freed.
        var unions: [String: Union] = [:]
        /// The most recently used combinations of services, the latest at the end.
        var recent: [UnitedBackend] = []
    }

    let standard: any EntitlementBackend
    /// The backend for a service that the box no longer uses.
    private let absent: NoService
    private let allowed: Set<String>
    private let make: @Sendable (Origin) -> any EntitlementBackend
    let state: Mutex<State>

    init(
        _ standard: any EntitlementBackend, at origin: Origin?, others: [String], absent: NoService,
        make: @escaping @Sendable (Origin) -> any EntitlementBackend
    ) {
        self.standard = standard
        self.absent = absent
        let own = origin.map { [$0.description: standard] } ?? [:]
        allowed = Set(others).union(own.keys)
        self.make = make
        state = Mutex(State(parts: own))
    }

    func service(at addresses: [String]) -> (any EntitlementBackend)? {
        guard (1...Self.maxAddresses).contains(addresses.count) else { return nil }
        var names: Set<String> = []
        for address in addresses {
            guard address.utf8.count <= Self.maxAddressSize, let origin = try? Origin(address),
                allowed.contains(origin.description)
            else { return nil }
            names.insert(origin.description)
        }
        return state.withLock { state in
            let parts = names.sorted().compactMap { part($0, &state) }
            guard let first = parts.first, parts.count == names.count else { return nil }
            return parts.count == 1
                ? first : Self.union(names.sorted().joined(separator: " "), parts: parts, state: &state)
        }
    }

    private static func union(
        _ name: String, parts: [any EntitlementBackend], state: inout State
    ) -> UnitedBackend {
        let union = state.unions[name]?.backend ?? UnitedBackend(parts[0], Array(parts.dropFirst()))
        state.recent = (state.recent.filter { $0 !== union } + [union]).suffix(maxUnused)
        state.unions = state.unions.filter { $0.value.backend != nil }
        state.unions[name] = Union(union)
        return union
    }

    private func part(_ name: String, _ state: inout State) -> (any EntitlementBackend)? {
        if let part = state.parts[name] { return part }
        guard let origin = try? Origin(name) else { return nil }
        let part = make(origin)
        state.parts[name] = part
        return part
    }

    /// Returns the backend for the service of the registration, so that codes, logouts and credentials of one service never go
    /// to another service.
    func service(of registration: RegistrationKey) -> any EntitlementBackend {
        guard registration.interface == absent.interface else { return absent }
        return service(at: registration.origin.split(separator: " ").map(String.init)) ?? absent
    }
}
