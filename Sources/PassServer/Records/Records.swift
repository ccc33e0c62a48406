// The journal's records: the events that the daemon declares, and the values for their fields. The records of the engine's
// events are in `EventForm`. The names of events are stable. After its start, a healthy and idle daemon writes no records.
// operations.md §3.

import AccessEnabler
import PassProtocol
package import PassSystem
import PassWire

extension JournalEvent {
    /// The max number of records of one kind in a minute, for decisions and logins. The number is high, because several apps
    /// may ask about many resources at once. There is a limit, because an app may ask without end.
    static let decisions = 300
    /// The same limit for details. Details are recorded only while an operator searches for a fault.
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
        .notice, name: "STORE_EXPORTED", message: "a sealed backup of the store was exported")
    static let storeImported = JournalEvent(
        .notice, name: "STORE_IMPORTED", message: "a backup has replaced the store; passd restarts with it")
    package static let importProblem = JournalEvent(
        .warning, name: "IMPORT", message: "logins of the older library could not be imported",
        catalogID: "9c6ffda3ae10577ae435338202fa4607")
    package static let deviceProblem = JournalEvent(
        .warning, name: "DEVICE_IDENTITY", message: "there is a problem with the identity of the box",
        catalogID: "51e75351d0ed9fe6fb9ca421516b809a")
    package static let deviceReturned = JournalEvent(
        .warning, name: "DEVICE_RETURNED",
        message: "the disk has returned; passd restarts with the identity of the store",
        catalogID: "0d5f6c3b7e9a4c0f8a52b1d94e6730cd")
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
    /// The record of a crash. The signal handler in CCrash writes this record, with a longer message: signal, build and
    /// addresses.
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
    static let backendAsked = JournalEvent(
        .debug, name: "BACKEND_ASKED", message: "the service has answered a question", maxPerMinute: details)
    package static let requestSent = JournalEvent(
        .debug, name: "REQUEST_SENT", message: "a request was sent to the service", maxPerMinute: details)
    package static let oneTimeBurst = JournalEvent(
        .warning, name: "BURST",
        message: "the service refused a request although passd kept to the limits; for a day, passd sends more slowly",
        catalogID: "c5e74e9317b167119d334cfaa54d0293")
    static let backendRefused = JournalEvent(
        .info, name: "BACKEND_REFUSED", message: "the service refused a request")
    static let backendTrouble = JournalEvent(
        .warning, name: "BACKEND", message: "the service did not answer properly",
        catalogID: "fa99a6805a9d53f5d09a128af48cfebc")

    /// All events of the daemon.
    package static let all: [JournalEvent] =
        [
            .started, .stopped, .reloaded, .reloadRefused, .needsRestart, .configurationProblem, .storeProblem,
            .storeRestored, .storeExported, .storeImported, .importProblem, .deviceProblem, .deviceReturned,
            .signOnProblem, .signOnNote, .listenerProblem, .stuck, .crashed, .recovered, .peerUnknown, .denied,
            .answered, .clientClosed, .backendAsked, .requestSent, .backendRefused, .backendTrouble, .oneTimeBurst,
            .logOverflow, .logSuppressed,
        ] + EngineEvent.samples.compactMap { EventForm($0, ResourceMarks(secret: [])).record }
}

extension Journal {
    func record(_ audit: Audit) {
        record(
            .denied,
            [JournalField("REQUEST", audit.request)] + audit.peer + [
                JournalField("METHOD", audit.method), JournalField("REQUESTOR", audit.requestor ?? ""),
                JournalField("REASON", audit.rule),
            ])
    }

    /// Records an operator's change of the store. The kernel reports the operator's process and user.
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

    /// Writes the event's record, if it has one. `about` has the fields that identify the client.
    func record(_ form: EventForm, about: [JournalField] = []) {
        if let event = form.record { record(event, form.fields + about) }
    }
}
