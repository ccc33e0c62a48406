// Tests every row of the error table: its code and its stable name.

import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §2: errors")
struct ErrorTests {
    static let rows: [(RPCError, Int, String)] = [
        (.parseError("x"), -32700, "PARSE_ERROR"),
        (.invalidRequest("x"), -32600, "INVALID_REQUEST"),
        (.messageTooLarge(limit: 9), -32600, "INVALID_REQUEST"),
        (.methodNotFound("x"), -32601, "METHOD_NOT_FOUND"),
        (.otherSocket("x"), -32601, "METHOD_NOT_FOUND"),
        (.invalidParams(SchemaFault(path: "a", expected: "b", found: "c")), -32602, "INVALID_PARAMS"),
        (.positionalParams(), -32602, "INVALID_PARAMS"),
        (.internalError(), -32603, "INTERNAL_ERROR"),
        (.denied("x", remedy: "y"), -32001, "DENIED"),
        (.limit("pending-calls-per-session", maximum: 64), -32002, "LIMIT"),
        (.notReady(.starting), -32003, "NOT_READY"),
        (.requestorNotSet(), -32010, "REQUESTOR_NOT_SET"),
        (.unanswered(.R400), -32011, "R400"),
        (.unanswered(.configurationServer(503)), -32011, "CFG503"),
        (.flowConflict("x"), -32012, "FLOW_CONFLICT"),
    ]

    @Test(arguments: rows)
    func `each row has its code, its name, a sentence and a remedy, and can be read back`(
        _ error: RPCError, _ code: Int, _ name: String
    ) {
        #expect(error.json["code"] == .int(code))
        #expect(error.json["data"]?["code"]?.string == name)
        #expect(error.json["message"]?.string?.hasSuffix(".") == true)
        #expect(error.json["data"]?["remedy"]?.string?.isEmpty == false)
        #expect(RPCError(json: error.json) == error)
    }

    @Test func `a fault in the params names the member in data.details`() {
        let fault = SchemaFault(path: "resources[2]", expected: "a string", found: "a number")
        #expect(
            RPCError.invalidParams(fault).json["data"]?["details"]
                == ["member": "resources[2]", "expected": "a string", "found": "a number"])
    }

    @Test func `an error about a limit names the limit, an error about a size has the size`() {
        let quota = RPCError.limit("pending-calls-per-session", maximum: 64).json["data"]
        #expect(quota?["details"] == ["limit": "pending-calls-per-session", "maximum": 64])
        #expect(RPCError.messageTooLarge(limit: 1_048_576).json["data"]?["limit"] == 1_048_576)
    }

    @Test(arguments: [
        ("sessions-per-user", true), ("memory-per-user", true), ("sessions-of-strangers", true),
        ("pending-calls-per-session", false), ("requests-per-second", false),
    ]) func `at a limit of connections, the remedy is to close some`(limit: String, isAboutConnections: Bool) {
        let remedy = RPCError.limit(limit, maximum: 1).json["data"]?["remedy"]?.string
        #expect((remedy == "Close connections that you do not need.") == isAboutConnections)
    }

    @Test func `long method names are cut in messages`() {
        let message = RPCError.methodNotFound(String(repeating: "x", count: 9999)).message
        #expect(message.count < 100)
    }

    @Test func `every status of the contract has a level, a meaning and a remedy (access-enabler.md §20)`() {
        for status in SDKStatus.known {
            #expect(!status.meaning.isEmpty && !status.remedy.isEmpty, "\(status.rawValue)")
        }
        #expect(SDKStatus.REGCODE.level == .success)
        #expect(SDKStatus.N000.level == .info)
        #expect(SDKStatus.SEC412.level == .warning)
        #expect(SDKStatus.configurationServer(503).meaning == SDKStatus.CFG5xx.meaning)
    }

    @Test func `an unknown error can be read too`() {
        #expect(RPCError(json: ["code": -32601, "message": "no"]).name == .methodNotFound)
        let newer = RPCError(json: ["code": -32099, "message": "no", "data": ["code": "A_NEWER_ERROR"]])
        #expect(newer.name.text == "A_NEWER_ERROR" && newer.code == -32099)
        for shape: JSONValue in [["code": "x"], ["message": 1], "words", .null] {
            let error = RPCError(json: shape)
            #expect(error.name == .internalError && error.code == -32603 && !error.message.isEmpty)
        }
    }
}
