// A sent request and its outcome, for logging. Its public members contain no secrets and no personal data.

public import PassJSON

public struct SentRequest: Sendable, CustomStringConvertible, CustomReflectable {
    public var method: HTTPRequest.Method { request.method }
    public var origin: Origin { request.url.origin }
    /// The pattern of the path, with placeholders in place of values.
    public var route: String { request.route }
    /// The status of the answer, or the fault.
    public var outcome: Result<Int, HTTPFault> { result.map(\.status) }
    public let duration: Duration
    /// The service's identifier of the request, if the answer has one. Contract: rest-v1.md §6.11.
    public var serviceID: String? { (try? result.get())?.headers["Adobe-Request-Id"].map { String($0.prefix(64)) } }
    let request: HTTPRequest
    let result: Result<HTTPResponse, HTTPFault>

    public var description: String { "\(method.rawValue) \(route)" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    public var isRegistration: Bool { route == RegistrationCalls.registrationPath }
}

/// The description of a request and its answer. Support uses this description when a box contacts a service for the first time.
/// The description has the names of headers and members. It has values only if they are words of the interface, dates or
/// statuses. In place of other values, it has only their kinds. It contains no credentials, and nothing about the viewer or the
/// viewer's programmes. docs/first-contact.md.
extension SentRequest {
    public func described() -> JSONValue {
        var answer: JSONValue
        switch result {
        case .success(let response):
            answer = .members([
                "status": .int(response.status), "headers": Self.headers(response.headers),
                "body": Self.body(response.body, response.headers),
            ])
        case .failure(let fault): answer = ["fault": .string(fault.description)]
        }
        return .members([
            "request": .string("\(method.rawValue) \(route)"), "origin": .string(origin.description),
            "query": .strings(Self.queryNames(request)), "headers": Self.headers(request.headers),
            "body": Self.body(request.body, request.headers),
            "milliseconds": .int(Int64(duration / .milliseconds(1))), "answer": answer,
        ])
    }

    /// Headers whose values reveal nothing about the box or the viewer.
    private static let shownHeaders: Set = [
        "accept", "content-type", "content-length", "date", "cache-control", "retry-after", "location-type", "server",
    ]
    /// Members whose values are fixed words of the interface, such as the names of actions and states.
    private static let wordMembers: Set = [
        "action", "actionname", "actiontype", "reasontype", "type", "source", "state", "error", "grant_type",
        "token_type", "missingparameters", "boardingstatus", "scopes", "grant_types",
    ]
    /// Members whose values are dates, lifetimes or statuses.
    private static let numberMembers: Set = [
        "notbefore", "notafter", "expires", "expires_in", "created_at", "client_id_issued_at", "status", "authorized",
        "generated", "duration",
    ]

    /// The max number of described values in one body.
    private static let maxValues = 200

    private static func queryNames(_ request: HTTPRequest) -> [String] {
        let query = request.url.target.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").prefix(64).map { name($0.prefix { $0 != "=" }) }
    }

    private static func headers(_ headers: HTTPHeaders) -> JSONValue {
        object(
            headers.fields.prefix(64).map { field in
                let isShown = shownHeaders.contains(field.name.lowercased())
                let value = isShown ? String(field.value.prefix(128)) : kind(field.value)
                return (name(field.name[...]), .string(value))
            })
    }

    /// Adds numbers to repeated names, because a header may be repeated. The first member with a name has no number.
    private static func object(_ members: [(name: String, value: JSONValue)]) -> JSONValue {
        var counts: [String: Int] = [:]
        let numbered = members.map { member in
            let count = counts[member.name, default: 0] + 1
            counts[member.name] = count
            return (count == 1 ? member.name : "\(member.name) (\(count))", member.value)
        }
        return .object(JSONObject(numbered))
    }

    private static func body(_ bytes: [UInt8], _ headers: HTTPHeaders) -> JSONValue? {
        guard !bytes.isEmpty else { return nil }
        let type = headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") {
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: "&").prefix(64)
            return object(
                fields.map { field in
                    let (name, value) = (field.prefix { $0 != "=" }, String(field.drop { $0 != "=" }.dropFirst()))
                    return (Self.name(name), .string(shown(value, of: name.lowercased())))
                })
        }
        guard let value = try? JSONReader.read(bytes) else { return .string("\(bytes.count) bytes that are no JSON") }
        var left = maxValues
        return shape(value, at: Place(), depth: 8, &left)
    }

    private struct Place {
        /// The name of the value's member, in lower case.
        var member = ""
        /// The depth inside the viewer's metadata. In the metadata, only the names of the first level are shown.
        var depthInViewer = 0
    }

    /// Members with data of the viewer.
    private static let viewerMembers: Set = ["attributes", "metadata", "usermetadata", "data", "encrypted"]
    private static let providerMembers: Set = ["profiles", "logouts"]

    private static func shape(_ value: JSONValue, at place: Place, depth: Int, _ left: inout Int) -> JSONValue {
        guard depth > 0 else { return .string("deeper") }
        guard left > 0 else { return .string("more") }
        left -= 1
        let isOfViewer = place.depthInViewer > 0
        switch value {
        case .null: return value
        case .bool: return isOfViewer ? .string("true or false") : value
        case .number: return numberMembers.contains(place.member) && !isOfViewer ? value : .string("a number")
        case .string(let text): return .string(isOfViewer ? "a text" : shown(text, of: place.member))
        case .array(let items):
            if isOfViewer { return .string("a list") }
            let first = items.prefix(5).map { shape($0, at: place, depth: depth - 1, &left) }
            return .array(items.count > 5 ? first + [.string("\(items.count) in all")] : first)
        case .object(let object):
            var members: [(name: String, value: JSONValue)] = []
            for each in object.members.prefix(64) {
                let member = each.name.lowercased()
                let isForm = place.depthInViewer == 2 && (member == "value" || member == "state")
                let isNamed = !isOfViewer || place.depthInViewer == 1 || isForm
                var inside = Place(member: member)
                inside.depthInViewer = isOfViewer ? place.depthInViewer + 1 : viewerMembers.contains(member) ? 1 : 0
                let shown = isNamed ? name(each.name[...]) : "a name"
                members.append(
                    (
                        providerMembers.contains(place.member) ? "a provider" : shown,
                        shape(each.value, at: inside, depth: depth - 1, &left)
                    ))
            }
            return Self.object(members)
        }
    }

    private static func shown(_ text: String, of member: String) -> String {
        let isWord = !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy(isWordByte)
        if wordMembers.contains(member), isWord { return text }
        // The member `code` is either an error code, which is shown, or a registration code, which is not shown. Only error
        // codes have an underscore.
        if member == "code", isWord, text.utf8.contains(UInt8(ascii: "_")) { return text }
        let isNumber = !text.isEmpty && text.utf8.count <= 20 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if numberMembers.contains(member), isNumber { return text }
        return kind(text)
    }

    private static func kind(_ text: String) -> String {
        if text.hasPrefix("https://") || text.hasPrefix("http://") { return "an address of \(text.utf8.count) bytes" }
        return text.hasPrefix("/") ? "a path of \(text.utf8.count) bytes" : "a text of \(text.utf8.count) bytes"
    }

    /// Returns the name, or only its size if the name is too long or unusual, because the service may have used a value as a
    /// name.
    private static func name(_ text: Substring) -> String {
        let isName = !text.isEmpty && text.utf8.count <= 48 && text.utf8.allSatisfy { isWordByte($0) || $0 == 0x2D }
        return isName ? String(text) : "a name of \(text.utf8.count) bytes"
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A: true
        default: false
        }
    }
}
