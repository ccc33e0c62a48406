// A request as the service sees it: parsed by libmicrohttpd, or built by a test. Nothing here does I/O.

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
    /// The address of the peer.
    var peer: String = "127.0.0.1"

    /// The first header of that name. Names are compared without regard to case.
    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// The media type of the body, in lower case and without parameters.
    var contentType: String? {
        header("Content-Type").map { $0.upTo(";").lowercased().trimmed }
    }

    /// The caller's address for the throttle and the providers: `X-Forwarded-For` if it is given, else the peer.
    /// Contract: rest-v2.md §3.5, §15.
    var address: String {
        guard let forwarded = header("X-Forwarded-For")?.upTo(","), !forwarded.isEmpty,
            forwarded.utf8.count <= 64
        else { return peer }
        return forwarded.trimmed
    }

    var isFromLoopback: Bool { peer == "::1" || peer.hasPrefix("127.") || peer.hasPrefix("::ffff:127.") }

    /// Whether a page of another site made the browser send this. Older browsers show it only by `Origin`.
    var comesFromAnotherSite: Bool {
        if let site = header("Sec-Fetch-Site") { return site == "cross-site" }
        guard let origin = header("Origin"), let host = header("Host") else { return false }
        return origin.parts(between: "/").last { !$0.isEmpty }?.lowercased() != host.lowercased()
    }
}

extension [Field] {
    /// The value of a parameter that may occur once. An empty value counts as absent.
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
