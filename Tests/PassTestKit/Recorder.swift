// Collects events and lets a test wait for a condition on them. Nothing sleeps: each new element is checked for all
// waiting tests. The deadline is only for a condition that is never met.

public import Dispatch
import Synchronization

public final class Recorder<Element: Sendable>: Sendable {
    public struct TimedOut: Error, CustomStringConvertible {
        public let recorded: [Element]

        public var description: String { "not in time; \(recorded.count) so far, the last ones: \(recorded.suffix(3))" }
    }

    private struct Waiter: Sendable {
        let holds: @Sendable ([Element]) -> Bool
        let reply: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    public init() {}

    public var elements: [Element] { state.withLock { $0.elements } }

    public func append(_ element: Element) {
        let ready = state.withLock { state -> [Waiter] in
            state.elements.append(element)
            let keys = state.waiters.filter { $0.value.holds(state.elements) }.map(\.key)
            return keys.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in ready { waiter.reply.resume() }
    }

    /// Returns the elements as soon as they meet the condition.
    @discardableResult public func wait(
        within time: DispatchTimeInterval = .seconds(60), until holds: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        try await withCheckedThrowingContinuation { (reply: CheckedContinuation<Void, any Error>) in
            let key = state.withLock { state -> Int? in
                guard !holds(state.elements) else { return nil }
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = Waiter(holds: holds, reply: reply)
                return state.lastWaiter
            }
            guard let key else { return reply.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + time) { [self] in
                let (waiter, elements) = state.withLock { ($0.waiters.removeValue(forKey: key), $0.elements) }
                waiter?.reply.resume(throwing: TimedOut(recorded: elements))
            }
        }
        return elements
    }

    @discardableResult public func wait(
        for count: Int, within time: DispatchTimeInterval = .seconds(60)
    ) async throws -> [Element] {
        try await wait(within: time) { $0.count >= count }
    }
}
