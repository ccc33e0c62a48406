// Where viewers of an app log in and come back to. Contract: rest-v1.md §6.4, rest-v2.md S1, L1.

import AccessEnabler

public struct LoginSite: Hashable, Sendable {
    /// One of the domains that the programmer has registered.
    public var domainName: String?
    /// Where a browser ends up after a login or a logout.
    public var redirectURL: String?
    /// The page a viewer types the code into.
    public var activationURL: String?

    public init(domainName: String? = nil, redirectURL: String? = nil, activationURL: String? = nil) {
        self.domainName = domainName
        self.redirectURL = redirectURL
        self.activationURL = activationURL
    }

    /// Every member told.
    struct Complete: Sendable {
        let domainName: String
        let redirectURL: String
        let activationURL: String

        /// What the app's site leaves out, the service's has; what that leaves out, the origin itself serves.
        init(_ sites: [LoginSite?], _ origin: Origin) {
            func first(_ member: KeyPath<LoginSite, String?>) -> String? {
                sites.lazy.compactMap { $0?[keyPath: member] }.first
            }
            domainName = first(\.domainName) ?? origin.host
            redirectURL = first(\.redirectURL) ?? "\(origin)/activated"
            activationURL = first(\.activationURL) ?? "\(origin)/activate"
        }

        func activation(of code: RegistrationCode) -> String { Self.page(activationURL, code) }

        static func page(_ url: String, _ code: RegistrationCode) -> String {
            url + (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "code=" + percentEncoded(code.rawValue)
        }
    }
}

/// A URL of an answer; nil for one that leads to another scheme than the web's. Contract: rest-v2.md §1.3.
func absolute(_ url: String, _ origin: String) -> String? {
    func begins(_ start: String) -> Bool { url.utf8.starts(with: start.utf8) }
    if begins("/"), !begins("//") { return origin + url }
    return begins("https://") || begins(origin + "/") ? url : nil
}
