// What one backend is set up with.

import AccessEnabler

extension V2Backend {
    public struct Configuration: Sendable {
        public var origin: Origin
        public var http: HTTPConfiguration
        public var budget: RequestBudget.Settings
        public var device: DeviceFacts
        /// Members that are nil are what the origin itself serves.
        public var site: LoginSite
        /// What single apps have instead, member by member.
        public var sites: [AppID: LoginSite]

        public init(
            origin: Origin, http: HTTPConfiguration, budget: RequestBudget.Settings = .init(), device: DeviceFacts,
            site: LoginSite = LoginSite(), sites: [AppID: LoginSite] = [:]
        ) {
            self.origin = origin
            self.http = http
            self.budget = budget
            self.device = device
            self.site = site
            self.sites = sites
        }

        func site(of app: AppID) -> LoginSite.Complete { LoginSite.Complete([sites[app], site], origin) }
    }
}
