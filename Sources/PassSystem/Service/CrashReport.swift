// The record of a crash, with the signal, the build and addresses. `scripts/where` finds the lines of the addresses.

import CCrash

public enum CrashReport {
    /// The id of this build in hexadecimal; nil if the linker added none.
    public static var build: String? {
        let build = String(cString: pass_build_id())
        return build.isEmpty ? nil : build
    }

    /// Reports crashes from now on. No core file is written, and the record has no memory contents.
    public static func install(for program: String, as event: JournalEvent, goesToJournal: Bool) {
        guard goesToJournal, let id = event.catalogID else { return pass_report_crashes(program, nil) }
        pass_report_crashes(program, "\(id)")
    }
}
