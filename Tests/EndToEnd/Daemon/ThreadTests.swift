// Tests that clients cannot make the daemon start threads. docs/decisions/0022.

import FoundationEssentials
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@Suite("ruling 58: no thread is made on demand") struct ThreadTests {
    /// The unit allows 64 tasks, and the programs of [sign-on] share this limit.
    private static let limit = 12

    @Test func `60 pipelined calls of setRequestor start no threads`() throws {
        let box = try RunningBox()
        var highest = 0
        for round in 0..<5 {
            let peer = try RawPeer.connect(to: box.socket)
            let calls = (0..<60).map { number in
                let requestor = ["LUMENTV", "NEWS24", "SUMMITTV", "LUMENKIDS"][(round + number) % 4]
                let params = #"{"requestorID":"\#(requestor)"}"#
                return #"{"jsonrpc":"2.0","id":\#(number),"method":"setRequestor","params":\#(params)}"# + "\n"
            }
            try peer.send(calls.joined())
            var answers = 0
            while answers < calls.count {
                if try peer.message()["id"] != nil { answers += 1 }
                highest = max(highest, try threads(of: box.daemon.id))
            }
            peer.close()
        }
        #expect(highest <= Self.limit, "\(highest) threads")
    }

    @Test func `nine services share one thread for requests`() throws {
        // Nothing listens at these addresses, but the daemon has to try.
        let others = (2...9).map { "https://127.0.0.\($0):9" }
        let box = try RunningBox("service-providers = " + others.joined(separator: " "))
        let peers = try others.map { address in
            let peer = try RawPeer.connect(to: box.socket)
            let params = #"{"requestorID":"NEWS24","serviceProviders":["\#(address)"]}"#
            try peer.send(#"{"jsonrpc":"2.0","id":1,"method":"setRequestor","params":\#(params)}"# + "\n")
            return peer
        }
        for peer in peers {
            var answer = try peer.message()
            while answer["id"] == nil { answer = try peer.message() }
            #expect(answer["error"] != nil)
        }
        #expect(try threads(of: box.daemon.id) <= Self.limit)
    }

    private func threads(of process: Int32) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
    }
}
