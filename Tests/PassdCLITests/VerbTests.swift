// Tests each verb: its calls, its output and its exit code.

import PassArguments
import PassDescription
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassCLI

@Suite("operations.md §1: verbs")
struct VerbTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let words: [String]
        let method: String
        let params: JSONValue
        let result: JSONValue
        let exit: ExitCode
        let out: String
        let err: String

        init(
            _ words: [String], _ method: String, _ params: JSONValue = [:], gives result: JSONValue,
            _ exit: ExitCode = .done, out: String, err: String = ""
        ) {
            self.words = words
            self.method = method
            self.params = params
            self.result = result
            self.exit = exit
            self.out = out
            self.err = err
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    static let providers: JSONValue = [
        "providers": [
            ["id": "cablevista", "displayName": "CableVista", "logoURL": ""],
            ["id": "sky", "displayName": "Sky\u{1B}[2J\u{9B}2\u{202E}J", "logoURL": ""],
        ]
    ]

    static let rows: [Row] = [
        Row(
            ["check"], "checkAuthentication",
            gives: ["status": 1, "authenticated": true, "errorCode": "", "provider": "cablevista"],
            out: "Signed in with cablevista.\n"),
        Row(
            ["check"], "checkAuthentication", gives: ["status": 0, "authenticated": false], .no,
            out: "Nobody is signed in.\n"),
        Row(["logout"], "logout", gives: ["status": 0, "actions": []], out: "Signed out.\n"),
        Row(
            ["logout"], "logout",
            gives: ["status": 0, "actions": [["provider": "sky", "action": "none", "told": false]]],
            out: "Signed out of this box.\n",
            err: "passd-cli: The service has not accepted the logout yet; passd-cli doctor says why.\n"),
        Row(
            ["logout"], "logout",
            gives: ["status": 0, "actions": [["provider": "sky", "action": "browser", "url": "https://x"]]],
            out: "Signed out.\n", err: "passd-cli: To finish signing out of sky, open in a browser: https://x\n"),
        Row(
            ["providers", "--temp-pass"], "listProviders", ["includeTempPass": true], gives: providers,
            out: "cablevista  CableVista\nsky         Sky [2J 2 J\n"),
        Row(
            ["authorize", "NEWS24"], "checkAuthorization", ["resource": "NEWS24"],
            gives: ["authorized": true, "resource": "NEWS24", "token": "PHNpZz4=", "source": "mvpd"],
            out: "PHNpZz4=\n", err: "passd-cli: decided by mvpd.\n"),
        Row(
            ["authorize", "NEWS24"], "checkAuthorization", ["resource": "NEWS24"],
            gives: [
                "authorized": false, "resource": "NEWS24", "errorCode": "USER_NOT_AUTHORIZED_ERROR",
                "error": [
                    "status": 403, "code": "x", "action": "none", "message": "m", "details": "Not in your plan.",
                ],
            ], .no, out: "", err: "passd-cli: Not in your plan.\n"),
        Row(
            ["authorize", "NEWS24"], "checkAuthorization", ["resource": "NEWS24"],
            gives: [
                "authorized": false, "resource": "NEWS24", "errorCode": "USER_NOT_AUTHORIZED_ERROR",
                "display": "Your subscription does not include this channel.", "displaySource": "box",
                "error": ["status": 403, "code": "x", "action": "none", "message": "For developers."],
            ], .no, out: "", err: "passd-cli: Your subscription does not include this channel.\n"),
        Row(
            ["authorize", "NEWS24"], "checkAuthorization", ["resource": "NEWS24"],
            gives: ["authorized": false, "resource": "NEWS24", "errorCode": "USER_NOT_AUTHENTICATED_ERROR"], .no,
            out: "", err: "passd-cli: Nobody is signed in. Sign in with passd-cli login.\n"),
        Row(
            ["preauthorize", "A", "B"], "preauthorize", ["resources": ["A", "B"], "disabledFeatures": []],
            gives: [
                "decisions": [
                    ["id": "A", "authorized": true],
                    ["id": "B", "authorized": false, "error": ["code": "x", "message": "Not yours."]],
                ]
            ], out: "yes  A\nno   B  Not yours.\n"),
        Row(
            ["preauthorize", "B"], "preauthorize", ["resources": ["B"], "disabledFeatures": []],
            gives: ["decisions": [["id": "B", "authorized": false]]], .no, out: "no   B\n"),
        Row(
            ["preauthorize", "A", "B", "C"], "preauthorize", ["resources": ["A", "B", "C"], "disabledFeatures": []],
            gives: [
                "decisions": [
                    ["id": "A", "authorized": true],
                    ["id": "B", "authorized": false, "error": ["code": "decision_missing", "message": "No answer."]],
                    [
                        "id": "C", "authorized": false, "displayCode": "tryLater",
                        "error": ["code": "x", "message": "Slow."],
                    ],
                ]
            ], out: "yes        A\nundecided  B  No answer.\nundecided  C  Slow.\n"),
        // The provider's words may come with an error that decides nothing.
        Row(
            ["preauthorize", "B", "C", "D"], "preauthorize", ["resources": ["B", "C", "D"], "disabledFeatures": []],
            gives: [
                "decisions": [
                    [
                        "id": "B", "authorized": false, "displaySource": "provider",
                        "error": ["code": "network_connection_timeout", "action": "none", "details": "We are down."],
                    ],
                    [
                        "id": "C", "authorized": false, "displaySource": "provider",
                        "error": ["code": "x", "action": "retry", "details": "Later."],
                    ],
                    [
                        "id": "D", "authorized": false, "displaySource": "provider",
                        "error": ["code": "authorization_denied_by_mvpd", "action": "retry", "details": "Not yours."],
                    ],
                ]
            ], .no, out: "undecided  B  We are down.\nundecided  C  Later.\nno         D  Not yours.\n"),
        Row(
            ["preauthorize", "B"], "preauthorize", ["resources": ["B"], "disabledFeatures": []],
            gives: ["status": ["code": "x", "message": "In English.", "action": "authentication"]], .no,
            out: "Nobody is signed in.\n"),
        Row(
            ["preauthorize", "B"], "preauthorize", ["resources": ["B"], "disabledFeatures": []],
            gives: ["status": ["code": "x", "message": "It has failed.", "action": "retry"]], .no,
            out: "It has failed.\n"),
        Row(
            ["profiles"], "listProfiles", gives: ["profiles": []], out: "", err: "passd-cli: Nobody is signed in.\n"),
        Row(
            ["metadata", "zip"], "getMetadata", ["key": "METADATA_USER_META", "userMetadataKey": "zip"],
            gives: ["key": "METADATA_USER_META", "metadata": ["12345"], "encrypted": false, "arguments": [:]],
            out: "[\"12345\"]\n"),
        Row(
            ["metadata", "authorization", "--resource", "R"], "getMetadata",
            ["key": "METADATA_AUTHORIZATION", "resource": "R"], gives: ["metadata": "123", "encrypted": false],
            out: "123\n"),
        Row(
            ["metadata", "device-id"], "getMetadata", ["key": "METADATA_DEVICE_ID"], gives: ["metadata": nil], .no,
            out: "", err: "passd-cli: There is no such value.\n"),
        Row(
            ["profiles"], "listProfiles",
            gives: ["profiles": [["provider": "sky", "type": "regular", "attributes": ["zip": "1"]]]],
            out: "provider  type\nsky       regular\n"),
        Row(
            ["call", "listProfiles"], "listProfiles", gives: ["profiles": []], out: "{\"profiles\":[]}\n"),
        Row(
            ["call", "later.method", "a=1", "b=text", "c=[true]", "d=\"2\"", "e="], "later.method",
            ["a": 1, "b": "text", "c": [true], "d": "2", "e": ""], gives: ["n": 1], out: "{\"n\":1}\n"),
    ]

    @Test(arguments: rows)
    func `a verb makes its call and prints the answer`(_ row: Row) async throws {
        let daemon = try ScriptedDaemon([row.method: .result(row.result)])
        let ran = await run(row.words, daemon)
        #expect(ran.exit == row.exit)
        #expect(ran.out == row.out)
        #expect(ran.err == row.err)
        #expect(daemon.params(of: row.method) == [row.params])
        #expect(daemon.heard.elements.allSatisfy { $0.socket == .api })
    }

    @Test(arguments: rows)
    func `with --json the answer is one object with the daemon's result`(_ row: Row) async throws {
        let daemon = try ScriptedDaemon([row.method: .result(row.result)])
        let ran = await run(["--json"] + row.words, daemon)
        #expect(ran.exit == row.exit)
        let answer = try object(ran.out)
        #expect(answer["passd"] == ["format": 1, "version": .string(PassdVersion.text)])
        #expect(answer["kind"]?.string == row.words[0])
        #expect(answer["data"] == row.result)
        #expect(ran.out.dropLast().unicodeScalars.allSatisfy { !$0.steersTerminals })
    }

    @Test func `a call sets the requestor first only if the method needs one`() async throws {
        let daemon = try ScriptedDaemon()
        await run(["--requestor", "R", "call", "checkAuthentication"], daemon)
        await run(["--requestor", "R", "call", "passd.whoami"], daemon)
        await run(["call", "later.method"], daemon)
        #expect(daemon.methods == ["setRequestor", "checkAuthentication", "passd.whoami", "later.method"])
    }

    @Test func `on a terminal, the answer to a call is printed for people`() async throws {
        let daemon = try ScriptedDaemon(["later.method": .result(["n": 1])])
        let console = RecordedConsole(output: Screen(isTerminal: true))
        #expect(await run(["call", "later.method"], daemon, console: console).out == "{\n  \"n\": 1\n}\n")
    }

    @Test func `a malicious description of the daemon cannot control the terminal`() async throws {
        let text: JSONValue = "a\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\nb"
        let params: JSONValue = [
            ["name": text, "summary": text, "schema": ["type": text, "enum": [text]]],
            ["name": "b", "schema": ["$ref": text]],
        ]
        let document: JSONValue = [
            "methods": [["name": "logout", "summary": text, "params": params, "x-passd-capability": text]]
        ]
        let daemon = try ScriptedDaemon(["rpc.discover": .result(document)])
        for words in [["describe"], ["describe", "logout"], ["--json", "describe"]] {
            let ran = await run(words, daemon)
            #expect(ran.out.split(separator: "\n").allSatisfy { !$0.unicodeScalars.contains { $0.steersTerminals } })
        }
    }

    private static let document = OpenRPCDocument.json(version: "9", denial: .denied("No", remedy: "Ask."))

    @Test func `describe lists the methods of the daemon, explains a method, and suggests the nearest name`()
        async throws
    {
        let daemon = try ScriptedDaemon(["rpc.discover": .result(Self.document)])
        let list = await run(["describe"], daemon)
        for method in MethodTable.all { #expect(list.out.contains(method.definition.summary)) }
        for callback in CallbackTable.all { #expect(list.out.contains(callback.summary)) }
        let page = await run(["describe", "getAuthorization"], daemon)
        for word in ["resource", "required", "token", "CFG429", "-32011", "the capability entitlement"] {
            #expect(page.out.contains(word), "\(word)")
        }
        #expect(try object(await run(["--json", "describe"], daemon).out)["data"] == Self.document)
        let unknown = await run(["describe", "getAuthorisation"], daemon)
        #expect(unknown.exit == .usage)
        #expect(unknown.err.contains("Did you mean getAuthorization?"))
        #expect(daemon.methods.allSatisfy { $0 == "rpc.discover" })
    }

    @Test(arguments: MethodTable.all.map { $0.definition.name })
    func `describe has a page for every method`(_ name: String) async throws {
        let daemon = try ScriptedDaemon(["rpc.discover": .result(Self.document)])
        let page = await run(["describe", name], daemon)
        #expect(page.exit == .done)
        #expect(page.out.hasPrefix("\(name)\n  "))
        #expect(page.out.contains("errors:\n"))
    }

    @Test(arguments: CallbackTable.all.map(\.name) + EventType.allCases.map(\.rawValue))
    func `describe has a page for every callback and event`(_ name: String) async throws {
        let daemon = try ScriptedDaemon(["rpc.discover": .result(Self.document)])
        let page = await run(["describe", name], daemon)
        #expect(page.exit == .done && page.out.hasPrefix("\(name)\n  "))
        let members = CallbackTable.find(name)?.params.map(\.name) ?? []
        for member in members { #expect(page.out.contains("  \(member) "), "\(member)") }
    }
}
