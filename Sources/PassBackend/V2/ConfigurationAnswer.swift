// C1. The reference's table and its sample put the providers in two places; only their ids are relied on.
// Contract: rest-v2.md C1.

import AccessEnabler

struct ConfigurationAnswer: Decodable, Sendable {
    private struct Requestor: Decodable { var mvpds: [Lenient<MVPD>]? }

    private struct MVPD: Decodable {
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
    }

    let providers: [Provider]

    private enum CodingKeys: CodingKey { case requestor, mvpds }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let inner = try container.decodeIfPresent(Requestor.self, forKey: .requestor)?.mvpds
        let outer = try container.decodeIfPresent([Lenient<MVPD>].self, forKey: .mvpds)
        guard let list = inner ?? outer else {
            throw DecodingError.dataCorruptedError(
                forKey: .mvpds, in: container, debugDescription: "there is no list of providers")
        }
        providers = list.compactMap(\.value).map { mvpd in
            var provider = Provider(
                id: ProviderID(rawValue: mvpd.id), displayName: mvpd.displayName ?? mvpd.id, logoURL: mvpd.logoUrl ?? ""
            )
            provider.isTempPass = mvpd.isTempPass ?? false
            provider.isProxy = mvpd.isProxy ?? false
            provider.loginPerRequestor = mvpd.authPerAggregator ?? false
            provider.enablePlatformServices = mvpd.enablePlatformServices ?? false
            provider.displayInPlatformPicker = mvpd.displayInPlatformPicker ?? false
            provider.enforcePlatformPermissions = mvpd.enforcePlatformPermissions ?? false
            provider.boardingStatus = mvpd.boardingStatus.flatMap(Provider.BoardingStatus.init)
            provider.platformMappingID = mvpd.platformMappingId
            provider.requiredMetadataFields = mvpd.requiredMetadataFields ?? []
            return provider
        }
    }
}

/// An item that cannot be read costs itself and not the list.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension Lenient: Sendable where Value: Sendable {}
