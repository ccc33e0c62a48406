// What a box needs to know of the catalogue: the apps that can register, with their statements, and one viewer with
// whom everything works.

import Synchronization

/// An app of the catalogue, with what it registers with.
public struct RegistrableApp: Sendable {
    public let id: String
    public let serviceProviders: [String]
    public let statement: String
}

/// A login and a play that succeed.
public struct ExampleLogin: Sendable {
    public let serviceProvider: String
    public let resource: String
    public let provider: String
    public let user: String
    public let password: String
}

public enum Interface: String, CaseIterable, Sendable {
    case v2, v1

    fileprivate var scope: String { self == .v2 ? Call.scope : V1.scope }
}

extension SandboxServer {
    /// A service provider belongs to the first app that has it.
    public func apps(of interface: Interface) -> [RegistrableApp] {
        sandbox.core.withLock { core in
            let now = core.clock.now
            var taken: Set<String> = []
            return core.world.catalogue.apps.compactMap { app in
                guard !core.world.isRevoked(app), app.scopes.contains(interface.scope) else { return nil }
                let own = app.serviceProviders.filter { taken.insert($0).inserted }
                guard !own.isEmpty else { return nil }
                return RegistrableApp(
                    id: app.id, serviceProviders: own, statement: core.world.softwareStatement(for: app, at: now))
            }
        }
    }

    /// Nil if the catalogue has no viewer who may watch anything.
    public func exampleLogin(of apps: [RegistrableApp]) -> ExampleLogin? {
        let catalogue = sandbox.core.withLock { $0.world.catalogue }
        for id in apps.flatMap(\.serviceProviders) {
            let resources = catalogue.serviceProvider(id)?.resources.filter(\.isGated).map(\.id) ?? []
            let integrations = catalogue.integrations.filter {
                $0.serviceProvider == id && $0.isEnabled && $0.misconfiguration == nil
            }
            for provider in integrations.compactMap({ catalogue.provider($0.provider) }) {
                for viewer in provider.subscribers where viewer.answers.isEmpty && viewer.home.isEmpty {
                    guard let resource = resources.first(where: viewer.channels.contains) else { continue }
                    return ExampleLogin(
                        serviceProvider: id, resource: resource, provider: provider.id, user: viewer.user,
                        password: viewer.password)
                }
            }
        }
        return nil
    }
}
