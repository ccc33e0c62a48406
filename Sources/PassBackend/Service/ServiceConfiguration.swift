// What one backend is set up with, whatever it speaks.

import AccessEnabler

public struct ServiceConfiguration: Sendable {
    public var origin: Origin
    /// Who keeps registration codes, in REST V1; nil: the origin itself. Contract: rest-v1.md §1.
    public var codes: Origin?
    public var http: HTTPConfiguration
    public var budget: RequestBudget.Settings
    public var device: DeviceFacts
    /// Members that are nil are what the origin itself serves.
    public var site: LoginSite
    /// What single apps have instead, member by member.
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

    /// An activation page that somebody has set, and not what the origin serves by itself.
    func activationURL(of app: AppID) -> String? { sites[app]?.activationURL ?? site.activationURL }
}
