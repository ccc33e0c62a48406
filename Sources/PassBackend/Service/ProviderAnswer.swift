// The configuration of a requestor at the service, with its providers. The members are the same in REST V1 and REST V2.
// Contract: rest-v1.md §6.3, rest-v2.md C1, S1.

import AccessEnabler
import PassJSON

struct RequestorConfiguration: Sendable {
    var providers: [Provider]
    /// The first registered domain for logins that has the form of a host name.
    var domain: String?

    init(_ providers: [Provider], domains: [String] = []) {
        self.providers = providers
        domain = domains.first(where: Self.isHostName)
    }

    private static func isHostName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isUnreserved($0) && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "~") }
            }
    }
}

extension Provider {
    /// Reads a provider. Only its ID is required.
    init(_ json: JSONValue) throws {
        let id = try json.member("id", \.string)
        self.init(
            id: ProviderID(rawValue: id), displayName: try json.optional("displayName", \.string) ?? id,
            logoURL: try json.optional("logoUrl", \.string) ?? "")
        isTempPass = try json.optional("isTempPass", \.bool) ?? false
        isProxy = try json.optional("isProxy", \.bool) ?? false
        loginPerRequestor = try json.optional("authPerAggregator", \.bool) ?? false
        enablePlatformServices = try json.optional("enablePlatformServices", \.bool) ?? false
        displayInPlatformPicker = try json.optional("displayInPlatformPicker", \.bool) ?? false
        enforcePlatformPermissions = try json.optional("enforcePlatformPermissions", \.bool) ?? false
        boardingStatus = try json.optional("boardingStatus", \.string).flatMap(Provider.BoardingStatus.init)
        platformMappingID = try json.optional("platformMappingId", \.string)
        requiredMetadataFields = try json.optional("requiredMetadataFields", \.strings) ?? []
    }
}

extension JSONValue {
    /// The readable providers of a list.
    var providers: [Provider]? { array?.compactMap { try? Provider($0) } }

    /// The registered domains in the member `domains`. Each domain is an object with a name, or only the name.
    var domains: [String] { self["domains"]?.array?.compactMap { $0.string ?? $0["name"]?.string } ?? [] }
}
