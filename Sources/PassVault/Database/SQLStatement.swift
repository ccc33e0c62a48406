// A prepared statement of a `Database`. Each run ends with a reset, so that the statement can run again.

import CSQLite

final class SQLStatement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement and returns the code of the last step, SQLITE_DONE on success. `each` gets one row at a time; if
    /// it returns false, the run ends early.
    func run(_ values: [SQLValue], each: ([SQLValue]) -> Bool) -> Int32 {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { return code }
        }
        while true {
            let code = sqlite3_step(handle)
            guard code == SQLITE_ROW else { return code }
            guard each((0..<sqlite3_column_count(handle)).map(column)) else { return SQLITE_DONE }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .blob(let blob):
            guard let count = Int32(exactly: blob.count) else { return SQLITE_TOOBIG }
            return pass_sqlite_bind_blob(handle, index, blob, count)
        case .text(let text):
            guard let count = Int32(exactly: text.utf8.count) else { return SQLITE_TOOBIG }
            return pass_sqlite_bind_text(handle, index, text, count)
        }
    }

    /// Reads a column. Text that is not valid UTF-8 becomes a blob, because passd never writes such text.
    private func column(_ index: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_TEXT, SQLITE_BLOB:
            let isText = sqlite3_column_type(handle, index) == SQLITE_TEXT
            let start = sqlite3_column_blob(handle, index)
            let count = start == nil ? 0 : max(0, Int(sqlite3_column_bytes(handle, index)))
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            guard isText, let text = String(validating: bytes, as: UTF8.self) else { return .blob(Array(bytes)) }
            return .text(text)
        default: return .null
        }
    }
}
