// Encodes text for a URL or a form: all characters except the unreserved ones of RFC 3986 are escaped.

func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
}

public func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in text.utf8 {
        if isUnreserved(byte) {
            out.append(byte)
        } else {
            out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: out, as: UTF8.self)
}

/// `a=1&b=2`, for a query and for a body of type `application/x-www-form-urlencoded`.
public func formEncoded(_ fields: [(name: String, value: String)]) -> String {
    fields.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }.joined(separator: "&")
}
