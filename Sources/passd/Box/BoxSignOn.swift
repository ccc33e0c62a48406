// What the box says about its viewer beside the app's own registration, as `[sign-on]` configures it.
// Contract: rest-v2.md §3.6, §3.7.

import AccessEnabler

struct BoxSignOn: PlatformSSO {
    var identity: (any TokenSource)?
    var service: (any TokenSource)?

    func identityToken(at time: ServerTime) async -> Secret? { await identity?.token(at: time) }

    func serviceToken(at time: ServerTime) async -> Secret? { await service?.token(at: time) }
}
