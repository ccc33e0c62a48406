// A request to the service, and its answer. Requests are parsed by libmicrohttpd or built by a test.

import PassJSON

struct Field: Equatable, Sendable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

struct Request: Sendable {
    var method: String
    /// The path, percent-decoded and without the query.
    var path: String
    var query: [Field] = []
    var headers: [Field] = []
    var body: [UInt8] = []
    /// The fields of an `application/x-www-form-urlencoded` body; nil for any other body.
    var form: [Field]?
    var peer: String = "127.0.0.1"

    /// The first header of that name. Names are compared without regard to case.
    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// The media type of the body, in lower case and without parameters.
    var contentType: String? {
        header("Content-Type").map { $0.upTo(";").lowercased().trimmed }
    }

    /// The caller's address, for the throttle and the providers. It is the address in `X-Forwarded-For`, or else the peer's
    /// address. Contract: rest-v2.md §3.5, §15.
    var address: String {
        guard let forwarded = header("X-Forwarded-For")?.upTo(","), !forwarded.isEmpty,
            forwarded.utf8.count <= 64
        else { return peer }
        return forwarded.trimmed
    }

    var isFromLoopback: Bool { peer == "::1" || peer.hasPrefix("127.") || peer.hasPrefix("::ffff:127.") }

    /// Whether a page of another site made the browser send the request. In requests of older browsers, only `Origin` shows
    /// this.
    var comesFromAnotherSite: Bool {
        if let site = header("Sec-Fetch-Site") { return site == "cross-site" }
        return hasOwnOrigin == false
    }

    /// Whether the page that sent the request has the address of the sandbox; nil if the request does not name both.
    var hasOwnOrigin: Bool? {
        guard let origin = header("Origin"), let host = header("Host") else { return nil }
        return origin.parts(between: "/").last { !$0.isEmpty }?.lowercased() == host.lowercased()
    }
}

extension [Field] {
    /// The first value of a parameter. An empty value counts as absent.
    func one(_ name: String) -> String? {
        first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    func all(_ name: String) -> [String] { filter { $0.name == name }.map(\.value) }

    /// Whether a name occurs twice with different values.
    var contradictsItself: Bool {
        var values: [String: String] = [:]
        return contains { field in
            values.updateValue(field.value, forKey: field.name).map { $0 != field.value } ?? false
        }
    }
}

// An answer, and the way to send it: whole, cut off in the middle, or not at all.

struct Response: Sendable {
    enum Delivery: Equatable, Sendable { case whole, truncated, dropped }

    var status: Int
    var headers: [Field] = []
    var body: [UInt8] = []
    var delivery = Delivery.whole
    /// The delay of the answer, in milliseconds of real time.
    var delay: Int64 = 0
    /// Milliseconds that are added to the `Date` header.
    var dateSkew: Int64 = 0
    /// The page in the body; nil for other bodies.
    var page: Page?

    static func json(_ value: JSONValue, status: Int = 200, headers: [Field] = []) -> Response {
        Response(
            status: status, headers: [Field("Content-Type", "application/json;charset=utf-8")] + headers,
            body: value.bytes)
    }

    /// A refusal for which neither interface has a code.
    static func message(_ status: Int, _ text: String) -> Response {
        .json(["status": .int(Int64(status)), "message": .string(text)], status: status)
    }

    static let noSuchPath = Response.message(404, "There is nothing at this path")

    static func text(
        _ text: String, status: Int = 200, type: String = "text/plain;charset=utf-8", headers: [Field] = []
    ) -> Response {
        Response(status: status, headers: [Field("Content-Type", type)] + headers, body: Array(text.utf8))
    }

    static func html(_ text: String, status: Int = 200, headers: [Field] = []) -> Response {
        .text(text, status: status, type: "text/html;charset=utf-8", headers: headers)
    }

    static func redirect(to location: String, status: Int = 302, headers: [Field] = []) -> Response {
        Response(status: status, headers: [Field("Location", location)] + headers)
    }

    /// Converts a page to JSON for a program that acts for the viewer and asks for JSON. Returns other answers unchanged.
    func negotiated(_ request: Request) -> Response {
        guard let page, request.header("Accept")?.lowercased().begins(with: "application/json") == true else {
            return self
        }
        var response = self
        response.body = page.json(in: page.language(for: request)).bytes
        response.replaceHeader("Content-Type", "application/json;charset=utf-8")
        return response
    }

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    mutating func replaceHeader(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(Field(name, value))
    }
}
