// A store's note about the store that it replaced. The note is a row of the table `about`.

enum StoreNote {
    /// The store replaced a store whose key was missing. Since then there was no login or logout.
    case waits
    /// The store was made from these stores, which had been set aside and are no longer needed.
    case made([String])
    /// The store lacks these changes. Since then there was no login or logout, and passd has not stopped regularly.
    case lacks(Loss)

    enum Loss: Hashable {
        case everything
        case changes(Int64)
    }

    private var row: (name: String, value: String) {
        switch self {
        case .waits: ("waits", "yes")
        case .made(let names): ("made-of", names.joined(separator: "\n"))
        case .lacks(.everything): ("lacks", "all")
        case .lacks(.changes(let count)): ("lacks", String(count))
        }
    }

    var writing: Write { .about(row.name, .text(row.value)) }

    static let noLonger = Write(sql: "DELETE FROM about WHERE name IN ('waits', 'lacks')")
    static let lossIsTold = Write(sql: "DELETE FROM about WHERE name = 'lacks'")
    static let isTidy = Write(sql: "DELETE FROM about WHERE name = 'made-of'")

    static func waits(_ database: Database) -> Bool { (try? database.about("waits")) != nil }

    /// Whether the store waits for a key, and contains no logins and no tombstones.
    static func waitsEmpty(_ database: Database) -> Bool {
        let logins = "SELECT (SELECT count(*) FROM profile) + (SELECT count(*) FROM tombstone)"
        return waits(database) && (try? database.value(logins))?.integer == 0
    }

    static func loss(_ database: Database) -> Loss? {
        (try? database.about("lacks")).flatMap { $0 == "all" ? .everything : Int64($0).map { .changes($0) } }
    }

    static func madeOf(_ database: Database) -> [String] {
        (try? database.about("made-of"))?.split(separator: "\n").map(String.init) ?? []
    }
}
