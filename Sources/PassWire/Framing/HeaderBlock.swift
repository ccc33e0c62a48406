// The headers of a message in the Content-Length framing. Headers other than Content-Length are allowed and ignored.

struct HeaderBlock: Equatable {
    enum Outcome: Equatable {
        case incomplete
        case malformed(String)
        case complete(HeaderBlock)
    }

    /// The max size of a header block in bytes, enough for Content-Length and Content-Type.
    static let maxSize = 1024

    let contentLength: Int
    /// The number of bytes before the body.
    let size: Int

    static func read(_ bytes: ArraySlice<UInt8>) -> Outcome {
        let window = bytes.prefix(maxSize)
        var position = window.startIndex
        var length: Int?
        while let end = window[position...].firstIndex(of: UInt8(ascii: "\n")) {
            guard end > position, window[end - 1] == UInt8(ascii: "\r") else {
                return .malformed("a line has to end with \\r\\n")
            }
            let line = window[position..<end - 1]
            position = end + 1
            if line.isEmpty {
                guard let length else { return .malformed("Content-Length is missing") }
                return .complete(HeaderBlock(contentLength: length, size: position - bytes.startIndex))
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isName(line[..<colon]) else {
                return .malformed("a header has to be \"Name: value\"")
            }
            guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-length" else { continue }
            guard length == nil else { return .malformed("Content-Length occurs twice") }
            guard let value = number(line[(colon + 1)...]) else {
                return .malformed("Content-Length has to be a decimal number")
            }
            length = value
        }
        return window.count < maxSize ? .incomplete : .malformed("the headers are longer than \(maxSize) bytes")
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// Reads a number. A number with too many digits counts as larger than any limit, not as malformed.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = bytes.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
