// The headers of REST V2. Contract: rest-v2.md §3.

import AccessEnabler
import PassJSON

/// The headers that all calls of a device share. Both device headers are always sent, but no header that is missing in
/// the reference. Contract: rest-v2.md §3.1.
struct CallHeaders: Sendable {
    var accessToken: Secret
    var device: DeviceID
    /// A JSON object, encoded once as Base64. Contract: rest-v2.md §3.4.
    var deviceInfo: String
    var visitorID: String?
    var platformIdentity: Secret?
    var serviceToken: Secret?
    /// The promotional identity, as Base64. Contract: rest-v2.md §3.9.
    var temporaryIdentity: String?
    /// The state of the platform's TV account, as Base64. Contract: rest-v2.md §3.8.
    var partnerStatus: String?

    enum Extra { case none, signOn, signOnAndTemporary, temporary }

    /// Sign-on headers are sent only where the reference has them.
    func headers(
        _ extra: Extra, contentType: String? = nil, withPartner: Bool = false
    ) -> [ServiceCall.Header] {
        var headers: [ServiceCall.Header] = [
            .init(name: "Authorization", value: "Bearer \(accessToken.reveal())"),
            .init(name: "AP-Device-Identifier", value: "fingerprint \(device.rawValue.utf8.base64)"),
            .init(name: "X-Device-Info", value: deviceInfo), .init(name: "Accept", value: "application/json"),
        ]
        if let contentType { headers.append(.init(name: "Content-Type", value: contentType)) }
        if let visitorID { headers.append(.init(name: "AP-Visitor-Identifier", value: visitorID)) }
        if extra == .signOn || extra == .signOnAndTemporary {
            if let platformIdentity {
                headers.append(.init(name: "Adobe-Subject-Token", value: platformIdentity.reveal()))
            }
            if let serviceToken { headers.append(.init(name: "AD-Service-Token", value: serviceToken.reveal())) }
        }
        if extra == .temporary || extra == .signOnAndTemporary, let temporaryIdentity {
            headers.append(.init(name: "AP-TempPass-Identity", value: temporaryIdentity))
        }
        if withPartner, let partnerStatus {
            headers.append(.init(name: "AP-Partner-Framework-Status", value: partnerStatus))
        }
        return headers
    }
}
