// The table of the journal's records, for passd(8). operations.md §3.

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
}
