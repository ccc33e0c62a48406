// A box with all parts that a backend needs, and a clock that the test advances.

import PassTestKit

@testable import AccessEnabler
@testable import PassBackend

struct NoSignOn: PlatformSSO {
    func identityToken(at time: ServerTime) async -> Secret? { nil }
    func serviceToken(at time: ServerTime) async -> Secret? { nil }
}

struct Box: Sendable {
    static let statement = "aGVhZGVy.Ym9keQ.c2lnbmF0dXJl"

    let clock: BoxClock
    let service: ScriptedService
    let vault: MemoryVault
    let backend: V2Backend
    let heard = Recorder<ServerTime>()
    let sent = Recorder<SentRequest>()
    let origin: String
    let sites: LoginSites

    init(
        clock: BoxClock = BoxClock(), vault: MemoryVault = MemoryVault(), origin: String = "https://sp.example",
        site: LoginSite = .none, sites: [AppID: LoginSite] = [:], platform: any PlatformSSO = NoSignOn(),
        burst: Int = 1000, viewersBurst: Int = 0, isNewBox: Bool = false,
        _ script: @escaping ScriptedService.Script = { _, _ in nil }
    ) throws {
        self.clock = clock
        self.vault = vault
        self.origin = origin
        self.sites = LoginSites(site, apps: sites)
        service = ScriptedService(script)
        let configuration = ServiceConfiguration(
            origin: try Origin(origin), http: .patient,
            budget: .init(burst: burst, viewersBurst: viewersBurst, isNewBox: isNewBox),
            device: DeviceFacts(model: "LTV-200", manufacturer: "Lumen Devices", osVersion: "6.12"),
            sites: self.sites)
        backend = V2Backend(
            ServiceParts(
                configuration, exchange: service, vault: vault, registrations: vault.registrations, clock: clock,
                budgetClock: clock, platform: platform, digest: { "digest-\($0.reveal().utf8.count)" },
                heard: { [heard] date, _ in heard.append(date) }, sent: { [sent] in sent.append($0) }, jitter: { 0.5 }))
    }

    func caller(
        app: String = "tv.app", requestor: String = "LUMENTV", statement: String = Box.statement,
        within time: Duration = .seconds(1000), rank: CallRank = .viewer
    ) -> BackendCaller {
        let app = AppID(rawValue: app)
        var caller = BackendCaller(
            registration: backend.registration(of: app, statement: Secret(statement)),
            softwareStatement: Secret(statement), requestor: RequestorID(rawValue: requestor),
            device: DeviceID(rawValue: "abc"), deadline: clock.boot.advanced(by: time))
        caller.urgency = Urgency(rank)
        caller.owner = .box(for: app)
        return caller
    }

    /// The same box after a restart of its daemon.
    func restarted(_ script: @escaping ScriptedService.Script = { _, _ in nil }) throws -> Box {
        try Box(clock: clock, vault: vault, origin: origin, script)
    }

    /// The kind of fault with which the work ends; nil if the work succeeds.
    func fault<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> BackendFault.Kind? {
        try await Self.fault(of: Task { try await clock.run(work) })
    }

    /// The same for work during which the test advances the clock itself.
    static func fault<Value: Sendable>(of task: Task<Value, any Error>) async throws -> BackendFault.Kind? {
        do {
            _ = try await task.value
            return nil
        } catch let fault as BackendFault { return fault.kind }
    }
}

let north = ProviderID(rawValue: "NorthCable")
let film = ResourceID(rawValue: "film")

enum Sample {
    static let profile = #"""
        {"profiles": {"NorthCable": {"notBefore": 1, "notAfter": 9, "issuer": "NorthCable", "type": "regular",
          "attributes": {"userID": {"value": "u", "state": "plain"}}}}}
        """#
    static let nobody = #"{"profiles": {}}"#
    static let providers = #"{"requestor": {"id": "LUMENTV", "mvpds": [{"id": "NorthCable"}]}}"#
    static let session = #"""
        {"actionName": "authenticate", "actionType": "interactive", "reasonType": "none",
         "url": "/api/v2/authenticate/LUMENTV/K7Q2M4X", "code": "K7Q2M4X", "sessionId": "s", "mvpd": "NorthCable",
         "notBefore": "1795564800000", "notAfter": "1795566600000"}
        """#

    static func error(_ code: String, action: String = "none", status: Int = 400) -> String {
        #"{"status": \#(status), "code": "\#(code)", "action": "\#(action)", "trace": "t-1"}"#
    }

    static func permit(_ resource: String, token: String = "dG9r") -> String {
        #"{"resource": "\#(resource)", "authorized": true, "source": "mvpd", "token": {"notAfter": 2, "serializedToken": "\#(token)"}}"#
    }

    static func denial(_ resource: String, _ code: String, action: String = "none") -> String {
        #"{"resource": "\#(resource)", "authorized": false, "source": "mvpd", "error": \#(error(code, action: action, status: 403))}"#
    }

    static func decisions(_ items: [String]) -> String { #"{"decisions": [\#(items.joined(separator: ","))]}"# }

    static let login = OpenLogin(
        code: RegistrationCode(rawValue: "K7Q2M4X"), url: "https://sp.example/activate?code=K7Q2M4X", provider: north,
        notBefore: ServerTime(milliseconds: 0), notAfter: ServerTime(milliseconds: 1_800_000))
}
