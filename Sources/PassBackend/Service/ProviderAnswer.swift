// The configuration of a requestor at the service, and the providers in it. They have the same members in both
// protocols. Contract: rest-v1.md §6.3, rest-v2.md C1, S1.

import AccessEnabler
import PassJSON

struct RequestorConfiguration: Sendable {
    var providers: [Provider]
    /// The first domain that is registered for logins, if it has the form of a host name.
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
    /// Only the id is required.
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
    /// The providers in a list, without those that cannot be read.
    var providers: [Provider]? { array?.compactMap { try? Provider($0) } }

    /// The registered domains in the member `domains`: objects with a name, or names alone.
    var domains: [String] { self["domains"]?.array?.compactMap { $0.string ?? $0["name"]?.string } ?? [] }
}
