// Tests which messages count as a known call. A message that means another call must not count. docs/decisions/0019.

import PassJSON
import PassProtocol
import Testing

@testable import PassWire

@Suite("docs/decisions/0019: calls that are recognised by their text")
struct KnownCallTests {
    private func known(_ message: String) -> KnownCall? {
        KnownCall(Array(message.utf8), callbacks: [], result: WrittenJSON(true))
    }

    /// The id of the message if it counts as the known call.
    private func id(of message: [UInt8], as call: KnownCall) throws -> RequestID? {
        try message.withUnsafeBytes { bytes in
            try call.match(bytes).map { match in
                var answer: [UInt8] = []
                match.call.write(to: match.id, in: .line, to: &answer)
                return try #require(RequestID(try JSONReader.read(answer)["id"] ?? .null))
            }
        }
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"m"}"#, #"{"jsonrpc":"2.0","id":12345,"method":"m"}"#, "12345"),
        (
            #"{"jsonrpc": "2.0", "id": 7, "method": "m", "params": {}}"#,
            #"{"jsonrpc": "2.0", "id": 0, "method": "m", "params": {}}"#, "0"
        ),
        (
            #"{"method":"m","params":{"id":1},"id":2,"jsonrpc":"2.0"}"#,
            #"{"method":"m","params":{"id":1},"id":9,"jsonrpc":"2.0"}"#, "9"
        ),
        (
            #"{"method":"m","params":{"a":[{}]},"jsonrpc":"2.0","id":2} "#,
            #"{"method":"m","params":{"a":[{}]},"jsonrpc":"2.0","id":3} "#, "3"
        ),
        (#"{"jsonrpc":"2.0","id":"a-1","method":"m"}"#, #"{"jsonrpc":"2.0","id":"b 22","method":"m"}"#, #""b 22""#),
        (#"{"jsonrpc":"2.0","id":"","method":"m"}"#, #"{"jsonrpc":"2.0","id":"x","method":"m"}"#, #""x""#),
    ])
    func `the same call with another id is known, and its id is read`(
        _ first: String, _ next: String, _ id: String
    )
        throws
    {
        let call = try #require(known(first))
        #expect(try self.id(of: Array(next.utf8), as: call)?.json == JSONReader.read(Array(id.utf8)))
        #expect(try self.id(of: Array(first.utf8), as: call) != nil)
    }

    /// Messages whose id cannot be found by position, or whose text would change.
    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"m"}"#,
        #"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
        #"{"jsonrpc":"2.0","id":1.0,"method":"m"}"#,
        #"{"jsonrpc":"2.0","id":-1,"method":"m"}"#,
        #"{"jsonrpc":"2.0","id":1e3,"method":"m"}"#,
        #"{"jsonrpc":"2.0","id":1234567890123456,"method":"m"}"#,
        #"{"jsonrpc":"2.0","id":"\u0061","method":"m"}"#,
        #"{"jsonrpc":"2.0","id":"é","method":"m"}"#,
        #"{"jsonrpc":"2.0","params":{"id":5},"id":5,"method":"m"}"#,
        #"{"jsonrpc":"2.0","params":{"id":"5"},"id":"5","method":"m"}"#,
        #"{"jsonrpc":"2.0","method":"\"id\":5","id":5}"#,
        #"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#,
        #"{"jsonrpc":"1.0","id":1,"method":"m"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"m","params":5}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + String(repeating: "m", count: 512) + "\"}",
        "", "{}", "null",
    ])
    func `a message is not remembered if the position of its id is unclear`(_ message: String) {
        if message.contains(#"\"id\""#) {
            // The member name in the text is escaped, so the right position is found.
            #expect(known(message) != nil)
        } else {
            #expect(known(message) == nil)
        }
    }

    @Test(arguments: [Framing.line, .headers]) func `a known call gets the same bytes as any other call`(
        framing: Framing
    ) throws {
        let message = Array(#"{"jsonrpc":"2.0","id":"a","method":"m"}"#.utf8)
        let callback = Callback.setRequestorComplete(status: 1)
        let result: JSONValue = ["name": "line\nline", "count": 3]
        let call = try #require(
            KnownCall(
                message, callbacks: [WrittenCallback(callback), WrittenCallback(callback)], result: WrittenJSON(result))
        )
        var known: [UInt8] = []
        Array("b c".utf8).withUnsafeBytes { call.write(to: $0, in: framing, to: &known) }
        var expected: [UInt8] = []
        for _ in 1...2 { framing.append({ callback.write(by: &$0) }, to: &expected) }
        framing.append({ Response.write(.success(.value(result)), to: .string("b c"), by: &$0) }, to: &expected)
        #expect(known == expected)
    }

    @Test func `long answers are not remembered`() {
        let message = Array(#"{"jsonrpc":"2.0","id":1,"method":"m"}"#.utf8)
        let long = WrittenJSON(.string(String(repeating: "x", count: 8 << 10)))
        #expect(KnownCall(message, callbacks: [], result: long) == nil)
        let callback = WrittenCallback(.setRequestorComplete(status: 1))
        #expect(KnownCall(message, callbacks: [callback], result: WrittenJSON(true)) != nil)
        #expect(
            KnownCall(message, callbacks: Array(repeating: callback, count: 1000), result: WrittenJSON(true)) == nil)
    }

    @Test(arguments: 1...4) func `every message that counts as a known call is also parsed as that call with that id`(
        _ seed: UInt64
    )
        throws
    {
        var random = DamagedInputTests.Seeded(state: seed)
        let originals = [
            #"{"jsonrpc":"2.0","id":11,"method":"m","params":{"id":3,"a":"\"id\":4"}}"#,
            #"{"jsonrpc":"2.0","method":"m","params":{"b":1},"id":"aa"}"#,
        ]
        for original in originals {
            let call = try #require(known(original))
            var taken = 0
            for _ in 0..<20_000 {
                var message = Array(original.utf8)
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let index = Int.random(in: 0..<message.count, using: &random)
                    let byte = Array(#"0123456789a"\{}:,. -e"#.utf8).randomElement(using: &random) ?? 0
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: message[index] = byte
                    case 1: message.insert(byte, at: index)
                    default: message.remove(at: index)
                    }
                }
                guard let id = try id(of: message, as: call) else { continue }
                taken += 1
                guard case .single(.request(let known)) = Envelope.read(Array(original.utf8)) else { continue }
                #expect(
                    Envelope.read(message)
                        == .single(.request(Request(id: id, method: known.method, params: known.params))))
            }
            #expect(taken > 50)
        }
    }
}
