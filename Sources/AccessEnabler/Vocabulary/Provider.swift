// A provider as the service's configuration describes it. Contract: access-enabler.md §8, rest-v2.md C1.

public struct Provider: Hashable, Codable, Sendable {
    public enum BoardingStatus: String, Codable, Sendable { case supported = "SUPPORTED", picker = "PICKER" }

    public var id: ProviderID
    public var displayName: String
    public var logoURL: String
    public var isTempPass = false
    public var isProxy = false
    /// The provider requires a separate login for each requestor.
    public var loginPerRequestor = false
    public var enablePlatformServices = false
    public var displayInPlatformPicker = false
    public var enforcePlatformPermissions = false
    public var boardingStatus: BoardingStatus?
    /// The platform's own name for the provider.
    public var platformMappingID: String?
    /// The user attributes that the service asks the platform for.
    public var requiredMetadataFields: [String] = []

    public init(id: ProviderID, displayName: String, logoURL: String) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
    }
}
