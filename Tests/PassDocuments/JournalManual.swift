// The table of the journal's records, for passd(8), and the journal's catalogue, which has the entries of the records that
// have one. operations.md §3.

import PassServer
import PassSystem

enum JournalManual {
    static var records: String {
        JournalEvent.all.sorted { $0.name.description < $1.name.description }.map { event in
            let message = event.message.description
            return Roff.entry(
                "\(Roff.bold(event.name.description)) (\(event.level))",
                [message.hasPrefix("passd ") ? Roff.text("\(message).") : Roff.sentence(message)])
        }
        .joined()
    }

    /// The events with an entry in the catalogue.
    static let explained = JournalEvent.all.filter { $0.catalogID != nil }

    static func entry(_ event: JournalEvent) -> String {
        let remedy = event.remedy.description
        return """
            -- \(event.catalogID?.description ?? "")
            Subject: passd: \(event.message)
            Defined-By: passd
            Support: man:passd(8)
            Documentation: man:passd(8)

            \(event.meaning)

            \(remedy)\(remedy.contains("passd-cli") ? forInstances : "")

            """
    }

    /// The note about instances, which all use the same catalogue.
    private static let forInstances =
        " The record is from @_SYSTEMD_UNIT@. If this is an instance, give its name to passd-cli, as in `passd-cli "
        + "--instance NAME doctor`."

    static var catalogue: String {
        "# The journal's catalogue, made from the table in the source; a test compares the two.\n\n"
            + explained.map(entry).joined(separator: "\n")
    }
}
