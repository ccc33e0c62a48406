// Tests that answers from a machine between the box and the service are recognized.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v2.md §6.4: answers that do not come from the service") struct ForeignAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let response: HTTPResponse
        let reason: String
        var testDescription: String { reason }
    }

    private static func row(
        _ status: Int, _ headers: HTTPHeaders = [:], _ body: [UInt8] = [], _ reason: String
    ) -> Row {
        Row(response: HTTPResponse(status: status, headers: headers, body: body), reason: reason)
    }

    static let rows: [Row] = [
        row(
            302, ["Location": "http://127.0.0.1/login?token=x"], [],
            "it redirects to 127.0.0.1, as a captive portal does"),
        row(
            302, ["Location": "https://portal.example/login?a=b"], [],
            "it redirects to portal.example, as a captive portal does"),
        row(
            307, ["Location": "http://user@Portal.example:8080?a"], [],
            "it redirects to portal.example, as a captive portal does"),
        row(302, ["Location": "http://[2001:DB8::1]/x"], [], "it redirects to [2001:db8::1], as a captive portal does"),
        row(302, ["Location": "http://a b/"], [], "it redirects to another address, as a captive portal does"),
        row(
            511, [:], Array("<html><body>Log in</body>".utf8),
            "it is a web page, perhaps from a captive portal or a proxy"),
        row(307, [:], [], "it redirects to another address, as a captive portal does"),
        row(302, ["Location": "\r\nX: y"], [], "it redirects to another address, as a captive portal does"),
        row(
            200, [:], [0x1F, 0x8B, 8],
            "it is compressed, although passd did not ask for compression; a proxy may have changed it"),
        row(
            200, ["Content-Encoding": "br"], [1, 2],
            "it is compressed, although passd did not ask for compression; a proxy may have changed it"),
        row(
            200, [:], Array("\n <!DOCTYPE HTML><html>".utf8),
            "it is a web page, perhaps from a captive portal or a proxy"),
        row(
            403, [:], Array("<html><body>secret</body>".utf8),
            "it is a web page, perhaps from a captive portal or a proxy"),
        row(200, [:], [], "it is empty"), row(200, [:], Array("{".utf8), "it is not what the service answers"),
    ]

    @Test(arguments: rows) func `both interfaces describe the answer without repeating any part of it`(row: Row) {
        let newer = ProfilesAnswer.read(row.response)
        let older = AuthenticationAnswer.read(row.response, refusal: V1Endpoint.authentication.refusal)
        for trouble in [newer.map { _ in 0 }, older.map { _ in 0 }] {
            guard case .failure(.fault(let fault)) = trouble else {
                // V1 maps a 4xx status to a code.
                #expect(row.response.status == 403)
                continue
            }
            #expect(fault.kind == .unusableAnswer)
            #expect(fault.reason == "\(row.reason) (status \(row.response.status))")
        }
    }

    @Test(arguments: [500, 502, 503, 504])
    func `rest-v2.md §6.4: a web page with 5xx is not treated as the service's answer`(
        status: Int
    ) {
        let page = HTTPResponse(status: status, headers: [:], body: Array("<!doctype html><title>502</title>".utf8))
        let own = HTTPResponse(status: status, headers: [:], body: Array(#"{"status": 500, "code": "x"}"#.utf8))
        let prolog = HTTPResponse(
            status: status, headers: [:],
            body: Array(
                #"<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html/>"#.utf8))
        let text = HTTPResponse(status: status, headers: [:], body: Array(" error code: 522".utf8))
        let xml = HTTPResponse(status: status, headers: [:], body: Array("<error><code>x</code></error>".utf8))
        let cases: [(HTTPResponse, String?)] = [
            (page, "a web page came in place of its answer (status \(status))"),
            (prolog, "a web page came in place of its answer (status \(status))"),
            (text, "a plain text came in place of its answer (status \(status))"), (own, nil), (xml, nil),
        ]
        for (response, reason) in cases {
            let newer = ProfilesAnswer.read(response).map { _ in 0 }
            let older = AuthenticationAnswer.read(response, refusal: V1Endpoint.authentication.refusal)
                .map { _ in 0 }
            for trouble in [newer, older] {
                guard case .failure(.fault(let fault)) = trouble else {
                    Issue.record("it counts as an answer")
                    continue
                }
                #expect(fault.kind == .serverError(status) && fault.reason == reason)
            }
            #expect {
                _ = try TokenAnswer.read(registration: response)
            } throws: { error in
                guard let fault = error as? BackendFault else { return false }
                return fault.kind == .serverError(status) && fault.reason == reason
            }
        }
    }
}
