// Tests how many calls of one owner may wait at the same time. At the limit, the server does not refuse calls, but
// stops reading.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassWire

@Suite("ruling 59; rpc.md §2: the number of waiting calls is limited for each user")
struct CallRoomTests {
    private let queue = DispatchQueue(label: "test.engine")
    private let calls = Recorder<Call>()

    private func lines(_ ids: ClosedRange<Int>) -> String {
        ids.map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"m\"}\n" }.joined()
    }

    private func served(_ room: CallRoom) throws -> ServedPeer { try served(CallShare(of: room, isApp: false)) }

    private func served(_ share: CallShare) throws -> ServedPeer {
        try ServedPeer(share: share, on: queue) { [calls] in calls.append($0) }
    }

    /// The calls by app, in order. Each app has a hundred numbers.
    private func apps(_ begun: [Call]) -> [Int] { begun.compactMap(id).map { $0 / 100 } }

    private func id(_ call: Call) -> Int? {
        if case .number(let number)? = call.request.id { Int(number.text) } else { nil }
    }

    private func answer(_ call: Call) { queue.sync { call.answer(.success([:])) } }

    @Test func `at the limit no call is refused, and waiting calls begin after answers to earlier ones`() async throws {
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

    @Test func `a user with few calls still has room if others have filled the total`() async throws {
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

    @Test func `a connection that closes while it waits does not block other connections`() async throws {
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

    @Test func `calls whose client has left count until they are answered`() async throws {
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

    @Test func `an app can use three quarters of its user's room, and another app has room at once`() async throws {
        let room = CallRoom(limit: 16, of: CallRooms(limit: 100))
        let (flood, other) = (CallShare(of: room, isApp: true), CallShare(of: room, isApp: true))
        let peers = try (0..<4).map { _ in try served(flood).raw() }
        for peer in peers { try peer.send(lines(100...119)) }
        try await calls.wait(for: 12)
        queue.sync {}
        #expect(queue.sync { flood.used } == 12)
        let peer = try served(other).raw()
        try peer.send(lines(200...202))
        #expect(apps(try await calls.wait(for: 15)).suffix(3) == [2, 2, 2])
        // The other app's calls are answered while the flood still waits.
        answer(calls.elements[12])
        #expect(try peer.message()["id"] == .int(200))
        #expect(queue.sync { flood.used } == 12)
        for peer in peers + [peer] { peer.close() }
    }

    @Test func `even if many apps flood, the next app has room, and all together stay limited`() async throws {
        let room = CallRoom(limit: 16, of: CallRooms(limit: 100))
        var peers: [RawPeer] = []
        for app in 0..<30 {
            let served = try served(CallShare(of: room, isApp: true))
            let (peer, before) = (served.raw(), calls.elements.count)
            peers.append(peer)
            try peer.send(lines(1...30))
            // An app without waiting calls may add four calls over the limit.
            if before < 20 { try await calls.wait(for: before + 1) }
            await eventually { queue.sync { served.server.isWaitingForRoom } }
            #expect(queue.sync { room.used } <= 20, "with app \(app)")
        }
        #expect(calls.elements.count == 20)
        for round in 0..<60 { answer(try await calls.wait(for: round + 1)[round]) }
        #expect(queue.sync { room.used } <= 20)
        for peer in peers { peer.close() }
    }

    @Test func `if others have filled the total, there is still room for each app`() async throws {
        let all = CallRooms(limit: 32)
        let (crowd, own) = (CallRoom(limit: 32, of: all), CallRoom(limit: 32, of: all))
        let (flood, modest) = (CallShare(of: own, isApp: true), CallShare(of: own, isApp: true))
        let (first, second, third) = (try served(crowd).raw(), try served(flood).raw(), try served(modest).raw())
        try first.send(lines(100...139))
        try await calls.wait(for: 32)
        try second.send(lines(200...239))
        try await calls.wait(for: 32 + CallRooms.alwaysGranted)
        try third.send(lines(300...339))
        #expect(apps(try await calls.wait(for: 33 + CallRooms.alwaysGranted)).last == 3)
        for peer in [first, second, third] { peer.close() }
    }

    @Test func `a connection that gets room begins one call, then other connections have their turn`() async throws {
        let room = CallRoom(limit: 4, of: CallRooms(limit: 100))
        let connections = try (0..<4).map { _ in try served(room) }
        let peers = connections.map { $0.raw() }
        try peers[0].send(lines(1...4))
        let begun = try await calls.wait(for: 4)
        for number in 1...3 {
            try peers[number].send(lines(number * 100...number * 100 + 9))
            await eventually { queue.sync { connections[number].server.isWaitingForRoom } }
        }
        queue.sync { for call in begun { call.answer(.success([:])) } }
        let next = apps(try await calls.wait(for: 8)).suffix(4)
        #expect(Set(next) == [1, 2, 3], "\(next)")
        for peer in peers { peer.close() }
    }

    @Test func `if a connection changes to another app, its waiting calls count for that app`() async throws {
        let room = CallRoom(limit: 16, of: CallRooms(limit: 100))
        let (first, second) = (CallShare(of: room, isApp: true), CallShare(of: room, isApp: true))
        let served = try served(first)
        let peer = served.raw()
        try peer.send(lines(1...3))
        let begun = try await calls.wait(for: 3)
        queue.sync { served.server.count(in: second) }
        #expect(queue.sync { [first.used, second.used, room.used] } == [0, 3, 3])
        for call in begun { answer(call) }
        #expect(queue.sync { [first.used, second.used, room.used] } == [0, 0, 0])
        peer.close()
    }
}
