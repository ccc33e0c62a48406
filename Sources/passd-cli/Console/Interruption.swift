// Runs work that a signal may end. It is then cancelled, and the caller gets the signal's number.

enum Raced<Value: Sendable>: Sendable {
    case finished(Value)
    case interrupted(Int32)
}

extension Console {
    func untilInterrupted<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Raced<Value> {
        let signals = interrupts()
        return try await withThrowingTaskGroup(of: Raced<Value>?.self) { group in
            group.addTask { .finished(try await work()) }
            group.addTask {
                for await number in signals { return .interrupted(number) }
                return nil
            }
            defer { group.cancelAll() }
            while let first = try await group.next() {
                if let first { return first }
            }
            throw CancellationError()
        }
    }
}
