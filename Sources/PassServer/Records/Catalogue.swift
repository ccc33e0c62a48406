// The texts that `journalctl -x` adds to records on which a person may have to act: what the record means and what to
// do. The shipped `systemd/passd.catalog` is generated from this table. operations.md §3.

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

    /// `@NAME@` is replaced by the field of that name of the record.
    static let all: [CatalogueEntry] = [
        CatalogueEntry(
            .reloadRefused,
            "The configuration was to be read again and is bad: @PASSD_AT@. The old one stays in force.",
            remedy: "Correct the file, try it with `passd --check-config`, and reload."),
        CatalogueEntry(
            .needsRestart, "This change of the configuration is not in force yet: @PASSD_CHANGE@.",
            remedy: "Restart passd.service when nobody watches; logins stay."),
        CatalogueEntry(
            .configurationProblem, "Something in the configuration is not as it should be: @PASSD_AT@.",
            remedy: "Correct the file and reload."),
        CatalogueEntry(
            .storeProblem,
            "The store of the logins is amiss: @PASSD_REASON@ The daemon goes on; what could not be read was set aside, and "
                + "viewers may have to log in again.",
            remedy: "Look at the state directory for space, mode and owner, and at `passd-cli doctor`."),
        CatalogueEntry(
            .storeRestored,
            "The sealing key is there again, and nobody has logged in or out without it: @PASSD_STORE@ with "
                + "@PASSD_LOGINS@ logins, which was set aside for the key, is the store again.",
            remedy:
                "Nothing is to be done for the logins. See in `journalctl -u passd-sealing-key` why the key was not "
                + "there."),
        CatalogueEntry(
            .importProblem, "Logins of an older version could not be taken over: @PASSD_REASON@.",
            remedy: "Look at the directory of [storage] import-from. Viewers can log in anew instead."),
        CatalogueEntry(
            .deviceProblem, "The identity of the box is not the one that its logins belong to: @PASSD_REASON@.",
            remedy: "Restore the machine's identity, or let viewers log in anew."),
        CatalogueEntry(
            .signOnProblem,
            "Sign-on by the box is not available: @PASSD_REASON@. Viewers can log in by code all the same.",
            remedy: "Look at the [sign-on] section and at the program or file that it names."),
        CatalogueEntry(
            .listenerProblem, "Clients could not be accepted: @PASSD_REASON@.",
            remedy: "See who holds many connections with `passd-cli sessions`; raise LimitNOFILE= if they are meant."),
        CatalogueEntry(
            .stuck,
            "The @PASSD_PART@ of the daemon has not answered for a third of WatchdogSec=. If it stays so, systemd ends the "
                + "daemon and starts it again; what was stored is not lost.",
            remedy: "Look for a full or broken disk first. If it comes again, report it with this journal."),
        CatalogueEntry(
            .recovered, "The @PASSD_PART@ of the daemon was slow and answers again.",
            remedy: "Look at the load of the box and its disk."),
        CatalogueEntry(
            .denied,
            "User @PASSD_PEER_UID@ (process @PASSD_PEER_PID@) asked for @PASSD_METHOD@ and may not: @PASSD_REASON@.",
            remedy: "If it should, write or correct a stanza in apps.d; `passd-cli policy explain` shows what decides."),
        CatalogueEntry(
            .clientClosed, "Process @PASSD_PEER_PID@ of user @PASSD_PEER_UID@ was disconnected: @PASSD_REASON@.",
            remedy: "The app is at fault: it sends what is no message, or does not read its answers."),
        CatalogueEntry(
            .backendTrouble,
            "The service was asked (@PASSD_QUESTION@) and did not answer as it should: @PASSD_OUTCOME@.",
            remedy:
                "Check the network, [backend] origin and, for a refused registration, the app's software statement. "
                + "Without any network look at passd(8), CONFINEMENT."),
        CatalogueEntry(
            .logOverflow,
            "@PASSD_COUNT@ records were lost because the journal took none for a while. The daemon itself went on.",
            remedy: "Look at systemd-journald.service, and at the disk that it writes to."),
        CatalogueEntry(
            .logSuppressed,
            "@PASSD_COUNT@ records of the kind @PASSD_KIND@ were not kept: there were too many within a minute.",
            remedy: "If it comes often, look at the first of them: an app asks too often, or something fails again and "
                + "again."),
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
