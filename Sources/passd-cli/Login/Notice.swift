// What a callback means for a login.

import PassClient
import PassJSON
import PassProtocol

enum Notice: Sendable, Equatable {
    case signedIn
    case ended(FlowErrorCode)
    /// The code has expired. The end of the login follows as another callback.
    case expired
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
        if params["status"]?.int64 == 1 { return .signedIn }
        // A logout of another app does not end this login.
        if params["reason"] != nil { return .nothing }
        let code = params["errorCode"]?.string.flatMap(FlowErrorCode.init(rawValue:))
        return .ended(code ?? .genericAuthentication)
    }

    private static func advanced(_ params: JSONValue) -> Notice {
        let status = SDKStatus(rawValue: params["errorId"]?.string ?? "")
        switch status {
        case .REGCODE: return LoginInvitation(reading: params).map(Notice.invitation) ?? .nothing
        case .N130: return .expired
        // Repeats the cancellation, which has been reported already.
        case .N005: return .nothing
        default: return params["message"]?.string.map(Notice.told) ?? .nothing
        }
    }
}
