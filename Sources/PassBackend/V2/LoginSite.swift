// Where viewers of an app log in and come back to. Contract: rest-v2.md S1, L1.

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

        func activation(of code: RegistrationCode) -> String {
            activationURL + (activationURL.contains("?") ? "&" : "?") + "code=" + percentEncoded(code.rawValue)
        }
    }
}
