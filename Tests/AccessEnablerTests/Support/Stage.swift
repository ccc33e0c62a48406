// An engine with fakes at all its ports, and one trace of all callbacks to apps and requests to the service. A line
// begins with the app's name or with `⇄`.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@EngineActor final class Stage {
    let clock: VirtualClock
    let vault: FakeVault
    let backend: FakeBackend
    let trace: Recorder<String>
    let engine: Engine
    /// The form of a callback in the trace.
    var words: (Callback) -> String = Stage.words
    private(set) var apps: [String: Session] = [:]
    /// The sentences for viewers in the callbacks.
    private(set) var displays: [String?] = []
    /// The outcomes of the apps' logins.
    private(set) var outcomes: [LoginOutcome] = []

    init(
        vault: FakeVault = FakeVault(), identity: FakeIdentity = FakeIdentity(), clock: VirtualClock = VirtualClock(),
        _ script: (inout FakeBackend.Script) -> Void = { _ in }, settings: EngineSettings = EngineSettings(),
        importer: (any TokenImporter)? = nil, platform: (any PlatformSSO)? = nil,
        traits: BackendTraits = FakeBackend.richTraits, trace: Recorder<String> = Recorder(),
        services: (any ServiceDirectory)? = nil,
        draw: @escaping @Sendable (String, QRForm) -> QRPicture = { .svg("\($1.rawValue) of \($0)") }
    ) async throws {
        self.clock = clock
        self.trace = trace
        backend = FakeBackend(traits: traits) { trace.append("⇄ \($0)") }
        self.vault = vault
        backend.script(script)
        engine = try await Engine.start(
            EnginePorts(
                services: services ?? SingleService(backend), vault: vault, identity: identity, clock: clock,
                statement: { _ in Secret("s.t.m") }, chance: { 0.5 }, importer: importer,
                platform: platform ?? NoPlatform(), digest: { "md5(\($0))" },
                qr: draw),
            settings)
    }

    /// Connects an app of this name.
    func connect(_ name: String) -> Session {
        let (trace, words) = (trace, words)
        let session = engine.open { [unowned self] callback in
            trace.append("\(name) \(words(callback))")
            if case .setAuthenticationStatus(_, _, _, let outcome?, _) = callback {
                outcomes.append(outcome)
                displays.append(callback.json["display"]?.string)
            }
        }
        apps[name] = session
        return session
    }

    /// Connects an app and sets its requestor. The trace begins after that.
    func app(_ name: String, _ requestor: String) async throws -> Session {
        let session = connect(name)
        _ = try await session.setRequestor(.init(requestorID: requestor), Self.grant(name))
        return session
    }

    static func grant(_ name: String) -> Session.AppRights {
        Session.AppRights(app: AppID(rawValue: name), statement: Secret("s.t.m"))
    }

    /// The lines since the mark.
    func lines(since mark: Int = 0) -> [String] { Array(trace.elements.dropFirst(mark)) }
    var mark: Int { trace.elements.count }

    /// Waits for a line after the mark.
    func hear(_ line: String, since mark: Int = 0) async throws {
        try await trace.wait { $0.dropFirst(mark).contains(line) }
    }

    /// Advances the clock to the next poll of the code, and waits for the request. Several requestors may have the same code.
    func poll(_ code: String = "K7Q2M4X") async throws {
        let count = backend.calls.elements.count
        let polls = engine.openLogins.pollers.values.filter { $0.login.code.rawValue == code }.compactMap(\.next)
        clock.advance(by: clock.boot.duration(to: max(clock.boot, try #require(polls.max()))))
        try await backend.calls.wait { $0.dropFirst(count).contains("pollLogin \(code)") }
    }

    /// Waits for the first pause of the retries, after logouts that the service could not process.
    func sweepRests() async throws {
        let end = clock.boot.advanced(by: engine.settings.logoutRetry)
        try await clock.settings.wait { $0.contains(end) }
    }

    /// Waits until the poller has set its next alarm.
    func settled() async throws {
        let clock = clock
        try await clock.settings.wait { _ in clock.alarmCount > 0 }
    }

    nonisolated static func words(_ callback: Callback) -> String {
        // passd(7) is generated from the table, so the table must list every member.
        let listed = CallbackTable.all.first { $0.name == callback.name }?.params.map(\.name) ?? []
        let unlisted = callback.json.object?.members.map(\.name).filter { !listed.contains($0) } ?? []
        #expect(unlisted.isEmpty, "\(callback.name) \(unlisted)")
        return switch callback {
        case .setRequestorComplete(let status): "← setRequestorComplete \(status)"
        case .setAuthenticationStatus(let status, let code, let reason, _, _):
            "← setAuthenticationStatus \(status) \(code.rawValue)\(reason.map { " reason=\($0.rawValue)" } ?? "")"
        case .displayProviderDialog(let list): "← displayProviderDialog \(list.map(\.id).joined(separator: ","))"
        case .navigateToUrl(let url, let useSVC): "← navigateToUrl \(url)\(useSVC == true ? " useSVC" : "")"
        case .status(let message):
            "~ \(message.status.rawValue)\(message.status == .REGCODE ? " \(message.message)" : "")"
        case .setToken(let token, let resource): "← setToken \(token) \(resource)"
        case .tokenRequestFailed(let resource, let code, let description, _, _):
            "← tokenRequestFailed \(resource) \(code.rawValue) '\(description)'"
        case .selectedProvider(let selection):
            "← selectedProvider \(selection.provider?.id ?? "null") \(selection.state.rawValue)"
        case .preauthorizedResources(let resources): "← preauthorizedResources \(resources.joined(separator: ","))"
        case .setMetadataStatus(let answer): "← setMetadataStatus \(answer.metadata.string ?? "null")"
        case .sendTrackingData(_, let data): "← tracking \(data.prefix(4).joined(separator: ","))"
        case .presentTvProviderDialog, .dismissTvProviderDialog, .event: "← \(callback.name)"
        }
    }
}

extension Stage {
    /// Sets a session's requestor again and waits for the request to the service, which comes after the answer.
    @discardableResult func setAgain(
        _ app: Session, _ requestor: String = "NEWS24", as name: String = "A"
    ) async throws -> SetRequestor.Result {
        clock.advance(by: .seconds(61))
        let result = try await app.setRequestor(.init(requestorID: requestor), Stage.grant(name))
        await rest()
        return result
    }
}

enum Sample {
    static let north = ProviderID(rawValue: "M1")
    static let providers = [
        Provider(id: north, displayName: "North", logoURL: ""),
        Provider(id: ProviderID(rawValue: "M2"), displayName: "Alpen", logoURL: ""),
    ]

    /// The provider M1, with a login for each requestor.
    static let strict = {
        var provider = providers[0]
        provider.loginPerRequestor = true
        return provider
    }()

    static func profile(
        _ provider: ProviderID = north, _ kind: Profile.Kind = .regular, ends: Int64 = 1_803_340_861_000
    ) -> Profile {
        Profile(
            provider: provider, kind: kind, issuer: provider.rawValue,
            notBefore: ServerTime(milliseconds: 1_795_564_000_000), notAfter: ServerTime(milliseconds: ends),
            attributes: [
                "userID": .init(value: .string("u1"), isEncrypted: false),
                "zip": .init(value: .string("cipher"), isEncrypted: true),
            ])
    }

    static func login(_ code: String = "K7Q2M4X", _ provider: ProviderID? = north) -> OpenLogin {
        OpenLogin(
            code: RegistrationCode(rawValue: code), url: "https://service.test/activate?code=\(code)",
            provider: provider, notBefore: ServerTime(milliseconds: 1_795_564_800_000),
            notAfter: ServerTime(milliseconds: 1_795_566_600_000))
    }

    static func permit(_ resource: ResourceID, token: String = "t1") -> ServiceDecision {
        ServiceDecision(
            resource: resource, isAuthorized: true, source: .mvpd,
            token: MediaToken(
                serialized: Secret(token), notAfter: ServerTime(milliseconds: 1_795_565_220_000)),
            notAfter: ServerTime(milliseconds: 1_795_651_200_000))
    }
}

extension FakeBackend.Script {
    /// Offers the providers M1 and M2, and a code at each login.
    mutating func offersLogin() {
        providers = .success(Sample.providers)
        beginLogin = .success(.showCode(Sample.login()))
    }

    mutating func isLoggedIn(_ requestors: String..., profile: Profile = Sample.profile()) {
        for requestor in requestors { profiles[RequestorID(rawValue: requestor)] = .success([profile]) }
    }
}
