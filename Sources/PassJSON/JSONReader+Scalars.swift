// The reader's part for strings and numbers.

extension JSONReader {
    /// Reads a string, from the opening quote to the closing quote.
    mutating func string() throws(JSONFault) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let text = try text(start..<index)
                index += 1
                keptBytes += HeapSize.ofText(text.utf8.count)
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw fault(.controlCharacter)
            default: index += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    private func text(_ range: Range<Int>) throws(JSONFault) -> String {
        guard let text = String(validating: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self) else {
            throw fault(.invalidUTF8, at: range.lowerBound)
        }
        return text
    }

    /// Reads a string with escapes, which is slower. The text between the escapes is copied.
    private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
        var copy = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                guard let text = String(validating: copy, as: UTF8.self) else {
                    throw fault(.invalidUTF8, at: start)
                }
                keptBytes += HeapSize.ofText(copy.count)
                return text
            case UInt8(ascii: "\\"): try escape(into: &copy)
            case 0..<0x20: throw fault(.controlCharacter)
            default:
                copy.append(byte)
                index += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    private mutating func escape(into copy: inout [UInt8]) throws(JSONFault) {
        guard index + 1 < bytes.count else { throw fault(.unexpectedEnd, at: bytes.count) }
        let plain: UInt8
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = bytes[index + 1]
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            UTF8.encode(try scalar())?.forEach { copy.append($0) }
            return
        default: throw fault(.badEscape)
        }
        copy.append(plain)
        index += 2
    }

    /// Reads `\uXXXX`, or two of these for a surrogate pair.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let start = index
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw fault(.loneSurrogate, at: start) }
        let second = try unit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw fault(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func unit() throws(JSONFault) -> UInt16 {
        index += 2
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard index < bytes.count else { throw fault(.unexpectedEnd) }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
            default: throw fault(.badEscape)
            }
            index += 1
        }
        return unit
    }

    /// Reads a number: checks the grammar and keeps the text.
    mutating func number() throws(JSONFault) -> JSONNumber {
        let start = index
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try digits()
        }
        if index < bytes.count, 0x30...0x39 ~= bytes[index] { throw fault(.badNumber) }
        keptBytes += HeapSize.ofText(index - start)
        return JSONNumber(verbatim: try text(start..<index))
    }

    @discardableResult private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func digits() throws(JSONFault) {
        let start = index
        while index < bytes.count, 0x30...0x39 ~= bytes[index] { index += 1 }
        guard index > start else { throw fault(index < bytes.count ? .badNumber : .unexpectedEnd) }
    }
}
