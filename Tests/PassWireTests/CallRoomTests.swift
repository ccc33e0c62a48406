// Tests how many calls of one owner may wait at the same time. At the limit nothing is refused; nothing more is read.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassWire

@Suite("ruling 59; rpc.md §2: calls that wait are limited by number for each user")
struct CallRoomTests {
    private let queue = DispatchQueue(label: "test.engine")
    private let calls = Recorder<Call>()

    private func lines(_ ids: ClosedRange<Int>) -> String {
        ids.map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"m\"}\n" }.joined()
    }

    private func served(_ room: CallRoom) throws -> ServedPeer {
        try ServedPeer(room: room, on: queue) { [calls] in calls.append($0) }
    }

    private func id(_ call: Call) -> Int? {
        if case .number(let number)? = call.request.id { Int(number.text) } else { nil }
    }

    private func answer(_ call: Call) { queue.sync { call.answer(.success([:])) } }

    @Test func `at the limit no call is refused, and further ones begin as earlier ones are answered`() async throws {
        let served = try served(CallRoom(limit: 4, of: CallRooms(limit: 100)))
        let peer = served.raw()
        try peer.send(lines(1...20))
        for round in 1...20 {
            let begun = try await calls.wait(for: min(round + 3, 20))
            queue.sync {}
            #expect(calls.elements.count == min(round + 3, 20), "no more than four wait")
            answer(begun[round - 1])
            #expect(try peer.message()["id"] == .int(round))
        }
        peer.close()
    }

    @Test func `the items of one batch wait as well`() async throws {
        let served = try served(CallRoom(limit: 4, of: CallRooms(limit: 100)))
        let peer = served.raw()
        try peer.send("[" + lines(1...20).split(separator: "\n").joined(separator: ",") + "]\n")
        for round in 1...20 { answer(try await calls.wait(for: round)[round - 1]) }
        #expect(try peer.message().array?.count == 20)
        peer.close()
    }

    @Test func `the connections of one user take turns`() async throws {
        let room = CallRoom(limit: 2, of: CallRooms(limit: 100))
        let (first, second) = (try served(room), try served(room))
        let (greedy, modest) = (first.raw(), second.raw())
        try greedy.send(lines(1...30))
        try await calls.wait(for: 2)
        try modest.send(lines(101...103))
        for round in 0..<10 { answer(try await calls.wait(for: round + 1)[round]) }
        let begun = try await calls.wait(for: 10).compactMap(id)
        #expect(begun.contains(103), "\(begun)")
        greedy.close()
        modest.close()
    }

    @Test func `a user with few calls finds room in a total that others have filled`() async throws {
        let all = CallRooms(limit: 32)
        let (others, own) = (CallRoom(limit: 32, of: all), CallRoom(limit: 32, of: all))
        let (crowd, modest) = (try served(others), try served(own))
        let (first, second) = (crowd.raw(), modest.raw())
        try first.send(lines(1...40))
        try await calls.wait(for: 32)
        try second.send(lines(101...140))
        try await calls.wait(for: 32 + CallRooms.alwaysGranted)
        queue.sync {}
        #expect(queue.sync { own.used } == CallRooms.alwaysGranted)
        first.close()
        second.close()
    }

    @Test func `a connection that ends while it waits does not keep others waiting`() async throws {
        let room = CallRoom(limit: 2, of: CallRooms(limit: 100))
        let (first, second, third) = (try served(room), try served(room), try served(room))
        let (busy, gone, other) = (first.raw(), second.raw(), third.raw())
        try busy.send(lines(1...2))
        let begun = try await calls.wait(for: 2)
        try gone.send(lines(11...20))
        await eventually { queue.sync { second.server.isWaitingForRoom } }
        try other.send(lines(21...22))
        await eventually { queue.sync { third.server.isWaitingForRoom } }
        gone.close()
        try await second.ends.wait(for: 1)
        answer(begun[0])
        #expect(try await calls.wait(for: 3).compactMap(id).last == 21)
        busy.close()
        other.close()
    }

    @Test func `calls that their client has abandoned count until they are answered`() async throws {
        let room = CallRoom(limit: 2, of: CallRooms(limit: 100))
        let served = try served(room)
        let peer = served.raw()
        try peer.send(lines(1...2))
        let begun = try await calls.wait(for: 2)
        peer.close()
        try await served.ends.wait(for: 1)
        #expect(queue.sync { room.used } == 2)
        for call in begun { answer(call) }
        #expect(queue.sync { room.used } == 0)
    }
}
