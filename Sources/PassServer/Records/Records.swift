// The journal's records: the events that the daemon declares, and how they are filled in. The names of events are stable. A
// healthy daemon that is idle writes none of them after its start. operations.md §3.

import AccessEnabler
import PassProtocol
package import PassSystem
import PassWire

extension JournalEvent {
    /// The max number of records of one kind in a minute, for decisions and logins. Several apps may ask for whole menus,
    /// and still there is a limit, because any app may ask without end.
    private static let decisions = 300
    /// The same limit for details, which are recorded only while an operator searches for a fault.
    private static let details = 3000

    package static let started = JournalEvent(.notice, name: "STARTED", message: "passd is ready")
    package static let stopped = JournalEvent(.notice, name: "STOPPED", message: "passd has stopped")
    package static let reloaded = JournalEvent(.notice, name: "RELOADED", message: "the configuration was read again")
    package static let reloadRefused = JournalEvent(
        .error, name: "RELOAD_REFUSED", message: "the new configuration has errors; the old one stays in force",
        catalogID: "842a771c565e7cca65cb174afb02b74c")
    package static let needsRestart = JournalEvent(
        .warning, name: "NEEDS_RESTART", message: "a change takes effect after a restart",
        catalogID: "d45e64abe070bc0382703ea784b04b5d")
    package static let configurationProblem = JournalEvent(
        .warning, name: "CONFIGURATION", message: "there is a problem in the configuration",
        catalogID: "33414575f1706ec90d672b1b1590ca2d")
    package static let storeProblem = JournalEvent(
        .warning, name: "STORE", message: "there is a problem with the store",
        catalogID: "6f5adde3bdb95f12d0a304b640a8f028")
    package static let storeRestored = JournalEvent(
        .warning, name: "STORE_TAKEN_BACK", message: "the store that was set aside is in use again",
        catalogID: "6ff3aafa54d7ac218889cb1ad71d582d")
    static let storeExported = JournalEvent(
        .notice, name: "STORE_EXPORTED", message: "a sealed backup of the store was given out")
    static let storeImported = JournalEvent(
        .notice, name: "STORE_IMPORTED", message: "a backup has replaced the store; passd restarts with it")
    package static let storeMended = JournalEvent(
        .notice, name: "STORE_MENDED", message: "the store can be written again; nothing is lost")
    package static let importProblem = JournalEvent(
        .warning, name: "IMPORT", message: "logins of an older version could not be imported",
        catalogID: "9c6ffda3ae10577ae435338202fa4607")
    package static let deviceProblem = JournalEvent(
        .warning, name: "DEVICE_IDENTITY", message: "there is a problem with the identity of the box",
        catalogID: "51e75351d0ed9fe6fb9ca421516b809a")
    package static let signOnProblem = JournalEvent(
        .warning, name: "SIGN_ON", message: "single sign-on is not available",
        catalogID: "4a3b76c32456ccd2a10f419d146447b8")
    package static let listenerProblem = JournalEvent(
        .warning, name: "LISTENER", message: "clients could not be accepted",
        catalogID: "0a9c78a61bbc9be425580f1ee9c0e20d")
    package static let stuck = JournalEvent(
        .error, name: "STUCK",
        message: "a part of the daemon does not answer; if this continues, systemd restarts the daemon",
        catalogID: "97db2cff10f63c51def1f693bc148d43")
    /// The record of a crash. The signal handler writes it, so its message repeats its fields.
    package static let crashed = JournalEvent(
        .error, name: "CRASHED", message: "the daemon crashed", catalogID: "c3851dbb8e1748679c2169a30f3a520c")
    package static let recovered = JournalEvent(
        .warning, name: "RECOVERED", message: "a part of the daemon responds again",
        catalogID: "217c6113ad8747382eb9eb9cd319f07c")
    package static let signOnNote = JournalEvent(
        .info, name: "SIGN_ON_NOTE", message: "the platform helper did something unexpected")
    static let peerUnknown = JournalEvent(
        .info, name: "PEER_UNKNOWN", message: "a client disconnected before it could be identified")
    static let denied = JournalEvent(
        .warning, name: "DENIED", message: "policy denied a call", catalogID: "12d9e5a846914864c449cd7f3c9cef3d",
        maxPerMinute: decisions)
    static let answered = JournalEvent(.debug, name: "ANSWERED", message: "a call was answered", maxPerMinute: details)
    static let clientClosed = JournalEvent(
        .warning, name: "CLIENT_CLOSED", message: "a client was disconnected",
        catalogID: "7fb622a3a40be669d00b1791c30e76de")
    static let loginOpened = JournalEvent(
        .info, name: "LOGIN_OPENED", message: "a login is waiting for the viewer", maxPerMinute: decisions)
    static let loginClosed = JournalEvent(
        .notice, name: "LOGIN_CLOSED", message: "a login is no longer waiting for the viewer",
        maxPerMinute: decisions)
    static let requestorFailed = JournalEvent(
        .notice, name: "REQUESTOR_FAILED", message: "an app could not start with its requestor", maxPerMinute: decisions
    )
    static let logoutRefused = JournalEvent(
        .warning, name: "LOGOUT_REFUSED", message: "the service refuses to end a login that has ended here",
        catalogID: "f620676ab65740ea911dd37a6d9f78fb", maxPerMinute: decisions)
    static let authentication = JournalEvent(
        .notice, name: "AUTHENTICATION", message: "the login state has changed", maxPerMinute: decisions)
    static let authorization = JournalEvent(
        .notice, name: "AUTHORIZATION", message: "a resource was authorized or refused", maxPerMinute: decisions)
    static let preauthorization = JournalEvent(
        .notice, name: "PREAUTHORIZATION", message: "an app was told which resources would be permitted",
        maxPerMinute: decisions)
    static let statusCode = JournalEvent(.info, name: "STATUS", message: "an app was told a status code")
    static let backendAsked = JournalEvent(
        .debug, name: "BACKEND_ASKED", message: "the service was asked", maxPerMinute: details)
    package static let requestSent = JournalEvent(
        .debug, name: "REQUEST_SENT", message: "a request was sent to the service", maxPerMinute: details)
    package static let oneTimeBurst = JournalEvent(
        .warning, name: "BURST", message: "the burst of the service does not refill",
        catalogID: "c5e74e9317b167119d334cfaa54d0293")
    static let backendRefused = JournalEvent(
        .info, name: "BACKEND_REFUSED", message: "the service refused a request")
    static let backendTrouble = JournalEvent(
        .warning, name: "BACKEND", message: "the service did not answer properly",
        catalogID: "fa99a6805a9d53f5d09a128af48cfebc")

    static let all: [JournalEvent] = [
        .started, .stopped, .crashed, .reloaded, .reloadRefused, .needsRestart, .configurationProblem, .storeProblem,
        .storeRestored, .storeExported, .storeImported, .storeMended, .importProblem, .deviceProblem, .signOnProblem,
        .listenerProblem,
        .stuck,
        .recovered, .signOnNote,
        .peerUnknown, .denied, .answered, .clientClosed, .loginOpened, .loginClosed, .requestorFailed, .logoutRefused,
        .authentication,
        .authorization,
        .preauthorization, .statusCode, .backendAsked, .requestSent, .oneTimeBurst, .backendRefused, .backendTrouble,
    ]
}

extension Journal {
    func record(_ audit: Audit) {
        guard !audit.isAllowed else { return }
        record(
            .denied,
            [JournalField("REQUEST", audit.request)] + audit.peer + [
                JournalField("METHOD", audit.method), JournalField("REQUESTOR", audit.requestor ?? ""),
                JournalField("REASON", audit.rule),
            ])
    }

    /// Records an operator's change of the store, with the operator as the kernel reports them.
    @EngineActor func record(_ event: JournalEvent, logins: Int, by client: ConnectedClient) {
        record(
            event,
            [JournalField("LOGINS", logins)] + client.journalFields + (CallMark.current?.fields ?? []))
    }

    func record(_ mark: CallMark, _ outcome: Result<CallResult, RPCError>) {
        guard keeps(.answered) else { return }
        let name = if case .failure(let error) = outcome { error.name.text } else { "ok" }
        record(.answered, mark.fields + [JournalField("OUTCOME", name)])
    }

    @EngineActor func record(_ client: ConnectedClient, ended reason: CloseReason) {
        switch reason {
        case .fault, .outputOverflow, .outputStalled, .memoryExhausted, .refused:
            record(.clientClosed, client.journalFields + [JournalField("REASON", reason.description)])
        case .peerClosed, .failed, .requested: break
        }
    }

    /// Records an event. `about` has the fields that identify the client.
    func record(_ event: EngineEvent, about: [JournalField] = [], _ marks: ResourceMarks) {
        switch event {
        // The record of the question to the service covers these events.
        case .requestor, .loginFailed: break
        case .requestorFailed(let session, let requestor, let cause):
            // If a box has no service, the status shows it, and no record is needed.
            guard cause.code != "no-service" else { return }
            record(
                .requestorFailed,
                [JournalField("SESSION", session), JournalField("REQUESTOR", requestor.rawValue)]
                    + Self.fields(cause) + about)
        case .loginOpened(let requestor, let provider, _):
            record(
                .loginOpened, JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider?.rawValue ?? ""))
        case .loginClosed(let requestor, let provider, let outcome):
            record(
                .loginClosed, JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider?.rawValue ?? ""), JournalField("OUTCOME", outcome.rawValue))
        case .logoutRefused(let requestor, let provider, let cause):
            record(
                .logoutRefused,
                [JournalField("REQUESTOR", requestor.rawValue), JournalField("PROVIDER", provider.rawValue)]
                    + Self.fields(cause))
        case .signedIn(let requestor, let provider, let reason):
            record(
                .authentication, JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider.rawValue), JournalField("AUTHENTICATED", true),
                JournalField("REASON", reason?.rawValue ?? ""))
        case .signedOut(let requestor, let provider, let cause, let by):
            record(
                .authentication, JournalField("REQUESTOR", requestor.rawValue),
                JournalField("PROVIDER", provider.rawValue), JournalField("AUTHENTICATED", false),
                JournalField("REASON", cause.rawValue), JournalField("BY", by ?? ""))
        case .authorization(let session, let requestor, let provider, let resource, let verdict, let cause):
            record(
                .authorization,
                [
                    JournalField("SESSION", session), JournalField("REQUESTOR", requestor.rawValue),
                    JournalField("PROVIDER", provider?.rawValue ?? ""),
                    JournalField("RESOURCE_HASH", marks.mark(of: resource)),
                    JournalField("AUTHORIZED", verdict == .permitted), JournalField("OUTCOME", verdict.rawValue),
                ] + Self.fields(cause) + about)
        case .preauthorization(let session, let requestor, let provider, let hints):
            record(
                .preauthorization,
                [
                    JournalField("SESSION", session), JournalField("REQUESTOR", requestor.rawValue),
                    JournalField("PROVIDER", provider.rawValue),
                ] + Self.fields(hints, marks) + about)
        case .store(let trouble?): record(.storeProblem, JournalField("REASON", trouble))
        case .store(nil): record(.storeMended)
        case .status(let session, let requestor, let status):
            record(
                .statusCode, JournalField("SESSION", session), JournalField("REQUESTOR", requestor?.rawValue ?? ""),
                JournalField("CODE", status.rawValue))
        }
    }

    /// The number of resources with each outcome, and their marks. Of a very long menu, only the first ones are included.
    private static func fields(_ hints: [EngineEvent.Hint], _ marks: ResourceMarks) -> [JournalField] {
        let kinds = Set(hints.map(\.verdict))
        var fields = [JournalField("OUTCOME", kinds.count == 1 ? hints[0].verdict.rawValue : "mixed")]
        for verdict in EngineEvent.Verdict.allCases where kinds.contains(verdict) {
            let resources = hints.filter { $0.verdict == verdict }.map(\.resource)
            let (count, hashes) = verdict.fields
            fields.append(JournalField(count, resources.count))
            fields.append(JournalField(hashes, resources.prefix(maxHashes).map(marks.mark).joined(separator: " ")))
        }
        return fields
    }

    private static let maxHashes = 32

    private static func fields(_ cause: EngineEvent.Cause) -> [JournalField] {
        var fields = cause.decider.map { [JournalField("DECIDED_BY", $0.rawValue)] } ?? []
        if let source = cause.source { fields.append(JournalField("SOURCE", source)) }
        if let code = cause.code { fields.append(JournalField("CODE", code)) }
        if let trace = cause.trace { fields.append(JournalField("TRACE", trace)) }
        if let text = cause.text { fields.append(JournalField("TEXT", text)) }
        if cause.text == nil, let message = cause.message { fields.append(JournalField("SAYS", message)) }
        return fields
    }
}

extension EngineEvent.Verdict {
    /// The names of the fields for the number of resources and for their marks.
    fileprivate var fields: (StaticString, StaticString) {
        switch self {
        case .permitted: ("PERMITTED", "PERMITTED_HASHES")
        case .denied: ("DENIED", "DENIED_HASHES")
        case .unauthenticated: ("UNAUTHENTICATED", "UNAUTHENTICATED_HASHES")
        case .undecided: ("UNDECIDED", "UNDECIDED_HASHES")
        }
    }
}
