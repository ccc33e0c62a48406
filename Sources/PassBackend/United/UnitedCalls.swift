// Calls several services, all at the same time or one after the other. Each call uses the service's own registration
// and the caller's software statement.

import AccessEnabler
import Synchronization

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

    /// Returns the answers as they arrive. When the caller has enough answers, the other calls still continue.
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

    /// Returns all answers in the order of their arrival. If all services fail, throws the fault of the first service.
    func all<Value: Sendable>(
        _ caller: BackendCaller, _ call: @escaping Call<Value>
    ) async throws(BackendFault) -> [Arrival<Value>] {
        let arrivals = try await everywhere(caller, call).take()
        guard arrivals.contains(where: { $0.value != nil }) else {
            throw arrivals.firstFault() ?? BackendFault(.cancelled)
        }
        return arrivals
    }

    /// Asks one service after the other until `settles` accepts an answer. If it accepts none, returns the first answer that
    /// `willDo` accepts. If there is no such answer and a service failed, throws its fault, because this service might know the
    /// answer. If no service failed, returns the first answer.
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
        // A refusal is an answer. An unreachable service has given no answer, so its fault comes first.
        if let fault = faults.first(where: { $0.refusal == nil }) ?? faults.first { throw fault }
        guard let answer = answers.first else { throw BackendFault(.cancelled) }
        return answer
    }
}

struct Arrivals<Value: Sendable>: Sendable {
    let stream: AsyncStream<Arrival<Value>>
    let tasks: [Task<Void, Never>]

    /// Collects answers until `isEnough` is true for an answer, or all answers are there. If the caller is cancelled, the calls
    /// are also cancelled.
    func take(until isEnough: (Arrival<Value>) -> Bool = { _ in false }) async throws(BackendFault) -> [Arrival<Value>]
    {
        var arrivals: [Arrival<Value>] = []
        for await arrival in stream {
            arrivals.append(arrival)
            if arrivals.count == tasks.count || isEnough(arrival) { return arrivals }
        }
        // The stream ended before all answers were there, so the caller's task was cancelled.
        for task in tasks { task.cancel() }
        throw BackendFault(.cancelled)
    }
}

extension Array {
    /// The fault of the first service, not of the first answer, so that the report does not depend on timing.
    func firstFault<Value>() -> BackendFault? where Element == Arrival<Value> {
        self.filter { $0.fault != nil }.min { $0.part < $1.part }?.fault
    }
}
