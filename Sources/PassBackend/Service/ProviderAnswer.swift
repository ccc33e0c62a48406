// A provider in an answer. Both protocols use the same members; only the ID is required.
// Contract: rest-v1.md §6.3, rest-v2.md C1.

import AccessEnabler

struct ProviderAnswer: Decodable, Sendable {
    var id: String
    var displayName: String?
    var logoUrl: String?
    var isTempPass: Bool?
    var isProxy: Bool?
    var authPerAggregator: Bool?
    var enablePlatformServices: Bool?
    var displayInPlatformPicker: Bool?
    var enforcePlatformPermissions: Bool?
    var boardingStatus: String?
    var platformMappingId: String?
    var requiredMetadataFields: [String]?

    var provider: Provider {
        var provider = Provider(id: ProviderID(rawValue: id), displayName: displayName ?? id, logoURL: logoUrl ?? "")
        provider.isTempPass = isTempPass ?? false
        provider.isProxy = isProxy ?? false
        provider.loginPerRequestor = authPerAggregator ?? false
        provider.enablePlatformServices = enablePlatformServices ?? false
        provider.displayInPlatformPicker = displayInPlatformPicker ?? false
        provider.enforcePlatformPermissions = enforcePlatformPermissions ?? false
        provider.boardingStatus = boardingStatus.flatMap(Provider.BoardingStatus.init)
        provider.platformMappingID = platformMappingId
        provider.requiredMetadataFields = requiredMetadataFields ?? []
        return provider
    }
}
