// The settings of one backend, for either protocol.

import AccessEnabler

public struct ServiceConfiguration: Sendable {
    public var origin: Origin
    /// The server that keeps registration codes in REST V1; nil means the origin itself. Contract: rest-v1.md §1.
    public var codes: Origin?
    public var http: HTTPConfiguration
    public var budget: RequestBudget.Settings
    public var device: DeviceFacts
    /// For members that are nil, the pages that the origin itself serves are used.
    public var site: LoginSite
    /// The sites of single apps; each member overrides that of `site`.
    public var sites: [AppID: LoginSite]

    public init(
        origin: Origin, codes: Origin? = nil, http: HTTPConfiguration, budget: RequestBudget.Settings = .init(),
        device: DeviceFacts, site: LoginSite = LoginSite(), sites: [AppID: LoginSite] = [:]
    ) {
        self.origin = origin
        self.codes = codes
        self.http = http
        self.budget = budget
        self.device = device
        self.site = site
        self.sites = sites
    }

    func site(of app: AppID) -> LoginSite.Complete { LoginSite.Complete([sites[app], site], origin) }

    /// The activation page that the configuration sets; nil if only the origin's own is left.
    func activationURL(of app: AppID) -> String? { sites[app]?.activationURL ?? site.activationURL }
}
