// Reads JSON text strictly by RFC 8259. The reader works on bytes. Each string is converted once, and the standard library
// checks its UTF-8. The depth is limited, because the reader is recursive.

public struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let limits: JSONLimits
    private let isLenient: Bool
    var index = 0
    private var depth = 0
    private var values = 0
    /// The heap memory of the values, in bytes.
    var keptBytes = 0

    public static func read(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONFault) -> JSONValue {
        try weigh(bytes, limits: limits).value
    }

    /// Reads a value, and also returns its heap memory in bytes.
    package static func weigh(
        _ bytes: [UInt8], limits: JSONLimits = JSONLimits(), isLenient: Bool = false
    ) throws(JSONFault) -> (value: JSONValue, keptBytes: Int) {
        let outcome = bytes.withUnsafeBufferPointer { buffer -> Result<(JSONValue, Int), JSONFault> in
            var reader = JSONReader(bytes: buffer, limits: limits, isLenient: isLenient)
            do throws(JSONFault) {
                let value = try reader.document()
                return .success((value, reader.keptBytes))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits, isLenient: Bool) {
        self.bytes = bytes
        self.limits = limits
        self.isLenient = isLenient
    }

    private mutating func document() throws(JSONFault) -> JSONValue {
        if isLenient { skipByteOrderMark() }
        skipBlanks()
        guard index < bytes.count else { throw fault(.empty) }
        let value = try value()
        skipBlanks()
        guard index == bytes.count else { throw fault(.trailingText) }
        return value
    }

    func fault(_ reason: JSONFault.Reason, at offset: Int? = nil) -> JSONFault {
        JSONFault(reason: reason, offset: offset ?? index)
    }

    private mutating func skipBlanks() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func value() throws(JSONFault) -> JSONValue {
        guard index < bytes.count else { throw fault(.unexpectedEnd) }
        values += 1
        guard values <= limits.values else { throw fault(.tooManyValues) }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return isLenient ? try lenientString() : .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return isLenient ? lenientNumber() : .number(try number())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw fault(.unexpectedByte)
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard index + offset < bytes.count else { throw fault(.unexpectedEnd, at: index + offset) }
            guard bytes[index + offset] == word.utf8Start[offset] else {
                throw fault(.unexpectedByte, at: index + offset)
            }
        }
        index += word.utf8CodeUnitCount
        return value
    }

    private mutating func enter() throws(JSONFault) {
        depth += 1
        guard depth <= limits.depth else { throw fault(.tooDeep) }
        index += 1
        skipBlanks()
    }

    private mutating func leave() {
        depth -= 1
        index += 1
    }

    private mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard index < bytes.count else { throw fault(.unexpectedEnd) }
        guard bytes[index] == byte else { throw fault(.unexpectedByte) }
        index += 1
    }

    private func nextIs(_ byte: UInt8) -> Bool { index < bytes.count && bytes[index] == byte }

    private mutating func array() throws(JSONFault) -> JSONValue {
        try enter()
        var items: [JSONValue] = []
        if !nextIs(UInt8(ascii: "]")) {
            while true {
                items.append(try value())
                skipBlanks()
                if nextIs(UInt8(ascii: "]")) { break }
                try expect(UInt8(ascii: ","))
                skipBlanks()
                if isLenient, nextIs(UInt8(ascii: "]")) { break }
            }
        }
        leave()
        keptBytes += HeapSize.ofArray(items)
        return .array(items)
    }

    private mutating func object() throws(JSONFault) -> JSONValue {
        try enter()
        var members = UniqueMembers()
        var isWhole = true
        if !nextIs(UInt8(ascii: "}")) {
            while true {
                let start = index
                guard nextIs(UInt8(ascii: "\"")) else {
                    throw fault(index < bytes.count ? .unexpectedByte : .unexpectedEnd)
                }
                let name = isLenient ? try lenientString().string : try string()
                let isNew = name.map { members.admit($0) } ?? false
                isWhole = isWhole && name != nil
                guard isNew || isLenient else { throw fault(.duplicateMember, at: start) }
                skipBlanks()
                try expect(UInt8(ascii: ":"))
                skipBlanks()
                let value = try value()
                if let name, isNew { members.append(name, value) }
                skipBlanks()
                if nextIs(UInt8(ascii: "}")) { break }
                try expect(UInt8(ascii: ","))
                skipBlanks()
                if isLenient, nextIs(UInt8(ascii: "}")) { break }
            }
        }
        leave()
        keptBytes += members.keptBytes
        return isWhole ? .object(members.object) : .unreadable
    }
}

/// The members of an object while it is read. In a small object, each new name is compared with all earlier names. A large
/// object uses a set of names, so that an object with very many members does not take long. Names are compared by their bytes,
/// because Swift treats canonically equivalent strings as equal.
private struct UniqueMembers {
    private var members: [JSONObject.Member] = []
    private var names: Set<[UInt8]> = []

    var object: JSONObject { JSONObject(members) }
    var keptBytes: Int { HeapSize.ofArray(members) }

    mutating func admit(_ name: String) -> Bool {
        if members.count < 16 { return !members.contains { $0.name.utf8.elementsEqual(name.utf8) } }
        if names.isEmpty { names = Set(members.map { Array($0.name.utf8) }) }
        return names.insert(Array(name.utf8)).inserted
    }

    mutating func append(_ name: String, _ value: JSONValue) {
        if members.isEmpty { members.reserveCapacity(4) }
        members.append(JSONObject.Member(name: name, value: value))
    }
}
