// The configuration of one backend, for either protocol.

import AccessEnabler

public struct ServiceConfiguration: Sendable {
    public var origin: Origin
    /// The origin of registration codes in REST V1; nil means `origin`. Contract: rest-v1.md §1.
    public var codes: Origin?
    public var http: HTTPConfiguration
    public var budget: RequestBudget.Settings
    public var device: DeviceFacts
    /// The default site. Where a member is nil, what the origin serves is used.
    public var site: LoginSite
    /// Sites of single apps; each member that is set overrides `site`.
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

    /// The configured activation page; nil if only the origin's own page is left.
    func activationURL(of app: AppID) -> String? { sites[app]?.activationURL ?? site.activationURL }
}
