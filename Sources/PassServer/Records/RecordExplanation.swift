// The texts that `journalctl -x` adds to records on which a person may have to act: what the record means and what to
// do. The shipped `systemd/passd.catalog` is generated from this table. operations.md §3.

import PassJSON
import PassSystem

package struct RecordExplanation {
    let event: JournalEvent
    let meaning: String
    let remedy: String

    init(_ event: JournalEvent, _ meaning: String, remedy: String) {
        self.event = event
        self.meaning = meaning
        self.remedy = remedy
    }

    /// The texts. `@NAME@` is replaced by the field of that name in the record.
    static let all: [RecordExplanation] = [
        RecordExplanation(
            .reloadRefused,
            "The new configuration has errors: @PASSD_AT@. The old configuration stays in force.",
            remedy: "Correct the file, check it with `passd --check-config`, and reload."),
        RecordExplanation(
            .needsRestart, "This change of the configuration takes effect after a restart: @PASSD_CHANGE@.",
            remedy:
                "Restart @_SYSTEMD_UNIT@ at a time when no viewer watches TV. A restart keeps all logins, but some "
                + "changes end or disable logins; passd.conf(5) names these settings."
        ),
        RecordExplanation(
            .configurationProblem, "There is a problem in the configuration: @PASSD_AT@.",
            remedy: "Correct the file and reload."),
        RecordExplanation(
            .storeProblem,
            "There is a problem with the store of logins: @PASSD_REASON@ The daemon continues. If the daemon could "
                + "not read a part of the store, viewers may have to log in again.",
            remedy:
                "Run `passd-cli doctor`, which has the remedy, and check the state directory (free space, mode, "
                + "owner)."
        ),
        RecordExplanation(
            .storeRestored,
            "The sealing key is available again. passd uses the store @PASSD_STORE@ again, with @PASSD_LOGINS@ "
                + "logins. The logins that were made while the key was missing are set aside.",
            remedy:
                "You need not do anything for the logins. `journalctl -u @PASSD_KEY_UNIT@` shows why the key was "
                + "missing."),
        RecordExplanation(
            .importProblem, "Logins of an older version could not be imported: @PASSD_REASON@.",
            remedy:
                "Check the directory that [storage] import-from names. Viewers whose logins cannot be imported have to log in again."
        ),
        RecordExplanation(
            .deviceProblem, "The logins do not belong to the current identity of the box: @PASSD_REASON@.",
            remedy: "Restore the source that [device] identity names, or let viewers log in again."),
        RecordExplanation(
            .signOnProblem,
            "The box's own sign-on is not available: @PASSD_REASON@. Viewers can still log in with a code.",
            remedy: "Check the [sign-on] section, and the program or file that it names."),
        RecordExplanation(
            .listenerProblem, "Clients could not be accepted: @PASSD_REASON@.",
            remedy: "`passd-cli sessions` shows which clients have many connections. If they need so many, raise "
                + "LimitNOFILE=."),
        RecordExplanation(
            .stuck,
            "The @PASSD_PART@ of the daemon has not answered for a third of WatchdogSec=. If this continues, "
                + "systemd restarts the daemon. No stored data is lost.",
            remedy: "First check whether the disk is full or failing. If the problem returns, report it with this "
                + "journal."),
        RecordExplanation(
            .crashed,
            "The daemon crashed (@PASSD_SIGNAL@, build @PASSD_BUILD@). systemd starts it again. No stored data is "
                + "lost.",
            remedy:
                "Report this record. `scripts/where` in the sources finds the lines of the addresses in the "
                + "programs of this build. If another process sent SIGABRT, look for an earlier record STUCK: the "
                + "watchdog ended the daemon."),
        RecordExplanation(
            .recovered, "The @PASSD_PART@ of the daemon was slow, and answers again.",
            remedy: "Check the load of the box and its disk."),
        RecordExplanation(
            .denied,
            "User @PASSD_PEER_UID@ (process @PASSD_PEER_PID@) called @PASSD_METHOD@ and was refused: @PASSD_REASON@.",
            remedy:
                "To allow the call, add or correct a stanza in apps.d. `passd-cli policy explain` shows which "
                + "rule decides."),
        RecordExplanation(
            .clientClosed, "Process @PASSD_PEER_PID@ of user @PASSD_PEER_UID@ was disconnected: @PASSD_REASON@.",
            remedy:
                "If the app sent malformed messages or did not read its answers, the app has a bug. If the app "
                + "has reached a limit, see `passd-cli sessions`, and [limits] in passd.conf(5)."),
        RecordExplanation(
            .backendTrouble,
            "A request to the service failed (@PASSD_QUESTION@): @PASSD_OUTCOME@.",
            remedy:
                "unreachable, deadline, insecure: check the network and [backend] origin; if the daemon has no "
                + "network at all, see CONFINEMENT in passd(8). registration-refused, token-refused: check the "
                + "app's software statement. unusable-answer and server errors: the fault is in the service; if "
                + "there is a PASSD_TRACE=, give it to the service's operator."
        ),
        RecordExplanation(
            .oneTimeBurst,
            "The service at @PASSD_ORIGIN@ refused a request with 429 although the daemon has kept to "
                + "requests-per-second and burst. For a day, the daemon assumes that the burst does not refill, "
                + "and sends requests more slowly.",
            remedy:
                "If this happens every day, set [backend] requests-per-second and burst to the limits of the "
                + "service's operator. Boxes with the same IP address share this limit."),
        RecordExplanation(
            .logoutRefused,
            "The service refuses the logout of @PASSD_REQUESTOR@ at @PASSD_PROVIDER@: @PASSD_CODE@. The login no "
                + "longer counts on this box, and the next viewer has to sign in, but the service still has the "
                + "login.",
            remedy:
                "If PASSD_CODE= is invalid_parameter_redirect_url, set redirect-url to an address that is "
                + "registered with the service. Otherwise give PASSD_CODE= and PASSD_TRACE= (if present) to the "
                + "operator of the service."),
        RecordExplanation(
            .logOverflow,
            "@PASSD_COUNT@ records were lost because the journal did not accept them for a while. The daemon "
                + "itself kept working.",
            remedy: "Check systemd-journald.service and its disk."),
        RecordExplanation(
            .logSuppressed,
            "passd dropped @PASSD_COUNT@ records of the event @PASSD_KIND@, because there were too many in a "
                + "minute.",
            remedy: "If this happens often, look at the other records of this event: an app asks too often, or a "
                + "part of the daemon keeps failing."),
    ]

    var text: String {
        var lines = ["-- \(event.catalogID.map { "\($0)" } ?? "")"]
        lines.append("Subject: passd: \(event.message)")
        lines.append("Defined-By: passd")
        lines.append("Support: man:passd(8)")
        lines.append("Documentation: man:passd(8)")
        return (lines + ["", meaning, "", remedy + (remedy.place(of: "passd-cli") != nil ? Self.forInstances : "")])
            .joined(
                separator: "\n") + "\n"
    }

    /// The note about instances, which all use the same catalogue.
    private static let forInstances =
        " The record is from @_SYSTEMD_UNIT@. If this is an instance, give its name to passd-cli, as in `passd-cli "
        + "--instance NAME doctor`."

    package static var file: String {
        "# The journal's catalogue, made from the table in the source; a test compares the two.\n\n"
            + all.map(\.text).joined(separator: "\n")
    }
}
