// A box whose TV account has the service's name Hearth, with sample messages of both sides.

import FoundationEssentials

@testable import AccessEnabler
@testable import PassBackend

enum PartnerSample {
    static let hearth = Partner(name: "Hearth", deviceType: "hearth-box")
    static let beacon = ProviderID(rawValue: "BeaconTV")
    static let statusName = "AP-Partner-Framework-Status"

    static let granted = PartnerStatus(
        partner: hearth, permission: .granted, providerID: "beacon-11",
        expires: ServerTime(milliseconds: 1_798_156_800_000))

    static let profile = #"""
        {"profiles": {"BeaconTV": {"notBefore": 1, "notAfter": 9, "issuer": "Hearth", "type": "appleSSO",
          "attributes": {"userID": {"value": "u", "state": "plain"}}}}}
        """#

    static func text(_ base64: String?) -> String? {
        base64.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension BackendCaller {
    func with(_ status: PartnerStatus?) -> BackendCaller {
        var caller = self
        caller.partnerStatus = status
        return caller
    }
}
