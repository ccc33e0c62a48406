// Tests the order of work between connected clients and newcomers.

import Testing

@testable import PassWire

@Suite struct WorkQueuesTests {
    @Test func `even with newcomers of many owners, a connected client waits for only one of them`() {
        var lines = WorkQueues<String>()
        for user in 0..<1000 { lines.add(newcomer: "new", of: .user(UInt32(user))) }
        #expect(lines.next() == "new")
        for owner in [5000, 5001] { lines.add("\(owner)", of: .user(UInt32(owner))) }
        #expect((0..<5).compactMap { _ in lines.next() } == ["5000", "new", "5001", "new", "new"])
    }

    @Test func `even with much work for connected clients, newcomers are admitted`() {
        var lines = WorkQueues<Int>()
        for _ in 0..<10 { lines.add(0, of: .user(1)) }
        for newcomer in 1...3 { lines.add(newcomer: newcomer, of: .strangers) }
        var order: [Int] = []
        while let work = lines.next(), order.count < 6 {
            order.append(work)
            if work == 0 { lines.add(0, of: .user(1)) }
        }
        #expect(order == [0, 1, 0, 2, 0, 3])
        #expect(!lines.isEmpty)
    }
}
