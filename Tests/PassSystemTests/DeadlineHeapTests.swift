// Compares the order of deadlines with the simplest implementation.

import Testing

@testable import PassSystem

@Suite("architecture.md §3: the earliest deadline first") struct DeadlineHeapTests {
    @Test(arguments: 1...20) func `the heap agrees with a sorted list after any additions and removals`(seed: UInt64) {
        var random = SplitMix(state: seed)
        var heap = DeadlineHeap<UInt64>()
        var list: [(moment: Duration, number: UInt64)] = []
        for number in 1...400 as ClosedRange<UInt64> {
            switch random.next() % 4 {
            case 0:
                let now = Duration.seconds(Int(random.next() % 100))
                list.sort { ($0.moment, $0.number) < ($1.moment, $1.number) }
                let expected = list.first.flatMap { $0.moment <= now ? $0.number : nil }
                if expected != nil { list.removeFirst() }
                let next = heap.next(by: now)
                #expect(next == expected)
            case 1:
                guard let victim = list.randomElement(using: &random)?.number else { continue }
                list.removeAll { $0.number == victim }
                let removed = heap.remove(victim)
                #expect(removed)
            default:
                let moment = Duration.seconds(Int(random.next() % 100))
                list.append((moment, number))
                heap.insert(number, at: moment, number)
            }
            let earliest = heap.earliest()
            #expect(earliest == list.map(\.moment).min())
            #expect(heap.count == list.count)
        }
    }

    @Test func `repeated cancelling needs no additional memory`() {
        var heap = DeadlineHeap<Void>()
        for number in 0..<100_000 as Range<UInt64> {
            heap.insert(number, at: .seconds(60), ())
            heap.remove(number)
        }
        #expect(heap.count == 0 && heap.room <= 65)
    }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
