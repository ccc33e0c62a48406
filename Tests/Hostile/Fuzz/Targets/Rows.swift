// Fuzzes rows of the store: fields of every type in every table, and sealed envelopes. Readable data must be the same
// after they are written and read again.

import AccessEnabler

@testable import PassVault

/// The first byte chooses the table. The other bytes are the fields.
func rows(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let relation = relations[Int(input.byte()) % relations.count]
    check(relation, &input)
    _ = try? Keyring(current: nil).open(
        bytes, at: SealedRowBinding(table: "profile", column: "attributes", key: ["a", "b"]))
}

private func check<R: Relation>(_: R.Type, _ input: inout Input) {
    var fields: [SQLValue] = []
    while !input.isOver, fields.count <= R.columns.count { fields.append(field(&input)) }
    guard let value = try? R.value(fields), let written = try? R.fields(of: value) else { return }
    guard let second = try? R.value(written), let rewritten = try? R.fields(of: second) else {
        return expect(false, "\(R.table): what was written cannot be read: \(written)")
    }
    expect(rewritten == written, "\(R.table): \(rewritten) was \(written)")
}

private func field(_ input: inout Input) -> SQLValue {
    switch input.byte() {
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "i"): .integer(input.number())
    case UInt8(ascii: "0"): .integer(0)
    case UInt8(ascii: "1"): .integer(1)
    case UInt8(ascii: "b"): .blob(input.piece(before: 0))
    default: .text(input.text())
    }
}
