// The headers of REST V2. Contract: rest-v2.md §3.

import AccessEnabler
import FoundationEssentials

/// The headers that a device sends with every call, in addition to the call's own. Contract: rest-v2.md §3.1: both
/// device headers always, and no header that the reference does not have.
struct CallHeaders: Sendable {
    var accessToken: Secret
    var device: DeviceID
    /// A JSON object in Base64, which is not encoded again. Contract: rest-v2.md §3.4.
    var deviceInfo: String
    var visitorID: String?
    var platformIdentity: Secret?
    var serviceToken: Secret?
    /// The identity for a promotional pass in Base64. Contract: rest-v2.md §3.9.
    var temporaryIdentity: String?
    /// The status of the platform's TV account in Base64. Contract: rest-v2.md §3.8.
    var partnerStatus: String?

    enum Extra { case none, signOn, signOnAndTemporary, temporary }

    /// Sign-on headers are sent only with the calls for which the reference has them.
    func headers(
        _ extra: Extra, contentType: String? = nil, withPartner: Bool = false
    ) -> [ServiceCall.Header] {
        var headers: [ServiceCall.Header] = [
            .init(name: "Authorization", value: "Bearer \(accessToken.reveal())"),
            .init(
                name: "AP-Device-Identifier", value: "fingerprint \(Data(device.rawValue.utf8).base64EncodedString())"),
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
