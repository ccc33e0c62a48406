// The journal's catalogue: the entries for events. The shipped `systemd/passd.catalog` is this text. operations.md §3.

import PassJSON
import PassSystem

package enum JournalCatalogue {
    /// The events with an entry.
    static let events = (JournalEvent.all + [.logOverflow, .logSuppressed]).filter { $0.catalogID != nil }

    static func entry(_ event: JournalEvent) -> String {
        let remedy = event.remedy.description
        return """
            -- \(event.catalogID?.description ?? "")
            Subject: passd: \(event.message)
            Defined-By: passd
            Support: man:passd(8)
            Documentation: man:passd(8)

            \(event.meaning)

            \(remedy)\(remedy.place(of: "passd-cli") == nil ? "" : forInstances)

            """
    }

    /// The note about instances, which all use the same catalogue.
    private static let forInstances =
        " The record is from @_SYSTEMD_UNIT@. If this is an instance, give its name to passd-cli, as in `passd-cli "
        + "--instance NAME doctor`."

    package static var file: String {
        "# The journal's catalogue, made from the table in the source; a test compares the two.\n\n"
            + events.map(entry).joined(separator: "\n")
    }
}
