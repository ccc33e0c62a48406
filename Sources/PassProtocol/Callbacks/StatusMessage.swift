// A message of the advanced status callback. Contract: access-enabler.md §20; rpc.md §5.

public import PassJSON

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

    /// The code for the second screen. `regcode` and `registrationURL` are the contract's names for `code` and `url`.
    public static func registrationCode(
        _ code: String, link: String? = nil, url: String?, expires: Int64?, qr: QRPicture? = nil
    ) -> StatusMessage {
        var extras = JSONObject([("code", .string(code)), ("regcode", .string(code))])
        if let link { extras.append("link", .string(link)) }
        if let url { for name in ["url", "registrationURL"] { extras.append(name, .string(url)) } }
        if let expires { extras.append("expires", .int(expires)) }
        if let qr { extras.append("qr", qr.json) }
        return StatusMessage(.REGCODE, message: code, extras: extras)
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
