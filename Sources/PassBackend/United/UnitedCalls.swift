// How several services are asked: all at the same time, or one after the other. Each is asked under its own
// registration, with the caller's statement.

import AccessEnabler

struct Arrival<Value: Sendable>: Sendable {
    let part: Int
    let answer: Result<Value, BackendFault>

    var value: Value? { try? answer.get() }

    var fault: BackendFault? {
        if case .failure(let fault) = answer { fault } else { nil }
    }
}

extension UnitedBackend {
    typealias Call<Value> = @Sendable (any EntitlementBackend, BackendCaller) async throws -> Value

    func own(_ caller: BackendCaller, _ part: any EntitlementBackend) -> BackendCaller {
        var caller = caller
        caller.registration = part.registration(of: caller.registration.app, statement: caller.softwareStatement)
        return caller
    }

    /// The answers as they come. Those that nobody waits for any more are not cut off.
    func everywhere<Value: Sendable>(_ caller: BackendCaller, _ call: @escaping Call<Value>) -> Arrivals<Value> {
        let (stream, tray) = AsyncStream.makeStream(of: Arrival<Value>.self)
        let tasks = parts.indices.map { index in
            let part = parts[index]
            let caller = own(caller, part)
            return Task { [self] in
                defer { arrivalCount.add(1, ordering: .sequentiallyConsistent) }
                do {
                    tray.yield(Arrival(part: index, answer: .success(try await call(part, caller))))
                } catch {
                    tray.yield(Arrival(part: index, answer: .failure(BackendFault(describing: error))))
                }
            }
        }
        return Arrivals(stream: stream, tasks: tasks)
    }

    /// All answers in the order in which they came. Throws what the first of the services says if none has another answer.
    func all<Value: Sendable>(
        _ caller: BackendCaller, _ call: @escaping Call<Value>
    ) async throws(BackendFault) -> [Arrival<Value>] {
        let arrivals = try await everywhere(caller, call).take()
        guard arrivals.contains(where: { $0.value != nil }) else {
            throw arrivals.firstFault() ?? BackendFault(.cancelled)
        }
        return arrivals
    }

    /// One after the other until an answer settles it. If none does: one that will do; else a fault, because what cannot be
    /// asked might have known better; else the first answer.
    func inTurn<Value: Sendable>(
        _ places: [Int], caller: BackendCaller, until settles: (Value) -> Bool = { _ in true },
        or willDo: (Value) -> Bool = { _ in false }, call: Call<Value>
    ) async throws(BackendFault) -> (part: Int, value: Value) {
        var answers: [(part: Int, value: Value)] = []
        var faults: [BackendFault] = []
        for place in places {
            do {
                let value = try await call(parts[place], own(caller, parts[place]))
                if settles(value) || places.count == 1 { return (place, value) }
                answers.append((place, value))
            } catch {
                let fault = BackendFault(describing: error)
                faults.append(fault)
                if fault.kind == .cancelled || fault.kind == .deadline { break }
            }
        }
        if let answer = answers.first(where: { willDo($0.value) }) { return answer }
        // A refusal is one service's word; who cannot be reached has not spoken.
        if let fault = faults.first(where: { !$0.isRefusal }) ?? faults.first { throw fault }
        guard let answer = answers.first else { throw BackendFault(.cancelled) }
        return answer
    }
}

struct Arrivals<Value: Sendable>: Sendable {
    let stream: AsyncStream<Arrival<Value>>
    let tasks: [Task<Void, Never>]

    /// Until that many are enough, or all are there. A caller that goes away takes the calls with it.
    func take(until isEnough: (Arrival<Value>) -> Bool = { _ in false }) async throws(BackendFault) -> [Arrival<Value>]
    {
        var arrivals: [Arrival<Value>] = []
        for await arrival in stream {
            arrivals.append(arrival)
            if arrivals.count == tasks.count || isEnough(arrival) { return arrivals }
        }
        // The stream has ended before all were there: the caller's task was cancelled.
        for task in tasks { task.cancel() }
        throw BackendFault(.cancelled)
    }
}

extension Array {
    /// The first service's and not the first to come, so that the same trouble reads the same every time.
    func firstFault<Value>() -> BackendFault? where Element == Arrival<Value> {
        self.filter { $0.fault != nil }.min { $0.part < $1.part }?.fault
    }
}

extension BackendFault {
    fileprivate var isRefusal: Bool {
        if case .refused = kind { true } else { false }
    }
}
