// Fuzzes JSON. Any accepted text must be the same after it is written and read again.

import PassJSON
import PassProtocol
import PassWire

func json(_ bytes: [UInt8]) {
    // A value takes some dozens of bytes, even if its text has only two bytes.
    let value = within(4096 + bytes.count * 128) { try? JSONReader.read(bytes) }
    if let value {
        let text = JSONWriter.bytes(value)
        expect((try? JSONReader.read(text)) == value, "another value comes back")
        look(at: value)
    }
}

private func look(at value: JSONValue) {
    switch value {
    case .number(let number):
        if let whole = number.int64, let near = number.double {
            expect(abs(near - Double(whole)) <= abs(near) / 1e15, "\(number.text) is two numbers")
        }
    case .array(let items): items.forEach(look)
    case .object(let object): object.members.forEach { look(at: $0.value) }
    case .null, .bool, .string: break
    }
}
