// Fuzzes JSON: the parser of the wire and that of the sandbox. What they accept they must write so that reading it
// again gives the same.

import PassJSON
import PassProtocol
import PassWire

@testable import PassSandbox

func json(_ bytes: [UInt8]) {
    // A value takes some dozens of bytes, even if two bytes of text are enough for it.
    let value = within(4096 + bytes.count * 128) { try? JSONReader.read(bytes) }
    if let value {
        let text = JSONWriter.bytes(value)
        expect((try? JSONReader.read(text)) == value, "another value comes back")
        look(at: value)
    }
    var parser = JSONParser(bytes, tracksPlaces: bytes.count < 512)
    if let value = try? parser.document() {
        expect((try? JSONParser.parse(value.bytes)) == value, "the sandbox: another value comes back")
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
