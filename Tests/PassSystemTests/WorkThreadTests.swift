// Tests the threads that execute work in order.

import PassTestTools
import PassThreads
import Synchronization
import Testing

@Suite("ruling 58: threads of our own") struct WorkThreadTests {
    @Test func `work is executed in order, one piece at a time, on one thread`() async {
        let done = Mutex<[Int]>([])
        let thread = WorkThread<Int>("tests.work") { number in done.withLock { $0.append(number) } }
        for number in 0..<1000 { #expect(thread.add(number)) }
        await eventually { done.withLock(\.count) == 1000 }
        #expect(done.withLock(\.self) == Array(0..<1000))
        #expect(!thread.isCurrent)
    }

    @Test func `work is executed even if its owner is gone`() async {
        let done = Mutex(0)
        do {
            let thread = WorkThread<Int>("tests.work") { number in done.withLock { $0 += number } }
            for _ in 0..<100 { thread.add(1) }
        }
        await eventually { done.withLock(\.self) == 100 }
    }
}
