// The client of these tests, from the statement to the media token. Contract: rest-v2.md §2, §4.

import PassJSON
import PassTestTools

@testable import PassSandbox

struct Television {
    static let deviceInfo =
        "X-Device-Info: "
        + base64(
            #"{"model":"LTV-200","version":"2.1","osName":"Linux","osVersion":"6.12","connectionType":"LAN"}"#.utf8)

    let sandbox: RunningSandbox
    var client = ""
    var secret = ""
    var token = ""
    var identifier = "AP-Device-Identifier: fingerprint " + base64("box-1".utf8)

    init(_ sandbox: RunningSandbox) { self.sandbox = sandbox }

    var headers: [String] { ["Authorization: Bearer \(token)", Self.deviceInfo, identifier] }

    static func statement(_ sandbox: RunningSandbox) throws -> String {
        try sandbox.control("/sandbox/statement", ["app": "lumen-tv"])["statement"]
    }

    mutating func register(_ statement: String) throws {
        let reply = try sandbox.request(
            "POST", "/o/client/register", ["Content-Type: application/json", Self.deviceInfo],
            (["software_statement": .string(statement)] as JSONValue).text)
        client = reply["client_id"]
        secret = reply["client_secret"]
        guard reply.status == 201 else { throw TestFailure("register: \(reply.status) \(reply.text)") }
    }

    mutating func fetchToken() throws {
        let reply = try sandbox.request(
            "POST", "/o/client/token", ["Content-Type: application/x-www-form-urlencoded", Self.deviceInfo],
            "grant_type=client_credentials&client_id=\(client)&client_secret=\(percentEncoded(secret))")
        token = reply["access_token"]
        guard reply.status == 201 else { throw TestFailure("token: \(reply.status) \(reply.text)") }
    }

    func openSession(
        _ form: String = "mvpd=NorthCable&domainName=localhost&redirectUrl=http%3A%2F%2Flocalhost%3A9%2F"
    )
        throws -> String
    {
        let reply = try sandbox.request(
            "POST", "/api/v2/LUMENTV/sessions", ["Content-Type: application/x-www-form-urlencoded"] + headers, form)
        guard reply.status == 200, !reply["code"].isEmpty else {
            throw TestFailure("session: \(reply.status) \(reply.text)")
        }
        return reply["code"]
    }

    func profiles(_ code: String) throws -> JSONValue? {
        try sandbox.request("GET", "/api/v2/LUMENTV/profiles/code/\(code)", headers).json["profiles"]
    }

    /// Returns the serialized media token.
    func authorize(_ resource: String = "lumen-sports-1") throws -> String {
        let reply = try sandbox.request(
            "POST", "/api/v2/LUMENTV/decisions/authorize/NorthCable", ["Content-Type: application/json"] + headers,
            #"{"resources":["\#(resource)"]}"#)
        guard let token = reply.json["decisions"]?.array?.first?["token"]?["serializedToken"]?.string else {
            throw TestFailure("authorize: \(reply.status) \(reply.text)")
        }
        return token
    }
}
