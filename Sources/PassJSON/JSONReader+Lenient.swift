// The lenient part of the reader. It is for input with broken items, from programs that write JSON without a library.

extension JSONReader {
    /// Reads JSON, tolerating common mistakes. If several members have the same name, the first one counts. A comma may follow
    /// the last item. A malformed string or number becomes `unreadable`. An object becomes `unreadable` if the name of a member
    /// is malformed. So only code that needs such a value fails. A byte order mark is skipped.
    package static func readLeniently(_ bytes: [UInt8], limits: JSONLimits) throws(JSONFault) -> JSONValue {
        try weigh(bytes, limits: limits, isLenient: true).value
    }

    mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    mutating func lenientString() throws(JSONFault) -> JSONValue {
        let start = index
        do throws(JSONFault) { return .string(try string()) } catch {
            index = start + 1
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    index += 1
                    return .unreadable
                case UInt8(ascii: "\\"): index += 2
                default: index += 1
                }
            }
            throw fault(.unexpectedEnd, at: bytes.count)
        }
    }

    mutating func lenientNumber() -> JSONValue {
        let number: JSONNumber?
        do throws(JSONFault) { number = try self.number() } catch { number = nil }
        let end = index
        while index < bytes.count, Self.isOfNumber(bytes[index]) { index += 1 }
        return index == end ? number.map { .number($0) } ?? .unreadable : .unreadable
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

extension JSONValue {
    /// The value of a broken string, number or object. This value is not null, and cannot be read as a string, an integer or an
    /// object.
    package static let unreadable = JSONValue.number(JSONNumber(verbatim: ""))
}
