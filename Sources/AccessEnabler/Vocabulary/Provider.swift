// A provider as the service's configuration describes it, and a requestor's selection of a provider. Contract:
// access-enabler.md §4, §8, §12; rest-v2.md C1.

public struct Provider: Hashable, Codable, Sendable {
    /// `supported`: the platform handles logins with the provider. `picker`: the platform's picker shows the provider, but the
    /// platform does not handle the logins.
    public enum BoardingStatus: String, Codable, Sendable { case supported = "SUPPORTED", picker = "PICKER" }

    public var id: ProviderID
    public var displayName: String
    public var logoURL: String
    public var isTempPass = false
    public var isProxy = false
    /// Whether the provider requires a separate login for each requestor.
    public var loginPerRequestor = false
    /// Whether the provider may be used with the platform's TV account.
    public var enablePlatformServices = false
    public var displayInPlatformPicker = false
    public var enforcePlatformPermissions = false
    public var boardingStatus: BoardingStatus?
    /// The platform's own name for the provider.
    public var platformMappingID: String?
    /// The viewer's attributes that the service requests from the platform.
    public var requiredMetadataFields: [String] = []

    public init(id: ProviderID, displayName: String, logoURL: String) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
    }
}

/// The provider that a requestor's viewers use. All sessions of the requestor share it. Contract: access-enabler.md §4,
/// §12.
public struct Selection: Hashable, Codable, Sendable {
    public var provider: Provider
    /// Whether the last login with the provider succeeded and there was no logout after it.
    public var canAuthenticate: Bool

    public init(provider: Provider, canAuthenticate: Bool) {
        self.provider = provider
        self.canAuthenticate = canAuthenticate
    }
}

extension Provider {
    /// The exceeded limit, in words; nil if there is none.
    public var excess: String? {
        // 300 bytes are for the names of all members.
        let size = [id.rawValue, displayName, logoURL, platformMappingID ?? ""].reduce(300) { $0 + $1.jsonSize }
        return ValueLimits.excess("the description of a provider takes up", size)
    }
}
