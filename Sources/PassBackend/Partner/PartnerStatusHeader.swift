// `AP-Partner-Framework-Status`: what the platform says of its TV account. Both parents are there even where there is
// nothing to say. Contract: rest-v2.md §3.8.

import AccessEnabler
import FoundationEssentials

struct PartnerStatusHeader: Encodable {
    private struct Permission: Encodable { var accessStatus: String }

    private struct Provider: Encodable {
        var id: String?
        var expirationDate: String?
    }

    private let frameworkPermissionInfo: Permission
    private let frameworkProviderInfo: Provider

    init(_ status: PartnerStatus) {
        frameworkPermissionInfo = Permission(accessStatus: status.permission.rawValue)
        frameworkProviderInfo = Provider(
            id: status.providerID, expirationDate: status.expires.map { String($0.milliseconds) })
    }

    /// Base64 of the JSON object, once.
    var value: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return (try? encoder.encode(self))?.base64EncodedString()
    }
}
