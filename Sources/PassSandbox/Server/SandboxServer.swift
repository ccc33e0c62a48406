// The whole sandbox: catalogue, state and server. The command line starts the sandbox. A box asks the sandbox which apps can
// register, and which viewer can log in and play.

import FoundationEssentials
import Synchronization

public struct SandboxOptions: Sendable {
    public var listen = ListenAddress.standard
    public var catalogue: String
    public var state: String?
    public var seed: UInt64?
    public var throttled = true
    public var publicURL: String?
    public var tls: HTTPServer.TLS?
    public var limits = ServerLimits()
    /// Whether to behave like a foreign service: a service that is not on this machine. This overrides the catalogue.
    public var isForeign = false
    /// The port for the pages of a foreign service; 0 lets the kernel choose.
    public var pagesPort: UInt16 = 0

    public init(catalogue: String) { self.catalogue = catalogue }
}

/// The error for an unusable catalogue: `file: line 7: providers[2].name: should be a string`.
public struct CatalogueFileError: Error, CustomStringConvertible, Sendable {
    public let description: String
}

public final class SandboxServer: Sendable {
    let sandbox: Sandbox
    private let server: HTTPServer
    /// The server for the pages of a foreign service.
    private let pagesServer: HTTPServer?
    /// The origin of the pages of a foreign service; nil if the pages are at `origin`.
    public let pagesOrigin: String?
    /// The address that viewers and clients use.
    public let origin: String
    /// The address for programs on this machine.
    public let localOrigin: String
    /// An app of the catalogue, for examples.
    public let exampleApp: String

    public var port: UInt16 { server.port }

    public init(_ options: SandboxOptions) throws {
        var catalogue = try Catalogue.load(options.catalogue)
        if options.isForeign { catalogue.settings.foreign = catalogue.settings.foreign ?? ForeignManners() }
        if catalogue.settings.foreign != nil { catalogue.forgetThisMachine() }
        let scheme = options.tls == nil ? "http" : "https"
        sandbox = try Sandbox(
            catalogue: catalogue, origin: "", seed: options.seed, throttled: options.throttled, statePath: options.state
        )
        server = HTTPServer(limits: options.limits, now: { [sandbox] in sandbox.now }) { [sandbox] request in
            sandbox.answer(request)
        }
        try server.start(on: options.listen, tls: options.tls)
        let host = options.listen.isAny ? "127.0.0.1" : options.listen.host
        localOrigin = "\(scheme)://\(ListenAddress(host: host, port: server.port))"
        origin = options.publicURL ?? localOrigin
        if catalogue.settings.foreign != nil {
            let pages = HTTPServer(limits: options.limits, now: { [sandbox] in sandbox.now }) { [sandbox] request in
                sandbox.answerBrowser(request)
            }
            // The pages have another host name and port than the API, so that clients cannot mix them up.
            try pages.start(on: ListenAddress(host: "127.0.0.1", port: options.pagesPort), tls: options.tls)
            pagesServer = pages
            pagesOrigin = "\(scheme)://localhost:\(pages.port)"
        } else {
            (pagesServer, pagesOrigin) = (nil, nil)
        }
        exampleApp = catalogue.apps.first { !$0.isRevoked }?.id ?? "APP"
        sandbox.setOrigin(origin)
        if let pages = pagesOrigin ?? options.publicURL { sandbox.setPagesOrigin(pages) }
    }

    /// The common prefix of the addresses of pages.
    public var pages: String { sandbox.core.withLock { $0.world.pages.address("") } }
    public var activationPage: String { sandbox.core.withLock { $0.world.pages.address("/activate") } }
    /// The last page of a login on a phone.
    public var finishPage: String { sandbox.core.withLock { $0.world.pages.address("/activated") } }

    public func stop() {
        server.stop()
        pagesServer?.stop()
    }
}

extension Catalogue {
    static func load(_ path: String) throws -> Catalogue {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw CatalogueFileError(description: "\(path): the catalogue cannot be read")
        }
        do {
            return try Catalogue.read(bytes)
        } catch {
            throw CatalogueFileError(description: "\(path): \(error)")
        }
    }
}

// The parts of the catalogue for a box: the apps that can register, with their statements, and an example of a login and a
// play.

/// An app of the catalogue, with its software statement.
public struct RegistrableApp: Sendable {
    public let id: String
    public let title: String
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
    /// The apps that can register. A service provider of several apps is listed only with the first of them.
    public func apps(of interface: Interface) -> [RegistrableApp] {
        sandbox.core.withLock { core in
            let now = core.world.now
            var taken: Set<String> = []
            return core.world.catalogue.apps.compactMap { app in
                guard !core.world.isRevoked(app), app.scopes.contains(interface.scope) else { return nil }
                let own = app.serviceProviders.filter { taken.insert($0).inserted }
                guard !own.isEmpty else { return nil }
                return RegistrableApp(
                    id: app.id, title: app.title ?? app.name, serviceProviders: own,
                    statement: core.world.softwareStatement(for: app, at: now))
            }
        }
    }

    /// A login and a play that succeed. Nil if no viewer of the catalogue may watch anything.
    public func exampleLogin(of apps: [RegistrableApp]) -> ExampleLogin? {
        let catalogue = sandbox.core.withLock { $0.world.catalogue }
        for id in apps.flatMap(\.serviceProviders) {
            let resources = catalogue.serviceProvider(id)?.resources.filter(\.isGated).map(\.id) ?? []
            for (provider, integration) in catalogue.providers(of: id) where integration.misconfiguration == nil {
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
