// The header `AP-Partner-Framework-Status` with the status of the platform's TV account. Both top-level objects are
// always present, even if they are empty. Contract: rest-v2.md §3.8.

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

    /// The JSON object in Base64, which is not encoded again.
    var value: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return (try? encoder.encode(self))?.base64EncodedString()
    }
}
