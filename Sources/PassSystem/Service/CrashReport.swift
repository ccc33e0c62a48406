// When the program crashes, writes a record with the signal, the build and addresses. `scripts/where` finds the source lines of
// the addresses.

import CCrash

public enum CrashReport {
    /// Reports crashes from now on. No core file is written, and the record has no memory contents.
    public static func install(for program: String, as event: JournalEvent, goesToJournal: Bool) {
        guard goesToJournal, let id = event.catalogID else { return pass_report_crashes(program, nil) }
        pass_report_crashes(program, "\(id)")
    }
}
