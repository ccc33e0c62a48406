// Scripted faults. A fault has a pattern for requests and a kind of failure. It applies a number of times or with a
// probability. If a fault replaces the answer, the call is not executed.

import PassJSON

struct Fault: Sendable {
    var method: String
    var path: [String]
    var remaining: Int?
    var probability: Double
    var status: Int?
    var error: ErrorCode?
    var delay: Int64
    var drops = false
    var truncates = false
    var malforms = false
    var contentType: String?
    var dateSkew: Int64

    func matches(_ request: Request) -> Bool {
        guard method == "*" || method == request.method else { return false }
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
        return Self.matches(path[...], segments[...])
    }

    /// Whether the pattern matches the path. `*` matches a segment or a part of a segment, and `**` matches the rest.
    private static func matches(_ pattern: ArraySlice<String>, _ path: ArraySlice<Substring>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if first == "**" { return true }
        guard let segment = path.first, first == "*" || glob(Array(first.utf8), Array(segment.utf8)) else {
            return false
        }
        return matches(pattern.dropFirst(), path.dropFirst())
    }

    /// The maximum length of a segment. Longer segments never match.
    private static let longestPart = 1024

    /// Backtracks only to the last `*`, so that the cost is at most the product of both lengths.
    private static func glob(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        guard text.count <= longestPart else { return false }
        let star = UInt8(ascii: "*")
        var (place, at) = (0, 0)
        var lastStar: (place: Int, at: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == star {
                lastStar = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == text[at] {
                place += 1
                at += 1
            } else if let back = lastStar {
                lastStar = (back.place, back.at + 1)
                (place, at) = (back.place + 1, back.at + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == star }
    }
}

struct Faults: Sendable {
    static let maxScripted = 1000
    private(set) var scripted: [Fault] = []

    mutating func add(_ faults: [Fault]) { scripted += faults }

    mutating func clear() { scripted = [] }

    /// Finds the first fault that applies to this request, and counts its use.
    mutating func strike(_ request: Request, _ dice: inout SeededRandom) -> Fault? {
        for index in scripted.indices where scripted[index].matches(request) {
            let fault = scripted[index]
            guard fault.probability >= 1 || dice.fraction() < fault.probability else { continue }
            if let remaining = fault.remaining {
                if remaining <= 1 { scripted.remove(at: index) } else { scripted[index].remaining = remaining - 1 }
            }
            return fault
        }
        return nil
    }
}

extension Fault {
    /// The answer in place of the call; nil if the call is executed.
    func replacement(_ call: Call) -> Response? {
        guard drops || truncates || malforms || error != nil || status != nil else { return nil }
        var response = body(call)
        if malforms { response.body = Array(response.body.dropLast(min(9, response.body.count / 2))) }
        if truncates { response.delivery = .truncated }
        if drops { response.delivery = .dropped }
        return response
    }

    private func body(_ call: Call) -> Response {
        if let error { return .json(error.object(call), status: status ?? error.status) }
        switch status {
        case 429?: return Throttle.refusal
        case 401?: return Refusal.unauthorized.response(call)
        case let status? where status >= 500:
            return .json(ErrorCode.internalServerError.object(call, status: status), status: status)
        case let status?: return .message(status, "A scripted fault")
        case nil: return .json(["note": .string(String(repeating: "a scripted fault ", count: 16))])
        }
    }

    /// Applies the fault's delay, date and content type to an answer. The answer comes from the fault or from the call.
    func bend(_ response: Response) -> Response {
        var response = response
        response.delay += delay
        response.dateSkew += dateSkew
        if let contentType { response.replaceHeader("Content-Type", contentType) }
        return response
    }

    /// Reads a fault from a control request. Contract: operations.md §4.
    init(_ value: JSONValue) throws(Refusal) {
        try value.checkMembers(
            of: "a fault",
            known: [
                "match", "count", "probability", "status", "error", "delay", "drop", "truncate", "malformed",
                "contentType", "dateSkew",
            ])
        let parts = (value["match"]?.string ?? "").split(separator: " ")
        guard parts.count == 2, parts[1].hasPrefix("/"), parts[1].utf8.count <= 256,
            parts[1].filter({ $0 == "*" }).count <= 8
        else { throw .badRequest("\"match\" should be a method and a path, such as \"GET /api/v2/*/profiles/*\"") }
        method = parts[0].uppercased()
        path = parts[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        func number(_ name: String, _ range: ClosedRange<Int64>) throws(Refusal) -> Int? {
            try value.member(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
                value.int.flatMap { range.contains($0) ? Int($0) : nil }
            }
        }
        remaining = try number("count", 1...1_000_000)
        status = try number("status", 200...599)
        probability =
            try value.member("probability", "a number from 0 to 1") { value in
                value.double.flatMap { (0...1).contains($0) ? $0 : nil }
            } ?? 1
        error = try value.member("error", "one of the service's error codes") { $0.string.flatMap(ErrorCode.init) }
        delay =
            try value.member("delay", "a time from 0s to 10m") { value in
                value.duration.flatMap { .zero ... .seconds(600) ~= $0 ? $0.milliseconds : nil }
            } ?? 0
        dateSkew = try value.member("dateSkew", "a time such as \"2s\" or \"-3d\"", \.duration)?.milliseconds ?? 0
        drops = try value.member("drop", "true or false", \.bool) ?? false
        truncates = try value.member("truncate", "true or false", \.bool) ?? false
        malforms = try value.member("malformed", "true or false", \.bool) ?? false
        contentType = try value.member("contentType", "a media type") { value in
            value.string.flatMap { type in
                !type.isEmpty && type.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? type : nil
            }
        }
        guard
            status != nil || error != nil || delay > 0 || drops || truncates || malforms || contentType != nil
                || dateSkew != 0
        else { throw .badRequest("the fault has no effect: give a status, an error, a delay or another effect") }
    }
}
