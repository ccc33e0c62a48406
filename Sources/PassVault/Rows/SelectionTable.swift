// The provider that each requestor's viewers have selected. Contract: access-enabler.md §4, §12.

import AccessEnabler

enum SelectionTable: Relation {
    static let table = "selection"
    static let keyColumns = ["requestor"]
    static let columns: [Column] = [.plain("can_authenticate"), .sealed("provider")]

    static func texts(of key: RequestorID) -> [String] { [key.rawValue] }
    static func key(_ texts: [String]) -> RequestorID { RequestorID(rawValue: texts[0]) }

    static func fields(of selection: Selection) throws(RowProblem) -> [SQLValue] {
        [
            .flag(selection.canAuthenticate),
            try .json(ProviderRecord(selection.provider), table: table, column: "provider"),
        ]
    }

    static func value(_ fields: inout FieldReader) throws(RowProblem) -> Selection {
        let canAuthenticate = try fields.flag()
        return Selection(
            provider: try fields.json(ProviderRecord.self).provider, canAuthenticate: canAuthenticate)
    }

    static func all(in contents: VaultContents) -> [RequestorID: Selection] { contents.selections }

    static func put(_ key: RequestorID, _ value: Selection?, in contents: inout VaultContents) {
        contents.selections[key] = value
    }
}

/// The form of a provider on disk. A flag that an older version did not write is off.
private struct ProviderRecord: Codable {
    var id: String
    var displayName: String
    var logoURL: String
    var isTempPass: Bool?
    var isProxy: Bool?
    var loginPerRequestor: Bool?
    var enablePlatformServices: Bool?
    var displayInPlatformPicker: Bool?
    var enforcePlatformPermissions: Bool?
    var boardingStatus: Provider.BoardingStatus?
    var platformMappingID: String?

    init(_ provider: Provider) {
        id = provider.id.rawValue
        displayName = provider.displayName
        logoURL = provider.logoURL
        isTempPass = provider.isTempPass
        isProxy = provider.isProxy
        loginPerRequestor = provider.loginPerRequestor
        enablePlatformServices = provider.enablePlatformServices
        displayInPlatformPicker = provider.displayInPlatformPicker
        enforcePlatformPermissions = provider.enforcePlatformPermissions
        boardingStatus = provider.boardingStatus
        platformMappingID = provider.platformMappingID
    }

    var provider: Provider {
        var provider = Provider(id: ProviderID(rawValue: id), displayName: displayName, logoURL: logoURL)
        provider.isTempPass = isTempPass ?? false
        provider.isProxy = isProxy ?? false
        provider.loginPerRequestor = loginPerRequestor ?? false
        provider.enablePlatformServices = enablePlatformServices ?? false
        provider.displayInPlatformPicker = displayInPlatformPicker ?? false
        provider.enforcePlatformPermissions = enforcePlatformPermissions ?? false
        provider.boardingStatus = boardingStatus
        provider.platformMappingID = platformMappingID
        return provider
    }
}
