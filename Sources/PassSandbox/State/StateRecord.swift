// Converts the state's tables to and from the text of the state file. A row is `["sessions","K7Q2M4X",{…}]`, with null
// for a removed row.

import FoundationEssentials
import PassJSON

extension State {
    /// Calls the visitor with each table and its name, in the order of the file.
    mutating func eachTable(_ visit: (String, inout any StateTable) throws -> Void) rethrows {
        func one<Row>(_ name: String, _ table: inout Table<Row>) throws {
            var any: any StateTable = table
            try visit(name, &any)
            if let changed = any as? Table<Row> { table = changed }
        }
        try one("clients", &clients)
        try one("tokens", &tokens)
        try one("sessions", &sessions)
        try one("profiles", &profiles)
        try one("sharedLogins", &sharedLogins)
        try one("decisions", &decisions)
        try one("authorizations", &authorizations)
        try one("signOffs", &signOffs)
        try one("trials", &trials)
        try one("attempts", &attempts)
        try one("partnerRequests", &partnerRequests)
        try one("devices", &devices)
        try one("links", &links)
        try one("trustedKeys", &trustedKeys)
        try one("usedTokens", &usedTokens)
        try one("answers", &answers)
        try one("degradations", &degradations)
        try one("revokedApps", &revokedApps)
        try one("guesses", &guesses)
    }

    /// The rows that changed since the last call, as one JSON array; nil if there are none.
    mutating func takeChanges() throws -> String? {
        var rows: [String] = []
        if singlesChanged { rows.append(try Self.row("singles", key: "", value: singles)) }
        if keysChanged { rows.append(try Self.row("keys", key: "", value: keys)) }
        try eachTable { name, table in
            rows += try table.changedRows(name)
            table.markWritten()
        }
        (singlesChanged, keysChanged) = (false, false)
        return rows.isEmpty ? nil : "[" + rows.joined(separator: ",") + "]"
    }

    /// Forgets which rows have changed, if there is no file to write them to.
    mutating func discardChanges() {
        eachTable { _, table in table.markWritten() }
        (singlesChanged, keysChanged) = (false, false)
    }

    /// All rows.
    mutating func snapshot() throws -> String {
        var rows = [try Self.row("singles", key: "", value: singles), try Self.row("keys", key: "", value: keys)]
        try eachTable { name, table in rows += try table.allRows(name) }
        return "[" + rows.joined(separator: ",") + "]"
    }

    mutating func apply(_ changes: JSONValue) throws {
        for row in changes.array ?? [] {
            guard let parts = row.array, parts.count == 3, let table = parts[0].string, let key = parts[1].string else {
                throw StateFileError(description: "a row is not of the form [table, key, value]")
            }
            if table == "singles" {
                singles = try JSONDecoder().decode(Singles.self, from: Data(parts[2].bytes))
                singlesChanged = false
                continue
            }
            if table == "keys" {
                keys = try JSONDecoder().decode(SandboxKeys.self, from: Data(parts[2].bytes))
                keysChanged = false
                continue
            }
            var found = false
            try eachTable { name, place in
                guard name == table else { return }
                try place.apply(key, parts[2])
                found = true
            }
            guard found else { throw StateFileError(description: "there is no table \"\(table)\"") }
        }
    }

    fileprivate static func row(_ table: String, key: String, value: (some Encodable)?) throws -> String {
        let text = try value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) } ?? "null"
        return "[\(JSONValue.string(table).text),\(JSONValue.string(key).text),\(text)]"
    }
}

protocol StateTable {
    func changedRows(_ name: String) throws -> [String]
    func allRows(_ name: String) throws -> [String]
    mutating func apply(_ key: String, _ value: JSONValue) throws
    mutating func markWritten()
    mutating func clear()
}

extension Table: StateTable {
    func changedRows(_ name: String) throws -> [String] {
        try changed.sorted().map { try State.row(name, key: $0, value: rows[$0]) }
    }

    func allRows(_ name: String) throws -> [String] {
        try rows.keys.sorted().map { try State.row(name, key: $0, value: rows[$0]) }
    }

    mutating func apply(_ key: String, _ value: JSONValue) throws {
        restore(key, value == .null ? nil : try JSONDecoder().decode(Row.self, from: Data(value.bytes)))
    }
}
