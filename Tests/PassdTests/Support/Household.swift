// A server on fakes. The engine's ports are scripted, apps connect over socket pairs as users of this process, and the
// log is a file. Every message to a visitor is checked against the tables of the protocol.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassSystem
import PassTestKit
import PassWire

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@EngineActor final class Household {
    /// All households are kept until the process ends, because work may still be pending when a test ends.
    private static var all: [Household] = []

    let clock = VirtualClock()
    let backend = FakeBackend()
    let vault: FakeVault
    let log: LogFile
    /// The reports of the other parts of the daemon. Tests change them.
    let daemon = FakeDaemon()
    let engine: Engine
    let server: Server

    init(
        apps: [AppStanza] = [.sample()], sameUser: Bool = false, isForDevelopers: Bool = false,
        origin: String = "https://service.test",
        vault: FakeVault = FakeVault(), sessionsPerUser: Int? = nil, pendingCalls: Int? = nil, messageSize: Int? = nil,
        instance: InstanceName? = nil, helper: PlatformHelper? = nil, gateway: AllowRule? = nil,
        crashes: [Crash] = [],
        _ script: (inout FakeBackend.Script) -> Void = { _ in }
    ) async throws {
        backend.script(script)
        self.vault = vault
        log = try LogFile()
        var loaded = LoadedConfiguration(
            values: [
                Setting.Name("backend", "origin"): EffectiveValue(text: origin, origin: .builtIn),
                Setting.Name("backend", "activation-url"): EffectiveValue(
                    text: "https://activate.example/", origin: .builtIn),
            ], apps: apps,
            problems: [])
        // Tests may set limits below the minimum of the configuration files.
        if let sessionsPerUser { loaded.configuration.limits.sessionsPerUser = sessionsPerUser }
        if let pendingCalls { loaded.configuration.limits.connection.pendingCalls = pendingCalls }
        if let messageSize { loaded.configuration.limits.connection.messageSize = messageSize }
        daemon.instance = instance
        daemon.crashes = crashes
        daemon.storeHealth = { [vault] in await vault.health() }
        vault.observe { [meter = daemon.meter] fault in meter.count { $0.storeWrite(fault: fault?.kind) } }
        let service: any EntitlementBackend =
            origin == "none" ? NoService(.v2) : RecordedBackend(backend, log.journal, meter: daemon.meter)
        engine = try await Engine.start(
            EnginePorts(
                services: SingleService(service), vault: vault, identity: FakeIdentity(),
                clock: clock,
                statement: { _ in Secret(Sample.statement) }, chance: { 0.5 }, digest: Digest.md5))
        let policy = Policy(
            stanzas: apps, ownUser: geteuid(), allowsSameUser: sameUser, isForDevelopers: isForDevelopers,
            gateway: gateway)
        server = Server(
            daemon.parts(engine: engine, clock: clock, journal: log.journal, helper: helper), loaded: loaded,
            policy: policy,
            startWarnings: [])
        server.state.readiness = .ready
        Self.all.append(self)
    }

    /// Applies a policy, as after a reload.
    func apply(_ policy: Policy, messageSize: Int? = nil) {
        let former = server.state.loaded
        var loaded = LoadedConfiguration(values: former.values, apps: policy.stanzas, problems: former.problems)
        loaded.configuration.limits = former.configuration.limits
        if let messageSize { loaded.configuration.limits.connection.messageSize = messageSize }
        server.apply(loaded, policy)
    }

    /// With `app`, connects through the socket of this app.
    func connect(_ socket: SocketKind = .api, through app: String? = nil) throws -> Visitor {
        let (ours, theirs) = try Descriptor.pair()
        server.welcome(Descriptor(adopting: ours), on: Entrance(kind: socket, app: app))
        return Visitor(Descriptor(adopting: theirs))
    }

    /// Connects an app and sets its requestor.
    func app(_ requestor: String = "NEWS24", _ socket: SocketKind = .api) async throws -> Visitor {
        let visitor = try connect(socket)
        _ = try await visitor.call("setRequestor", ["requestorID": .string(requestor)])
        return visitor
    }

    /// The viewer logs in with the code, and the next poll finds the login.
    func usesCode() {
        backend.script { $0.polls = [.success(.done(Sample.profile))] }
        clock.advance(by: clock.boot.duration(to: engine.nextPoll ?? clock.boot))
    }

    /// Gives the requestor's viewers a login at the service.
    func logsIn(_ requestor: String = "NEWS24") {
        backend.script { $0.profiles[RequestorID(rawValue: requestor)] = .success([Sample.profile]) }
    }
}

/// Samples with distinctive secrets, so that the secrets can be found anywhere.
enum Sample {
    static let statement = "eyJhbGciOiJSUzI1NiJ9.U0VDUkVUU1RBVEVNRU5U.c2ln"
    static let code = "K7Q2M4X"
    static let token = "SECRET-MEDIA-TOKEN"
    static let viewer = "SECRET-USER-ID"
    static let secrets = [statement, code, token, viewer]

    static let news = RequestorID(rawValue: "NEWS24")
    static let sport = RequestorID(rawValue: "SPORT")
    static let north = ProviderID(rawValue: "M1")
    static let providers = [
        Provider(id: north, displayName: "North", logoURL: "https://north.test/logo.png"),
        Provider(id: ProviderID(rawValue: "M2"), displayName: "Alpen", logoURL: ""),
    ]

    static let profile = Profile(
        provider: north, kind: .regular, issuer: "M1", notBefore: ServerTime(milliseconds: 1_795_564_000_000),
        notAfter: ServerTime(milliseconds: 1_803_340_861_000),
        attributes: ["userID": .init(value: .string(viewer), isEncrypted: false)])

    static let login = OpenLogin(
        code: RegistrationCode(rawValue: code), url: "https://service.test/activate?code=\(code)", provider: north,
        notBefore: ServerTime(milliseconds: 1_795_564_800_000), notAfter: ServerTime(milliseconds: 1_795_566_600_000))

    @Sendable static func permit(_ resource: ResourceID) -> Result<ServiceDecision, BackendFault> {
        .success(
            ServiceDecision(
                resource: resource, isAuthorized: true, source: .mvpd,
                token: MediaToken(
                    serialized: Secret(token), notAfter: ServerTime(milliseconds: 1_795_565_220_000)),
                notAfter: ServerTime(milliseconds: 1_795_651_200_000)))
    }
}

extension FakeBackend.Script {
    /// Offers two providers, a code for each login, and a permit for every resource.
    mutating func offersAll() {
        providers = .success(Sample.providers)
        beginLogin = .success(.showCode(Sample.login))
        authorize = Sample.permit
    }
}

extension AppStanza {
    /// A stanza for this process, unless another user is named.
    static func sample(
        _ name: String = "news24", _ requestors: [String] = ["NEWS24"],
        may: Set<Capability> = [.entitlement, .observe],
        _ statement: Statement? = nil, user: UInt32 = geteuid()
    ) -> AppStanza {
        var stanza = AppStanza(name, at: FilePosition("/etc/passd/apps.d/\(name).conf"))
        stanza.requestors = requestors
        stanza.allow = [AllowRule(text: "user:\(user)", conditions: [.user(user)])]
        stanza.may = may
        let usual = (try? SoftwareStatement(Array(Sample.statement.utf8))).map(Statement.present)
        stanza.statement = statement ?? usual ?? .absent
        return stanza
    }
}

extension Router {
    var policy: Policy {
        get { policyInForce.policy }
        set { policyInForce.policy = newValue }
    }
}
