// Tests valid and invalid lines of the platform helper. docs/platform-helper.md.

import PassProtocol
import Testing

@testable import AccessEnabler
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("access-enabler.md §17.2: the helper's lines") struct PlatformLineTests {
    private func read(_ text: String) throws(PlatformLine.Fault) -> PlatformLine {
        try PlatformLine.read(Array(text.utf8))
    }

    @Test func `each message to the helper is one line of JSON`() {
        let app = AppID(rawValue: "lumen-tv")
        let query = PlatformQuery(
            app: app, requestor: RequestorID(rawValue: "LUMENTV"), mayInterrupt: true, supported: ["beacon-11"],
            attributes: ["userID"], verificationToken: [1, 2, 255])
        var silent = query
        (silent.mayInterrupt, silent.verificationToken) = (false, nil)
        let table: [(PlatformOrder, String)] = [
            (
                .permission(app, mayPrompt: false),
                #"{"type":"permission","id":7,"app":"lumen-tv","mayPrompt":false}"#
            ),
            (
                .account(query),
                #"{"type":"account","id":7,"app":"lumen-tv","requestor":"LUMENTV","mayInterrupt":true,"#
                    + #""supported":["beacon-11"],"featured":[],"attributes":["userID"],"verificationToken":"AQL/"}"#
            ),
            (
                .account(silent),
                #"{"type":"account","id":7,"app":"lumen-tv","requestor":"LUMENTV","mayInterrupt":false,"#
                    + #""supported":["beacon-11"],"featured":[],"attributes":["userID"]}"#
            ),
            (.cancel, #"{"type":"cancel","id":7}"#),
            (.hello, #"{"type":"hello","protocol":1,"daemon":"passd/\#(PassdVersion.text)"}"#),
        ]
        for (order, text) in table { #expect(String(decoding: order.line(7), as: UTF8.self) == text) }
    }

    @Test(arguments: PlatformPermission.allCases) func `each permission has its own word`(
        permission: PlatformPermission
    ) throws {
        let text = #"{"type":"result","id":1,"permission":"\#(permission.rawValue)","later":[{}]}"#
        guard case .result(1, let object) = try read(text) else { throw PlatformLine.Fault(description: "no result") }
        #expect(try PlatformPermission(object) == permission)
    }

    @Test(
        arguments: [
            (#"{"type":"result","id":1}"#, nil, nil, nil),
            (#"{"type":"result","id":1,"provider":null,"expires":null,"samlResponse":null}"#, nil, nil, nil),
            (
                #"{"type":"result","id":1,"provider":"beacon-11","expires":1798156800000}"#, "beacon-11",
                1_798_156_800_000, nil
            ),
            (#"{"type":"result","id":1,"provider":"beacon-11","samlResponse":"<a/>"}"#, "beacon-11", nil, "<a/>"),
        ] as [(String, String?, Int64?, String?)])
    func `the members of an account are read`(text: String, provider: String?, expires: Int64?, saml: String?) throws {
        guard case .result(1, let object) = try read(text) else { throw PlatformLine.Fault(description: "no result") }
        let account = try PlatformAccount(object)
        #expect(account.providerID == provider)
        #expect(account.expires?.milliseconds == expires)
        #expect(account.samlResponse?.reveal() == saml)
        #expect(!"\(account)".contains("<a/>"))
    }

    @Test(
        arguments: [
            (#"{"type":"error","id":2,"code":"cancelled"}"#, .cancelled),
            (#"{"type":"error","id":2,"code":"otherProvider","message":"x"}"#, .otherProvider),
            (
                #"{"type":"error","id":2,"code":"unsupportedProvider","unsupportedProvider":"fern-2"}"#,
                .unsupportedProvider("fern-2")
            ),
            (
                #"{"type":"error","id":2,"code":"E7","message":"No network"}"#,
                .failed(code: "E7", message: "No network")
            ),
            (#"{"type":"error","id":2,"code":"E7"}"#, .failed(code: "E7", message: "")),
        ] as [(String, PlatformFault)])
    func `each failure has its meaning`(text: String, fault: PlatformFault) throws {
        guard case .failure(2, let found) = try read(text) else { throw PlatformLine.Fault(description: "no failure") }
        #expect(found == fault)
    }

    @Test(arguments: [
        "", "hello", "[]", "{}", #"{"type":1}"#, #"{"type":"hello"}"#, #"{"type":"hello","protocol":1,"name":"a"}"#,
        #"{"type":"hello","protocol":"1","name":"a","version":"1"}"#,
        #"{"type":"hello","protocol":1,"name":"","version":"1"}"#, #"{"type":"result"}"#,
        #"{"type":"result","id":"1"}"#, #"{"type":"result","id":1.5}"#, #"{"type":"error","id":1}"#,
        #"{"type":"error","id":1,"code":"unsupportedProvider"}"#, #"{"type":"error","id":1,"code":"x","message":1}"#,
        #"{"type":"presentDialog","id":1}"#, #"{"type":"dismissDialog","id":1,"handle":""}"#,
        #"{"type":"presentDialog","id":1,"handle":"\#(String(repeating: "x", count: 257))"}"#,
        #"{"type":"result","id":1} trailing"#, #"{"type":"result","id":1,"id":2}"#,
        #"{"type":"result","id":1,"deep":\#(String(repeating: "[", count: 30))\#(String(repeating: "]", count: 30))}"#,
        #"{"type":"result","id":1,"many":[\#(String(repeating: "1,", count: 2000))1]}"#,
    ]) func `any other line is an error that shows no part of the line`(text: String) {
        #expect(throws: PlatformLine.Fault.self) { try read(text) }
    }

    @Test(arguments: [
        #"{"permission":"maybe"}"#, #"{"permission":null}"#, "{}", #"{"permission":1}"#,
    ]) func `an invalid permission is an error`(members: String) throws {
        let text = #"{"type":"result","id":1,"# + (members == "{}" ? #""x":1}"# : members.dropFirst())
        guard case .result(_, let object) = try read(text) else { throw PlatformLine.Fault(description: "no result") }
        #expect(throws: PlatformLine.Fault.self) { try PlatformPermission(object) }
    }

    @Test(arguments: [
        #""provider":"""#, #""provider":7"#, #""expires":"soon""#, #""expires":1e300"#, #""samlResponse":{}"#,
    ]) func `an invalid account is an error`(member: String) throws {
        guard case .result(_, let object) = try read(#"{"type":"result","id":1,\#(member)}"#) else {
            throw PlatformLine.Fault(description: "no result")
        }
        let fault = #expect(throws: PlatformLine.Fault.self) { try PlatformAccount(object) }
        #expect(fault?.description.hasPrefix("it printed a line whose ") == true)
    }

    @Test func `a type of a later version is not an error`() throws {
        guard case .unknown(let type) = try read(#"{"type":"weather","id":[]}"#) else {
            throw PlatformLine.Fault(description: "known")
        }
        #expect(type == "weather")
    }
}
