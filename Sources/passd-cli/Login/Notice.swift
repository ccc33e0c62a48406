// What a callback means for a login.

import PassClient
import PassJSON
import PassProtocol
import PassWire

enum Notice: Sendable, Equatable {
    case signedIn
    /// The login has ended otherwise.
    case ended(LoginOutcome.Kind, FlowErrorCode)
    case invitation(LoginInvitation)
    case providers([MVPD])
    case told(String)
    case nothing

    init(_ callback: Client.Callback) {
        let params = callback.params
        switch callback.method {
        case "setAuthenticationStatus": self = Self.status(params)
        case "status": self = Self.advanced(params)
        case "displayProviderDialog": self = .providers(MVPD.list(reading: params))
        default: self = .nothing
        }
    }

    private static func status(_ params: JSONValue) -> Notice {
        // Without an outcome it tells of something else, such as a logout of another app.
        guard let outcome = params["outcome"]?.string else { return .nothing }
        if outcome == LoginOutcome.Kind.authenticated.rawValue { return .signedIn }
        let code = params["errorCode"]?.string.flatMap(FlowErrorCode.init(rawValue:))
        return .ended(LoginOutcome.Kind(rawValue: outcome) ?? .failed, code ?? .genericAuthentication)
    }

    private static func advanced(_ params: JSONValue) -> Notice {
        let status = SDKStatus(rawValue: params["errorId"]?.string ?? "")
        switch status {
        case .REGCODE: return LoginInvitation(reading: params).map(Notice.invitation) ?? .nothing
        // The outcome tells the same.
        case .N130, .N005: return .nothing
        default: return params["message"]?.string.map(Notice.told) ?? .nothing
        }
    }
}
