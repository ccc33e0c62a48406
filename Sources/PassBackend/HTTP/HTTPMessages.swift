// Requests, answers, their headers and their dates.

public struct HTTPRequest: Equatable, Sendable {
    public enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    public var method: Method
    public var url: ServiceURL
    public var headers: HTTPHeaders
    public var body: [UInt8]
    /// Whether the service must not get the request twice. Such a request uses a new connection, because on a reused connection
    /// passd may not know whether the service has seen the request.
    public var isForOnce = false
    /// If the answer's body is larger, it is cut, and the rest is not read. If nil, an answer that is too large is a fault.
    var maxBodySize: Int?
    /// The description of the box for the header `X-Device-Info`. If it is set, that header also describes the connection
    /// on which the request is sent.
    var device: DeviceDescription?
    /// The path for logs, with placeholders in place of values.
    public var route = "-"

    public init(_ method: Method, _ url: ServiceURL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// `route` is a path with placeholders, such as `/api/v2/{serviceProvider}/profiles/{mvpd}`. `values` replace the
    /// placeholders in their order. Each value is escaped as a whole. Logs show the route and not the path, because codes and
    /// the names of viewers' providers must not be logged.
    init(
        _ method: Method, _ origin: Origin, route: String, _ values: [String] = [], query: String = "",
        headers: HTTPHeaders, body: [UInt8] = []
    ) {
        var rest = values[...]
        let path = route.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? percentEncoded(rest.popFirst() ?? "") : String($0) }
            .joined(separator: "/")
        let target = query.isEmpty ? path : path + "?" + query
        self.init(method, ServiceURL(origin: origin, target: target), headers: headers, body: body)
        self.route = route
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// Leaves out query, headers and body, because they must not be logged.
    public var description: String { "\(method.rawValue) \(url.origin)\(url.path)" }
}

/// A complete answer. A truncated answer is a fault instead.
public struct HTTPResponse: Equatable, Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let body: [UInt8]
    /// The service's date when it answered, as Unix time in milliseconds. Nil if the answer has no date.
    public let date: Int64?

    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        date = headers["Date"].flatMap(epochMilliseconds(httpDate:))
    }
}

extension HTTPResponse: CustomStringConvertible {
    public var description: String { "\(status), \(body.count) bytes" }
}

/// Header fields in their order. The case of names does not matter.
public struct HTTPHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    public struct Field: Equatable, Sendable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// Adds a field. Does nothing if `value` is nil.
    public mutating func append(_ name: String, _ value: String?) {
        if let value { fields.append(Field(name: name, value: value)) }
    }

    /// The value of the first field with that name.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// Whether every field can be sent unchanged. A value with a line break would begin another field.
    var areSafe: Bool {
        fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(Self.isTokenByte)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte)
    }
}

extension HTTPHeaders.Field: CustomStringConvertible {
    /// Only the name, because the value may be a secret.
    public var description: String { name }
}

/// Reads a date like `Sun, 06 Nov 1994 08:49:37 GMT`. HTTP no longer allows senders to use other forms. Other forms are
/// ignored, because a wrong correction of the clock does more harm than no correction.
func epochMilliseconds(httpDate text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 29, text.hasSuffix(" GMT"), days.contains(text.prefix(5)), bytes[7] == 0x20,
        bytes[11] == 0x20, bytes[16] == 0x20, bytes[19] == 0x3A, bytes[22] == 0x3A,
        let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
        let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), year >= 1970,
        let hour = number(bytes[17..<19]), let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
        (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return ((daysSinceEpoch(year, month: month + 1, day: day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000
}

private let days: Set<Substring> = ["Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, "]
private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

private func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    digits.allSatisfy { (0x30...0x39).contains($0) } ? Int64(String(decoding: digits, as: UTF8.self)) : nil
}

/// Days since the epoch in the Gregorian calendar. The days are counted in eras of 400 years, and each year begins in
/// March.
private func daysSinceEpoch(_ year: Int64, month: Int, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = Int64(153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}
