// A box that speaks REST V1. A table has the service's answers by method and path, in order; the last answer is
// repeated.

import PassTestKit

@testable import AccessEnabler
@testable import PassBackend

struct OldBox: Sendable {
    typealias Replies = [String: [ScriptedService.Reply]]

    let clock = BoxClock()
    /// The number of times that the service has shown that its burst does not refill.
    let oneTimeBursts = Recorder<Bool>()
    let service: ScriptedService
    let backend: V1Backend

    init(
        codes: String? = nil, site: LoginSite = .none, platform: any PlatformSSO = NoSignOn(),
        formerLogins: [ProfileKey] = [], budget: RequestBudget.Settings = .init(burst: 1000), _ replies: Replies = [:]
    ) throws {
        service = ScriptedService { request, before in
            let replies = replies["\(request.method.rawValue) \(request.url.path)"] ?? []
            return before < replies.count ? replies[before] : replies.last
        }
        let configuration = ServiceConfiguration(
            origin: try Origin("https://sp.example"), codes: try codes.map { try Origin($0) }, http: .patient,
            budget: budget,
            device: DeviceFacts(model: "LTV-200", manufacturer: "Lumen Devices", osVersion: "6.12"),
            sites: LoginSites(site))
        backend = V1Backend(
            ServiceParts(
                configuration, exchange: service, vault: MemoryVault(), clock: clock, budgetClock: clock,
                platform: platform, digest: { "digest-\($0.reveal().utf8.count)" },
                foundOneTimeBurst: { [oneTimeBursts] in oneTimeBursts.append(true) }, jitter: { 0.5 }),
            formerLogins: formerLogins)
    }

    func caller(
        app: String = "tv.app", within time: Duration = .seconds(1000), rank: CallRank = .background
    ) -> BackendCaller {
        let (app, statement) = (AppID(rawValue: app), Secret(Box.statement))
        var caller = BackendCaller(
            registration: backend.registration(of: app, statement: statement),
            softwareStatement: statement, requestor: RequestorID(rawValue: "LUMENTV"),
            device: DeviceID(rawValue: "abc"), deadline: clock.boot.advanced(by: time))
        caller.urgency = Urgency(rank)
        caller.owner = .box(for: app)
        return caller
    }

    /// Methods and targets of the calls, without those of registration.
    var calls: [String] { service.calls.map { "\($0.method.rawValue) \($0.url.target)" } }

    func run<Value: Sendable>(
        _ work: @escaping @Sendable (V1Backend, BackendCaller) async throws -> Value
    ) async throws
        -> Value
    {
        let caller = caller()
        return try await clock.run { try await work(backend, caller) }
    }

    func fault<Value: Sendable>(
        _ work: @escaping @Sendable (V1Backend, BackendCaller) async throws -> Value
    ) async throws -> BackendFault.Kind? {
        do {
            _ = try await run(work)
            return nil
        } catch let fault as BackendFault { return fault.kind }
    }
}

/// Answers from the contract. rest-v1.md §4, §6.
enum OldSample {
    static let authnPath = "GET /api/v1/tokens/authn"
    static let metadataPath = "GET /api/v1/tokens/usermetadata"
    static let configurationPath = "GET /api/v1/config/LUMENTV"
    static let codePath = "POST /reggie/v1/LUMENTV/regcode"

    static let throttled = ScriptedService.Reply.answer(429, "<html><body>Too many requests</body></html>")

    static func basic(_ status: Int, details: String? = nil) -> ScriptedService.Reply {
        let details = details.map { "\"\($0)\"" } ?? "null"
        return .answer(status, #"{"status": \#(status), "message": "text", "details": \#(details)}"#)
    }

    static func enhanced(_ status: Int, _ code: String, _ action: String = "none") -> ScriptedService.Reply {
        .answer(
            status,
            #"{"status": \#(status), "code": "\#(code)", "action": "\#(action)", "message": "m", "trace": "t-1"}"#)
    }

    static func token(_ provider: String = "NorthCable", expires: String = "1896048000000") -> String {
        #"{"requestor": "LUMENTV", "mvpd": "\#(provider)", "userId": "u-8841", "expires": "\#(expires)"}"#
    }

    static let metadata = #"""
        {"updated": 1893456000, "encrypted": ["zip"],
         "data": {"userID": "u-8841", "zip": "Q2lwaGVy", "maxRating": {"MPAA": "PG-13"}, "channelID": ["NEWS24"]}}
        """#

    static let configuration = #"""
        {"requestor": {"id": "LUMENTV", "mvpds": [
           {"id": "NorthCable", "displayName": "North Cable", "logoUrl": "https://img.example/n.png"},
           {"id": "LumenPass", "displayName": "Free preview", "logoUrl": "", "isTempPass": true}]}}
        """#

    static let code = #"""
        {"id": "3c1f", "code": "7KQ2MZP", "requestor": "LUMENTV", "generated": 1893456000000, "expires": 1893457800000,
         "info": {"deviceId": "YWJj", "registrationURL": "https://login.example/activate"}}
        """#

    static let permit =
        #"{"mvpd": "NorthCable", "resource": "film", "requestor": "LUMENTV", "expires": "1893477600000"}"#

    static func media(_ token: String) -> String {
        #"{"resource": "film", "requestor": "LUMENTV", "expires": "1893456420000", "mvpdId": "NorthCable", "#
            + #""serializedToken": "\#(token)"}"#
    }

    static let loggedIn: OldBox.Replies = [
        authnPath: [.answer(200, token())], metadataPath: [.answer(200, metadata)],
        configurationPath: [.answer(200, configuration)],
    ]
}
