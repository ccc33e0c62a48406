// The settings of one backend, for either protocol.

import AccessEnabler

public struct ServiceConfiguration: Sendable {
    public var origin: Origin
    /// The server that keeps registration codes in REST V1; nil means the origin itself. Contract: rest-v1.md §1.
    public var codes: Origin?
    public var http: HTTPConfiguration
    public var budget: RequestBudget.Settings
    public var device: DeviceFacts
    public var sites: LoginSites

    public init(
        origin: Origin, codes: Origin? = nil, http: HTTPConfiguration, budget: RequestBudget.Settings = .init(),
        device: DeviceFacts, sites: LoginSites = LoginSites()
    ) {
        self.origin = origin
        self.codes = codes
        self.http = http
        self.budget = budget
        self.device = device
        self.sites = sites
    }

    func site(of app: AppID) -> LoginSite { sites.site(of: app) }
}
