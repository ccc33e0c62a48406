// The pages where viewers of an app log in and to which they return. Contract: rest-v1.md §6.4, rest-v2.md S1, L1.

import AccessEnabler

public struct LoginSite: Hashable, Sendable {
    /// One of the domains that the programmer has registered.
    public var domainName: String?
    /// Where the browser goes after a login or logout.
    public var redirectURL: String?
    /// The page on which viewers type the code.
    public var activationURL: String?

    public init(domainName: String? = nil, redirectURL: String? = nil, activationURL: String? = nil) {
        self.domainName = domainName
        self.redirectURL = redirectURL
        self.activationURL = activationURL
    }

    /// A site with all members set.
    struct Complete: Sendable {
        let domainName: String
        let redirectURL: String
        let activationURL: String

        /// Takes each member from the first site that has it, otherwise what the origin itself serves.
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

/// Makes a URL of an answer absolute; nil if it is neither HTTPS nor at the origin. Contract: rest-v2.md §1.3.
func absolute(_ url: String, _ origin: String) -> String? {
    func begins(_ start: String) -> Bool { url.utf8.starts(with: start.utf8) }
    if begins("/"), !begins("//") { return origin + url }
    return begins("https://") || begins(origin + "/") ? url : nil
}
