// Tests messages with changed, lost and doubled bytes, from a fixed seed. Each line gets one answer and the connection
// continues.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@Suite("rpc.md §2: bad input")
struct DamagedInputTests {
    struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private func damaged(_ text: String, _ random: inout Seeded) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = .random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[index], at: index)
            default: bytes[index] = Array("{}[]\",:\\u0".utf8).randomElement(using: &random) ?? 0
            }
        }
        return bytes.map { $0 == 0x0A ? 0x20 : $0 }
    }

    @Test(arguments: 1...8) func `each damaged line is answered or understood, and the connection continues`(
        _ seed: UInt64
    ) throws {
        let peer = try ServedPeer { call in
            do throws(RPCError) {
                let checked = try call.request.check(against: try call.request.type(on: .admin))
                call.answer(.success(checked.params.json))
            } catch {
                call.answer(.failure(error))
            }
        }.raw()
        var random = Seeded(state: seed)
        let call =
            #"{"jsonrpc":"2.0","id":"x\u00e9","method":"getAuthentication","params":{"data":{"a":"b"},"filter":{"#
            + #""TV_PROVIDERS":["a","b"]}}}"#
        // The first byte of the connection is not changed, because it decides the framing.
        for _ in 0..<300 {
            try peer.send([0x0A] + damaged(call, &random) + [0x0A])
            try peer.send(ServerConnectionTests.call(1, "rpc.none"))
            var answers = 0
            while try peer.message()["id"] != 1 { answers += 1 }
            #expect(answers <= 1)
        }
    }

    @Test(arguments: [10, 10_240]) func `resources of any size and spelling reach the daemon unchanged`(
        _ size: Int
    ) throws {
        let peer = try ServedPeer().raw()
        let resources = [
            String(repeating: "é", count: size), "", "a,b \"c\" 'd' \\ \u{0}\u{7f}",
            #"<rss version="2.0"><channel><title>A, "B" &amp; C</title></channel></rss>"#,
        ]
        for resource in resources {
            let request = Request(id: .null, method: "getAuthorization", params: ["resource": .string(resource)])
            try peer.send(Framing.line.frame(JSONWriter.bytes(request.json)))
            #expect(try peer.message()["result"]?["params"]?["resource"]?.string == resource)
        }
    }
}
