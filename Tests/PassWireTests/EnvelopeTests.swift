// Tests that every message gets the right answer, at every step from bytes to a typed call.

import PassJSON
import PassProtocol
import PassWire
import Testing

@Suite("rpc.md §2: the envelope")
struct EnvelopeTests {
    private func read(_ text: String) -> Envelope { Envelope.read(Array(text.utf8)) }

    static let refused: [(String, RequestID, Int)] = [
        ("{", .null, -32700),
        ("{\"id\":1,\"id\":2}", .null, -32700),
        ("[]", .null, -32600),
        ("1", .null, -32600),
        ("\"x\"", .null, -32600),
        ("{}", .null, -32600),
        ("{\"id\":[1],\"jsonrpc\":\"2.0\",\"method\":\"m\"}", .null, -32600),
        ("{\"id\":true,\"jsonrpc\":\"2.0\",\"method\":\"m\"}", .null, -32600),
        ("{\"id\":7,\"method\":\"m\"}", .number(JSONNumber(7)), -32600),
        ("{\"id\":7,\"jsonrpc\":\"1.0\",\"method\":\"m\"}", .number(JSONNumber(7)), -32600),
        ("{\"id\":7,\"jsonrpc\":2.0,\"method\":\"m\"}", .number(JSONNumber(7)), -32600),
        ("{\"id\":\"a\",\"jsonrpc\":\"2.0\"}", .string("a"), -32600),
        ("{\"id\":\"a\",\"jsonrpc\":\"2.0\",\"result\":1}", .string("a"), -32600),
        ("{\"id\":\"a\",\"jsonrpc\":\"2.0\",\"method\":1}", .string("a"), -32600),
        ("{\"id\":\"a\",\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":1}", .string("a"), -32600),
        ("{\"id\":\"a\",\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":\"null\"}", .string("a"), -32600),
        ("{\"jsonrpc\":\"2.0\",\"method\":1}", .null, -32600),
    ]

    @Test(arguments: refused) func `a malformed message is refused, with its id if the id is readable`(
        _ text: String, _ id: RequestID, _ code: Int
    ) {
        guard case .single(.refused(let answered, let error)) = read(text) else {
            Issue.record("accepted")
            return
        }
        #expect(answered == id)
        #expect(error.code == code)
    }

    @Test(arguments: [
        "null", "\"\"", "\"a\\u0000b\"", "0", "-1", "1.50", "1e2", "9007199254740993", "123456789012345678901234567890",
    ]) func `ids of every allowed kind are echoed exactly`(_ id: String) throws {
        guard case .single(.request(let request)) = read("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"m\"}") else {
            Issue.record("refused")
            return
        }
        let answer = Response(id: try #require(request.id), outcome: .success([:]))
        let text = String(decoding: JSONWriter.bytes(answer.json), as: UTF8.self)
        #expect(text == "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{}}")
    }

    @Test func `null params count as absent`() {
        #expect(
            read("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":null}")
                == read("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}"))
    }

    @Test func `a notification has no id, and unknown members are ignored`() {
        #expect(
            read("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{},\"x\":1}")
                == .single(.request(Request(id: nil, method: "m", params: [:]))))
    }

    @Test func `a batch has 1 to 32 messages, and each is checked separately`() {
        func batch(_ count: Int) -> String { "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
        guard case .batch(let items) = read(batch(32)) else {
            Issue.record("no batch")
            return
        }
        #expect(items.count == 32)
        guard case .single(.refused(.null, let error)) = read(batch(33)) else {
            Issue.record("33 accepted")
            return
        }
        #expect(error.code == -32600)
        #expect(error.limit == 32)
        guard case .batch(let mixed) = read("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"},[]]") else { return }
        #expect(mixed.first == .request(Request(id: .number(JSONNumber(1)), method: "m")))
        guard case .refused(.null, _)? = mixed.last else {
            Issue.record("a nested batch was accepted")
            return
        }
    }

    static let checks: [(String, JSONValue?, SocketKind, Int?)] = [
        ("rpc.discover", nil, .api, nil),
        ("rpc.discover", [:], .api, nil),
        ("rpc.discover", ["unknown": 1], .api, nil),
        ("rpc.discover", [], .api, -32602),
        ("nothing", nil, .api, -32601),
        ("nothing", [1], .api, -32601),
        ("", nil, .api, -32601),
        ("setRequestor", nil, .api, -32602),
        ("setRequestor", ["requestorID": 1], .api, -32602),
        ("setRequestor", ["requestorID": ""], .api, nil),
        ("setSelectedProvider", [:], .api, -32602),
        ("setSelectedProvider", ["providerID": nil], .api, nil),
        ("getMetadata", ["key": "METADATA_USER_META"], .api, -32602),
        ("passd.status", nil, .api, -32601),
        ("passd.status", nil, .admin, nil),
        ("getAuthentication", nil, .admin, nil),
        ("passd.policyExplain", ["uid": .number(JSONNumber(verbatim: "1.5")), "method": "m"], .admin, -32602),
    ]

    @Test(arguments: checks) func `the method is checked before the params`(
        _ method: String, _ params: JSONValue?, _ socket: SocketKind, _ code: Int?
    ) {
        let request = Request(id: .null, method: method, params: params)
        do throws(RPCError) {
            let call = try request.check(against: try request.type(on: socket))
            #expect(code == nil)
            #expect(call.method.name == method)
        } catch {
            #expect(error.code == code)
        }
    }

    @Test func `a checked call has the params of its method`() throws {
        let request = Request(id: .null, method: "getAuthorization", params: ["resource": "é", "data": ["a": "b"]])
        let call = try request.check(against: try request.type(on: .api))
        #expect(call.params(of: GetAuthorization.self) == .init(resource: "é", data: ["a": "b"]))
        #expect(call.params(of: CheckAuthorization.self) == nil)
    }
}
