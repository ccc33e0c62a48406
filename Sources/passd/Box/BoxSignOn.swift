// What the box says about its viewer beside the app's own registration, as `[sign-on]` configures it.
// Contract: rest-v2.md §3.6, §3.7, §12.3; access-enabler.md §17.2.

import AccessEnabler

struct BoxSignOn: PlatformSSO {
    /// The box's own TV account, and who speaks for it.
    struct Platform: Sendable {
        let partner: Partner
        let helper: PlatformHelper
    }

    var identity: (any TokenSource)?
    var service: (any TokenSource)?
    var platform: Platform?

    var partner: Partner? { platform?.partner }

    func identityToken(at time: ServerTime) async -> Secret? { await identity?.token(at: time) }

    func serviceToken(at time: ServerTime) async -> Secret? { await service?.token(at: time) }

    func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission {
        guard let helper = platform?.helper else { return .restricted }
        return try await helper.permission(of: app, mayPrompt: mayPrompt, dialog)
    }

    func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount {
        guard let helper = platform?.helper else { throw .unavailable("This box has no TV account.") }
        return try await helper.account(query, dialog)
    }
}
