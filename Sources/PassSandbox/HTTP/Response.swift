// An answer, and how it is sent: whole, cut off half-way, or not at all.

import PassJSON

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
    /// The page that the body shows.
    var page: Page?

    static func json(_ value: JSONValue, status: Int = 200, headers: [Field] = []) -> Response {
        Response(
            status: status, headers: [Field("Content-Type", "application/json;charset=utf-8")] + headers,
            body: value.bytes)
    }

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

    /// A page as a program wants it that plays the viewer and asks for JSON; every other answer as it is.
    func negotiated(_ request: Request) -> Response {
        guard let page, request.header("Accept")?.lowercased().begins(with: "application/json") == true else {
            return self
        }
        var response = self
        response.body = page.json.bytes
        response.replaceHeader("Content-Type", "application/json;charset=utf-8")
        return response
    }

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    mutating func replaceHeader(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(Field(name, value))
    }
}
