// The generated tables of the pages in Markdown.

import PassProtocol
import PassServer
import PassVault

enum Markdown {
    static var metrics: String {
        table(
            "| Metric | Kind | Labels | Meaning |\n|---|---|---|---|\n",
            MetricFamily.all.map { family in
                // A histogram is one row, because its three names differ only at their ends.
                let name = family.kind == .histogram ? family.name + "_bucket`, `_sum`, `_count" : family.sampleNames[0]
                let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
                return ["`\(name)`", family.kind.rawValue, labels, family.help]
            })
    }

    /// What the codes of refusals mean.
    static var reasons: String {
        table(
            "| Code | What `passd-cli why` says | What to do |\n| --- | --- | --- |\n",
            ReasonTable.codes.compactMap { code in
                ReasonTable.reason(of: code).map { ["`\(code)`", $0.meaning, $0.remedy] }
            })
    }

    /// The tables of the store.
    static var tables: String {
        func names(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: " ") }
        return table(
            "| Table | Key, unencrypted | Values (**sealed**) |\n|---|---|---|\n",
            StoreTable.all.map { table in
                let values = table.columns.map { column in
                    (column.isSealed ? "**`\(column.name)`**" : "`\(column.name)`") + (column.isOptional ? "?" : "")
                }
                return [names([table.name]), names(table.key), values.joined(separator: ", ")]
            }) + "\nThis is version \(StoreTable.version) of the schema.\n"
    }

    private static func table(_ head: String, _ rows: [[String]]) -> String {
        head
            + rows.map { row in
                "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
            }
            .joined()
    }
}
