// The record of received requests, for the tests of clients. Secrets are masked before a request is recorded.

import PassJSON

struct RequestJournal: Sendable {
    static let maxEntries = 10_000

    struct Entry: Sendable {
        var time: Instant
        var method: String
        var path: String
        var query: [Field]
        var headers: [Field]
        var status: Int
    }

    private var entries: [Entry] = []
    private var start = 0

    mutating func record(_ request: Request, at time: Instant, status: Int) {
        let entry = Entry(
            time: time, method: request.method, path: Self.masked(path: request.path),
            query: request.query.prefix(Self.maxFields).map { Self.masked($0, Self.secretParameters) },
            headers: request.headers.prefix(Self.maxFields).map { Self.masked($0, Self.secretHeaders) }, status: status
        )
        if entries.count < Self.maxEntries {
            entries.append(entry)
        } else {
            entries[start] = entry
            start = (start + 1) % Self.maxEntries
        }
    }

    mutating func clear() { self = RequestJournal() }

    var json: JSONValue {
        let ordered = entries[start...] + entries[..<start]
        return .array(
            ordered.map { entry in
                [
                    "time": .int(entry.time), "method": .string(entry.method), "path": .string(entry.path),
                    "query": Self.object(entry.query), "headers": Self.object(entry.headers),
                    "status": .int(Int64(entry.status)),
                ]
            })
    }

    /// The fields as an object. A name that occurs several times gets an array.
    private static func object(_ fields: [Field]) -> JSONValue {
        var members: [JSONObject.Member] = []
        for field in fields where !members.contains(where: { $0.name == field.name }) {
            let values = fields.all(field.name).map(JSONValue.string)
            members.append(JSONObject.Member(field.name, values.count == 1 ? values[0] : .array(values)))
        }
        return .object(members)
    }

    static let mask = "***"
    private static let maxFields = 64
    private static let longestValue = 1024
    private static let secretParameters: Set = [
        "access_token", "client_secret", "software_statement", "samlresponse", "password", "ast", "generic_data",
        "login", "csrf", "token",
    ]
    private static let secretHeaders: Set = [
        "authorization", "ad-service-token", "adobe-subject-token", "x-roku-reserved-roku-connect-token", "cookie",
        "ap-temppass-identity", "ap-partner-framework-status", "x-sso-id", "x-sso-link", "proxy-authorization",
    ]

    /// Masks the value of a secret field. The scheme of an authorization stays readable, so that tests can check for a bearer
    /// token.
    private static func masked(_ field: Field, _ secrets: Set<String>) -> Field {
        guard secrets.contains(field.name.lowercased()) else {
            if field.name.lowercased() == "referer", let path = field.value.place(of: "/login/") {
                return Field(field.name, field.value[..<path.upperBound] + mask)
            }
            return Field(field.name, String(field.value.prefix(longestValue)))
        }
        let parts = field.value.parts(between: " ").filter { !$0.isEmpty }
        let scheme = parts.first ?? ""
        let keepsScheme = field.name.lowercased() == "authorization" && parts.count > 1
        return Field(field.name, keepsScheme ? "\(scheme) \(mask)" : mask)
    }

    /// Masks the last part of a login page's path. This part is the secret id of the attempt.
    private static func masked(path: String) -> String {
        guard path.begins(with: "/login/") else { return path }
        return "/login/" + mask
    }
}
