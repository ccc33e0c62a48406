// What `journalctl -x` says beside the records on which a person may act: what it means and what to do. The shipped
// `systemd/passd.catalog` is printed from this table. operations.md §3.

import PassSystem

struct CatalogueEntry {
    let event: JournalEvent
    let meaning: String
    let remedy: String

    init(_ event: JournalEvent, _ meaning: String, remedy: String) {
        self.event = event
        self.meaning = meaning
        self.remedy = remedy
    }

    /// `@NAME@` stands for a field of the record.
    static let all: [CatalogueEntry] = [
        CatalogueEntry(
            .reloadRefused,
            "passd was asked to reload its configuration, but it has an error: @PASSD_AT@. The old configuration stays "
                + "in force.",
            remedy: "Fix the file, check it with `passd --check-config`, and reload."),
        CatalogueEntry(
            .needsRestart, "This change of the configuration takes effect after a restart: @PASSD_CHANGE@.",
            remedy: "Restart passd.service when nobody is watching TV. Logins are kept."),
        CatalogueEntry(
            .configurationProblem, "There is a problem in the configuration: @PASSD_AT@.",
            remedy: "Fix the file and reload."),
        CatalogueEntry(
            .storeProblem,
            "There is a problem with the store of logins: @PASSD_REASON@ passd keeps running. Data that could not be "
                + "read was set aside, and viewers may have to log in again.",
            remedy: "Run `passd-cli doctor`. Check the free space, mode and owner of the state directory."),
        CatalogueEntry(
            .storeRestored,
            "The sealing key is available again, and nobody has logged in or out in the meantime. The store "
                + "@PASSD_STORE@ with @PASSD_LOGINS@ logins, which was set aside because the key was missing, is in "
                + "use again.",
            remedy:
                "The logins need no action. See `journalctl -u passd-sealing-key` for the reason why the key was "
                + "missing."),
        CatalogueEntry(
            .importProblem, "Logins of an older version could not be imported: @PASSD_REASON@.",
            remedy: "Check the directory in [storage] import-from. Or let viewers log in again."),
        CatalogueEntry(
            .deviceProblem, "The identity of this box does not match its stored logins: @PASSD_REASON@.",
            remedy: "Restore the identity of the machine, or let viewers log in again."),
        CatalogueEntry(
            .signOnProblem,
            "Single sign-on by this box is not available: @PASSD_REASON@. Viewers can still log in with a code.",
            remedy: "Check the [sign-on] section and the program or file that it names."),
        CatalogueEntry(
            .listenerProblem, "Clients could not be accepted: @PASSD_REASON@.",
            remedy:
                "Use `passd-cli sessions` to find out who has many connections. If that is intended, raise "
                + "LimitNOFILE=."),
        CatalogueEntry(
            .stuck,
            "The @PASSD_PART@ of the daemon has not responded for a third of WatchdogSec=. If this continues, systemd "
                + "kills the daemon and starts it again. Stored data is not lost.",
            remedy: "Check first for a full or failing disk. If this happens again, report it with this journal."),
        CatalogueEntry(
            .recovered, "The @PASSD_PART@ of the daemon was slow and responds again.",
            remedy: "Check the load of the box and of its disk."),
        CatalogueEntry(
            .denied,
            "User @PASSD_PEER_UID@ (process @PASSD_PEER_PID@) may not call @PASSD_METHOD@: @PASSD_REASON@.",
            remedy:
                "To allow it, add or change a stanza in apps.d. `passd-cli policy explain` shows which rule decides."),
        CatalogueEntry(
            .clientClosed, "Process @PASSD_PEER_PID@ of user @PASSD_PEER_UID@ was disconnected: @PASSD_REASON@.",
            remedy: "This is a bug in the app: it sends invalid messages, or does not read its answers."),
        CatalogueEntry(
            .backendTrouble,
            "A request to the service (@PASSD_QUESTION@) failed: @PASSD_OUTCOME@.",
            remedy:
                "Check the network, [backend] origin and, if a registration was refused, the app's software statement. "
                + "If the daemon has no network at all, see CONFINEMENT in passd(8)."),
        CatalogueEntry(
            .logOverflow,
            "@PASSD_COUNT@ log records were lost because the journal did not accept any for a while. passd kept "
                + "running.",
            remedy: "Check systemd-journald.service and the disk that it writes to."),
        CatalogueEntry(
            .logSuppressed,
            "@PASSD_COUNT@ log records of the kind @PASSD_KIND@ were dropped because there were too many within a "
                + "minute.",
            remedy: "If this happens often, look at the first of these records. An app may be calling too often, or "
                + "something may be failing repeatedly."),
    ]

    var text: String {
        var lines = ["-- \(event.catalogID.map { "\($0)" } ?? "")"]
        lines.append("Subject: passd: \(event.message)")
        lines.append("Defined-By: passd")
        lines.append("Support: man:passd(8)")
        lines.append("Documentation: man:passd(8)")
        return (lines + ["", meaning, "", remedy]).joined(separator: "\n") + "\n"
    }

    static var file: String {
        "# The journal's catalogue. Printed from the table of the source; a test holds it there.\n\n"
            + all.map(\.text).joined(separator: "\n")
    }
}
