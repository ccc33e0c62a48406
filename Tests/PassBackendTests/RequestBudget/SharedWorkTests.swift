// Tests callers that share one task.

import AccessEnabler
import PassTestTools
import Synchronization
import Testing

@testable import PassBackend

@Suite("rest-v2.md §15, dcr.md §5 item 3: identical pending calls are shared") struct SharedWorkTests {
    /// A caller with enough time for the task.
    private static func value<Key: Hashable & Sendable>(
        of key: Key, in flights: SharedWork<Key, Int>, _ work: @escaping @Sendable () async throws -> Int
    ) async throws(BackendFault) -> Int {
        try await flights.value(for: key, by: BoxClock().boot.advanced(by: .seconds(1000)), .viewer) { _ in
            try await work()
        }
    }

    private let clock = BoxClock()

    /// Work that ends when the test says so.
    final class Work: Sendable {
        private struct State {
            var starts = 0
            var cancellations = 0
            var ends: [CheckedContinuation<Int, any Error>] = []
        }

        private let state = Mutex(State())

        var starts: Int { state.withLock { $0.starts } }
        var isUnderWay: Bool { state.withLock { !$0.ends.isEmpty } }
        var cancellations: Int { state.withLock { $0.cancellations } }

        func run() async throws -> Int {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { end in
                    state.withLock {
                        $0.starts += 1
                        $0.ends.append(end)
                    }
                }
            } onCancel: {
                state.withLock { $0.cancellations += 1 }
                end(.failure(CancellationError()))
            }
        }

        func end(_ result: Result<Int, any Error>) {
            let ends = state.withLock { state in
                defer { state.ends = [] }
                return state.ends
            }
            for end in ends { end.resume(with: result) }
        }
    }

    @Test func `a hundred callers share one task and its outcome`() async throws {
        let flights = SharedWork<String, Int>(clock)
        let work = Work()
        let callers = (0..<100).map { _ in Task { try await Self.value(of: "a", in: flights) { try await work.run() } }
        }
        await eventually { work.isUnderWay && flights.waiterCount == 100 }
        work.end(.success(7))
        for caller in callers { #expect(try await caller.value == 7) }
        #expect(work.starts == 1)
        #expect(flights.count == 0)
    }

    @Test func `another key makes another task, and a later call makes a new one`() async throws {
        let flights = SharedWork<Int, Int>(clock)
        for key in [1, 2, 1] { #expect(try await Self.value(of: key, in: flights) { key * 10 } == key * 10) }
        #expect(flights.count == 0)
    }

    @Test func `a failure reaches all callers`() async throws {
        let flights = SharedWork<String, Int>(clock)
        let work = Work()
        let callers = (0..<3).map { _ in Task { try await Self.value(of: "a", in: flights) { try await work.run() } } }
        await eventually { work.isUnderWay && flights.waiterCount == 3 }
        work.end(.failure(BackendFault(.insecure)))
        for caller in callers { #expect(try await Box.fault(of: caller) == .insecure) }
    }

    @Test func `a caller that leaves does not affect the others`() async throws {
        let flights = SharedWork<String, Int>(clock)
        let work = Work()
        let callers = (0..<3).map { _ in Task { try await Self.value(of: "a", in: flights) { try await work.run() } } }
        await eventually { work.isUnderWay && flights.waiterCount == 3 }
        callers[0].cancel()
        #expect(try await Box.fault(of: callers[0]) == .cancelled)
        work.end(.success(1))
        #expect(try await callers[1].value == 1)
        #expect(try await callers[2].value == 1)
        #expect(work.cancellations == 0)
    }

    @Test func `a task without callers is cancelled, and the next caller starts a new one`() async throws {
        let flights = SharedWork<String, Int>(clock)
        let work = Work()
        let callers = (0..<3).map { _ in Task { try await Self.value(of: "a", in: flights) { try await work.run() } } }
        await eventually { work.isUnderWay && flights.waiterCount == 3 }
        for caller in callers { caller.cancel() }
        for caller in callers { #expect(try await Box.fault(of: caller) == .cancelled) }
        await eventually { work.cancellations == 1 }
        #expect(flights.count == 0)
        #expect(try await Self.value(of: "a", in: flights) { 5 } == 5)
    }

    @Test func `a caller that is already cancelled starts no task`() async throws {
        let flights = SharedWork<String, Int>(clock)
        let work = Work()
        for _ in 0..<100 {
            let caller = Task { try await Self.value(of: "a", in: flights) { try await work.run() } }
            caller.cancel()
            #expect(try await Box.fault(of: caller) == .cancelled)
        }
        #expect(flights.count == 0)
    }
}
