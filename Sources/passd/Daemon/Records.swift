// What the daemon writes into its log. Names are stable; a healthy idle daemon writes none of these beside its start.
// operations.md §3.

import AccessEnabler
import PassProtocol
import PassSystem
import PassWire

extension JournalEvent {
    static let started = JournalEvent(.notice, "STARTED", "passd is ready")
    static let stopped = JournalEvent(.notice, "STOPPED", "passd has stopped")
    static let reloaded = JournalEvent(.notice, "RELOADED", "the configuration was read again")
    static let reloadRefused = JournalEvent(.error, "RELOAD_REFUSED", "the new configuration is bad; the old one stays")
    static let needsRestart = JournalEvent(.warning, "NEEDS_RESTART", "a change takes effect after a restart")
    static let configurationProblem = JournalEvent(.warning, "CONFIGURATION", "something in the configuration is amiss")
    static let storeProblem = JournalEvent(.warning, "STORE", "something is amiss with the store")
    static let storeMended = JournalEvent(.notice, "STORE_MENDED", "the store takes changes again; nothing is missing")
    static let importProblem = JournalEvent(.warning, "IMPORT", "logins of an older version could not be taken over")
    static let deviceProblem = JournalEvent(.warning, "DEVICE_IDENTITY", "the identity of the box is amiss")
    static let signOnProblem = JournalEvent(.warning, "SIGN_ON", "sign-on is not available")
    static let listenerProblem = JournalEvent(.warning, "LISTENER", "clients could not be accepted")
    static let stuck = JournalEvent(
        .error, "STUCK", "a part of the daemon does not answer; without it the watchdog ends it")
    static let recovered = JournalEvent(.warning, "RECOVERED", "a part of the daemon answers again")
    static let signOnNote = JournalEvent(.info, "SIGN_ON_NOTE", "the platform helper does something unexpected")
    static let peerUnknown = JournalEvent(.info, "PEER_UNKNOWN", "a client was gone before it could be looked at")
    static let denied = JournalEvent(.warning, "DENIED", "policy refused a call")
    static let clientClosed = JournalEvent(.warning, "CLIENT_CLOSED", "a client was disconnected for what it did")
    static let loginOpened = JournalEvent(.info, "LOGIN_OPENED", "a login waits for the viewer")
    static let loginClosed = JournalEvent(.notice, "LOGIN_CLOSED", "a login ended")
    static let authentication = JournalEvent(.notice, "AUTHENTICATION", "who is logged in has changed")
    static let authorization = JournalEvent(.info, "AUTHORIZATION", "a resource was decided on")
    static let statusCode = JournalEvent(.info, "STATUS", "an app was told a status code")
}

extension Journal {
    func record(_ audit: Audit) {
        guard !audit.isAllowed else { return }
        record(
            .denied, JournalField("PEER_PID", audit.process), JournalField("PEER_UID", audit.user),
            JournalField("METHOD", audit.method), JournalField("REQUESTOR", audit.requestor ?? ""),
            JournalField("REASON", audit.rule))
    }

    @EngineActor func record(_ client: Client, ended reason: CloseReason) {
        switch reason {
        case .fault, .outputOverflow, .outputStalled, .refused:
            record(
                .clientClosed, JournalField("PEER_PID", client.process), JournalField("PEER_UID", client.facts.user),
                JournalField("REASON", reason.description))
        case .peerClosed, .failed, .requested: break
        }
    }

    func record(_ event: EngineEvent) {
        switch event {
        case .requestor: break
        case .loginOpened(let requestor, let provider, _):
            record(
                .loginOpened, JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider?.rawValue ?? ""))
        case .loginClosed(let requestor, let provider, let outcome):
            record(
                .loginClosed, JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider?.rawValue ?? ""), JournalField("OUTCOME", outcome.rawValue))
        case .authentication(let requestor, let provider, let isAuthenticated, let reason):
            record(
                .authentication, JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider?.rawValue ?? ""), JournalField("AUTHENTICATED", isAuthenticated),
                JournalField("REASON", reason?.rawValue ?? ""))
        case .authorization(let session, let requestor, let provider, let resource, let isAuthorized):
            // What people watch is nobody's business: the digest joins records of the same resource.
            record(
                .authorization, JournalField("SESSION", session), JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider.rawValue),
                JournalField("RESOURCE_HASH", String(Digest.sha256(resource.rawValue).prefix(16))),
                JournalField("AUTHORIZED", isAuthorized))
        case .store(let trouble?): record(.storeProblem, JournalField("REASON", trouble))
        case .store(nil): record(.storeMended)
        case .status(let session, let requestor, let status):
            record(
                .statusCode, JournalField("SESSION", session), JournalField("REQUESTOR", requestor?.rawValue ?? ""),
                JournalField("CODE", status.rawValue))
        }
    }
}
