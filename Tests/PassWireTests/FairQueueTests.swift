// Tests the order of work of several owners.

import Testing

@testable import PassWire

@Suite struct FairQueueTests {
    private func order(of works: [(ConnectionOwner, String)]) -> String {
        let lines = FairQueue<String>()
        for (owner, work) in works { lines.add(work, of: owner) }
        var done = ""
        while let work = lines.next() { done += work }
        #expect(lines.isEmpty)
        return done
    }

    static let mixtures: [([(ConnectionOwner, String)], String)] = [
        ([], ""),
        ([(.user(1), "a"), (.user(1), "b"), (.user(1), "c")], "abc"),
        ([(.user(1), "a"), (.user(1), "b"), (.user(1), "c"), (.user(2), "X")], "aXbc"),
        ([(.user(1), "a"), (.strangers, "s"), (.strangers, "t"), (.user(2), "X"), (.user(1), "b")], "asXbt"),
    ]

    @Test(arguments: mixtures) func `owners take turns, and the work of each owner keeps its order`(
        _ works: [(ConnectionOwner, String)], _ expected: String
    ) { #expect(order(of: works) == expected) }

    @Test func `an owner that adds work endlessly delays other owners by at most one turn`() {
        let lines = FairQueue<Int>()
        for work in 0..<1000 { lines.add(work, of: .strangers) }
        lines.add(-1, of: .user(1))
        var turns = 0
        while let work = lines.next(), work != -1 {
            turns += 1
            lines.add(work, of: .strangers)
        }
        #expect(turns == 1)
        #expect((0..<5000).allSatisfy { _ in lines.next().map { lines.add($0, of: .strangers) } != nil })
    }
}
