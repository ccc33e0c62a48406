// The engine's port for single sign-on, as `[sign-on]` configures it. From this port, the engine gets tokens and the TV
// account. From these, the service learns facts about the box's viewer. The app's registration contains no such facts.
// Contract: rest-v2.md §3.6, §3.7, §12.3; access-enabler.md §17.2.

package import AccessEnabler

package struct BoxSignOn: PlatformSSO {
    /// The box's own TV account, and its helper program.
    package struct Platform: Sendable {
        let partner: Partner
        package let helper: PlatformHelper

        package init(partner: Partner, helper: PlatformHelper) {
            self.partner = partner
            self.helper = helper
        }
    }

    package var identity: (any TokenSource)?
    package var service: (any TokenSource)?
    package var platform: Platform?

    package init(
        identity: (any TokenSource)? = nil, service: (any TokenSource)? = nil, platform: Platform? = nil
    ) {
        self.identity = identity
        self.service = service
        self.platform = platform
    }

    package var partner: Partner? { platform?.partner }

    package func identityToken(at time: ServerTime) async -> Secret? { await identity?.token(at: time) }

    package func serviceToken(at time: ServerTime) async -> Secret? { await service?.token(at: time) }

    package func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission {
        guard let helper = platform?.helper else { return .restricted }
        return try await helper.permission(of: app, mayPrompt: mayPrompt, dialog)
    }

    package func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount {
        guard let helper = platform?.helper else { throw .unavailable("This box has no TV account.") }
        return try await helper.account(query, dialog)
    }
}
