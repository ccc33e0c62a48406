// The services that this box goes to: its own, if one is chosen, and those that the configuration lets apps name. Several
// at once are one to the engine. Contract: access-enabler.md §6.1.

import AccessEnabler
import PassBackend
import Synchronization

final class ServiceBook: ServiceDirectory {
    let standard: any EntitlementBackend
    private let allowed: Set<String>
    private let make: @Sendable (Origin) -> any EntitlementBackend
    /// By their origins, as long as the process lives: a service has one budget.
    private let known: Mutex<[String: any EntitlementBackend]>

    init(
        _ standard: any EntitlementBackend, at origin: Origin?, others: [String],
        make: @escaping @Sendable (Origin) -> any EntitlementBackend
    ) {
        self.standard = standard
        let own = origin.map { [$0.description: standard] } ?? [:]
        allowed = Set(others).union(own.keys)
        self.make = make
        known = Mutex(own)
    }

    func service(at addresses: [String]) -> (any EntitlementBackend)? {
        var names: [String] = []
        for address in addresses {
            guard let origin = try? Origin(address), allowed.contains(origin.description) else { return nil }
            if !names.contains(origin.description) { names.append(origin.description) }
        }
        guard !names.isEmpty else { return nil }
        return known.withLock { known in
            let parts = names.compactMap { part($0, &known) }
            guard parts.count == names.count else { return nil }
            guard parts.count > 1 else { return parts.first }
            let name = names.joined(separator: " ")
            let united = known[name] ?? UnitedBackend(parts[0], Array(parts.dropFirst()))
            known[name] = united
            return united
        }
    }

    private func part(_ name: String, _ known: inout [String: any EntitlementBackend]) -> (any EntitlementBackend)? {
        if let part = known[name] { return part }
        guard let origin = try? Origin(name) else { return nil }
        let part = make(origin)
        known[name] = part
        return part
    }

    func service(of registration: RegistrationKey) -> any EntitlementBackend {
        service(at: registration.origin.split(separator: " ").map(String.init)) ?? standard
    }
}
