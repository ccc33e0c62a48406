// The notifications that the daemon sends to a session. Contract: access-enabler.md §7.3 to §20; rpc.md §5.

public import PassJSON

public enum Callback: Sendable, Equatable {
    /// The reason why another session, an operator or the service began or ended a login.
    public enum Reason: String, Sendable, CaseIterable { case sso, logout, revoked, expired, replaced }

    case setRequestorComplete(status: Int)
    case setAuthenticationStatus(status: Int, FlowErrorCode, Reason? = nil, LoginOutcome? = nil, ViewerWords? = nil)
    case displayProviderDialog([MVPD])
    case navigateToUrl(String, useSVC: Bool? = nil)
    case status(StatusMessage)
    case setToken(String, resource: String)
    case tokenRequestFailed(
        resource: String, FlowErrorCode, description: String, EnhancedError? = nil, RefusalWords? = nil)
    case selectedProvider(GetSelectedProvider.Result)
    case preauthorizedResources([String])
    case setMetadataStatus(GetMetadata.Result)
    case sendTrackingData(TrackingEvent, [String])
    case presentTvProviderDialog(JSONObject)
    case dismissTvProviderDialog(JSONObject)
    case event(Event)

    public var name: String {
        switch self {
        case .setRequestorComplete: "setRequestorComplete"
        case .setAuthenticationStatus: "setAuthenticationStatus"
        case .displayProviderDialog: "displayProviderDialog"
        case .navigateToUrl: "navigateToUrl"
        case .status: "status"
        case .setToken: "setToken"
        case .tokenRequestFailed: "tokenRequestFailed"
        case .selectedProvider: "selectedProvider"
        case .preauthorizedResources: "preauthorizedResources"
        case .setMetadataStatus: "setMetadataStatus"
        case .sendTrackingData: "sendTrackingData"
        case .presentTvProviderDialog: "presentTvProviderDialog"
        case .dismissTvProviderDialog: "dismissTvProviderDialog"
        case .event: "event"
        }
    }

    /// The params of the notification.
    public var json: JSONValue {
        switch self {
        case .setRequestorComplete(let status): ["status": .int(status)]
        case .setAuthenticationStatus(let status, let code, let reason, let outcome, let words):
            JSONValue.members([
                "status": .int(status), "errorCode": code.json, "reason": reason.map { .string($0.rawValue) },
                "outcome": outcome.map { .string($0.kind.rawValue) },
                "cause": outcome?.cause.map { .string($0.rawValue) }, "code": outcome?.code.map(JSONValue.string),
            ]).adding((words ?? outcome?.words)?.json ?? [])
        case .displayProviderDialog(let providers): ["providers": .array(providers.map(\.json))]
        case .navigateToUrl(let url, let useSVC):
            .members(["url": .string(url), "useSVC": useSVC.map(JSONValue.bool)])
        case .status(let message): message.json
        case .setToken(let token, let resource): ["token": .string(token), "resource": .string(resource)]
        case .tokenRequestFailed(let resource, let code, let description, let error, let words):
            JSONValue.members([
                "resource": .string(resource), "errorCode": code.json, "errorDescription": .string(description),
                "error": error?.json,
            ]).adding((words ?? RefusalWords(code, error)).json)
        case .selectedProvider(let selection): selection.json
        case .preauthorizedResources(let resources): ["resources": .strings(resources)]
        case .setMetadataStatus(let answer): answer.json
        case .sendTrackingData(let event, let data): ["event": .string(event.rawValue), "data": .strings(data)]
        case .presentTvProviderDialog(let members), .dismissTvProviderDialog(let members): .object(members)
        case .event(let event): event.json
        }
    }
}

/// The events for tracking, with the names of the SDK's constants. Contract: access-enabler.md §3, §19.
public enum TrackingEvent: String, Sendable, CaseIterable {
    case authentication = "TRACKING_AUTHENTICATION"
    case authorization = "TRACKING_AUTHORIZATION"
    case getSelectedProvider = "TRACKING_GET_SELECTED_PROVIDER"
}

/// A message of the advanced status callback. Contract: access-enabler.md §20; rpc.md §5.
public struct StatusMessage: Sendable, Equatable {
    public var status: SDKStatus
    public var message: String
    /// Further members, such as `resource` or `details`.
    public var extras: JSONObject

    public init(_ status: SDKStatus, message: String? = nil, extras: JSONObject = JSONObject()) {
        self.status = status
        self.message = message ?? "\(status.meaning)."
        self.extras = extras
    }

    /// Makes the message with the code for the second screen. `code` and `url` are repeated under their names in the contract:
    /// `regcode` and `registrationURL`.
    public static func registrationCode(_ login: LoginInvitation) -> StatusMessage {
        let older = ["code": "regcode", "url": "registrationURL"]
        let members = login.members.flatMap { name, value in
            [name, older[name]].compactMap(\.self).map { ($0, value) }
        }
        return StatusMessage(.REGCODE, message: login.code, extras: JSONObject(members))
    }

    public var json: JSONValue {
        .object(
            JSONObject(
                [
                    JSONObject.Member(name: "errorId", value: .string(status.rawValue)),
                    .init(name: "level", value: .string(status.level.rawValue)),
                    .init(name: "message", value: .string(message)),
                ] + extras.members))
    }
}

/// A received callback: the name of a method, and unchecked params. rpc.md §2.
public struct Notification: Sendable, Equatable {
    public let method: String
    public let params: JSONValue

    public init(method: String, params: JSONValue) {
        self.method = method
        self.params = params
    }
}
