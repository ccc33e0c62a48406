// Reads the fields of a row in order, each with its required type.

import AccessEnabler
import FoundationEssentials

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

    mutating func json<Value: Decodable>(_: Value.Type) throws(RowProblem) -> Value {
        let text = try text()
        do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch { throw problem }
    }

    private mutating func next() -> SQLValue {
        index += 1
        return fields.popFirst() ?? .null
    }

    /// The problem with the field that was read last.
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

    /// Encodes with sorted keys, so that equal values have equal texts.
    static func json(_ value: some Encodable, table: String, column: String) throws(RowProblem) -> SQLValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return .text(String(decoding: try encoder.encode(value), as: UTF8.self)) } catch {
            throw RowProblem(.unknown, table: table, column: column)
        }
    }
}
