// Reads the fields of a row in their order, each with its required type.

import AccessEnabler
import PassJSON

struct FieldReader {
    let table: String
    let columns: [Column]
    private var fields: ArraySlice<SQLValue>
    private var index = 0

    init(table: String, columns: [Column], fields: [SQLValue]) {
        self.table = table
        self.columns = columns
        self.fields = fields[...]
    }

    mutating func text() throws(RowProblem) -> String { try optionalText().orThrow(problem) }

    mutating func optionalText() throws(RowProblem) -> String? {
        switch next() {
        case .null: nil
        case .text(let text): text
        default: throw problem
        }
    }

    mutating func flag() throws(RowProblem) -> Bool {
        switch next() {
        case .integer(0): false
        case .integer(1): true
        default: throw problem
        }
    }

    mutating func time() throws(RowProblem) -> ServerTime { try optionalTime().orThrow(problem) }

    mutating func optionalTime() throws(RowProblem) -> ServerTime? {
        switch next() {
        case .null: nil
        case .integer(let milliseconds): ServerTime(milliseconds: milliseconds)
        default: throw problem
        }
    }

    mutating func json<Value: JSONRecord>(_ type: Value.Type) throws(RowProblem) -> Value {
        try optionalJSON(type).orThrow(problem)
    }

    mutating func optionalJSON<Value: JSONRecord>(_: Value.Type) throws(RowProblem) -> Value? {
        guard let text = try optionalText() else { return nil }
        guard let json = try? JSONReader.read(Array(text.utf8), limits: JSONRecordLimits.reading),
            let value = Value(json)
        else { throw problem }
        return value
    }

    private mutating func next() -> SQLValue {
        index += 1
        return fields.popFirst() ?? .null
    }

    /// The problem of the last field.
    private var problem: RowProblem {
        RowProblem(.unknown, table: table, column: index > 0 && index <= columns.count ? columns[index - 1].name : "")
    }
}

extension Optional {
    fileprivate func orThrow(_ problem: @autoclosure () -> RowProblem) throws(RowProblem) -> Wrapped {
        guard let self else { throw problem() }
        return self
    }
}

extension SQLValue {
    static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    static func optional(_ time: ServerTime?) -> SQLValue { time.map { .integer($0.milliseconds) } ?? .null }
    static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }

    static func json(_ record: some JSONRecord, table: String, column: String) throws(RowProblem) -> SQLValue {
        guard let json = record.json else { throw RowProblem(.unknown, table: table, column: column) }
        return .text(String(decoding: JSONWriter.bytes(json), as: UTF8.self))
    }
}
