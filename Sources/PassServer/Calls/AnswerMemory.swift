// Remembers the answers to calls that only read the engine's memory. If a client of the same app repeats the call, the
// answer costs no work. An answer is dropped when the actor's state changes, or when a date that the answer depends on is
// reached. docs/decisions/0019.

import AccessEnabler
import PassJSON
import PassProtocol
import PassWire

@EngineActor final class AnswerMemory {
    /// The place of a client's answers, and the policy revision under which the client may get them.
    struct Place {
        fileprivate var index = 0
        fileprivate var revision = UInt64.max
    }

    private struct Answer {
        let call: KnownCall
        let horizon: Horizon
        /// How far the box's date was ahead of the service's date.
        let shift: Int64
    }

    /// The answers that a group of sessions shares.
    private struct Shelf {
        let reader: Session.Reader
        private(set) var answers: [Answer] = []
        /// The index for the next answer after the shelf is full.
        private var next = 0

        init(_ reader: Session.Reader) { self.reader = reader }

        mutating func keep(_ answer: Answer) {
            if let index = answers.firstIndex(where: { $0.call.isSameCall(as: answer.call) }) {
                return answers[index] = answer
            }
            guard answers.count == AnswerMemory.maxAnswers else { return answers.append(answer) }
            answers[next] = answer
            next = (next + 1) % answers.count
        }
    }

    private nonisolated static let maxShelves = 64
    private nonisolated static let maxAnswers = 16

    private let engine: Engine
    /// The revision of all answers.
    private var revision = UInt64.max
    private var shelves: [Shelf] = []
    /// The number of answers that were repeated.
    private(set) var recalled = 0

    /// Whether each answer must be recorded. If so, no call may skip its handler.
    private let isTraced: () -> Bool

    init(_ engine: Engine, isTraced: @escaping () -> Bool) {
        self.engine = engine
        self.isTraced = isTraced
    }

    /// Returns the answer to a message of the client; nil if it is not known.
    func recall(_ message: UnsafeRawBufferPointer, for client: ConnectedClient) -> KnownCall.Match? {
        let place = client.remembered
        guard place.revision == EngineActor.revision, place.revision == revision else { return nil }
        for answer in shelves[place.index].answers {
            guard let match = answer.call.match(message) else { continue }
            let (now, shift) = engine.dates
            // The dates in answers are by the box's clock, which may have been set after the answer.
            guard answer.horizon.contains(now), (answer.shift &- shift).magnitude < 1000 else { return nil }
            recalled += 1
            return match
        }
        return nil
    }

    /// A call that only reads. Its answer may be remembered.
    struct Reading {
        fileprivate let revision: UInt64
        fileprivate let reader: Session.Reader
    }

    /// Call this after policy has allowed the call and before the call begins. Nil if the answer cannot be remembered.
    func begin(_ call: Call, of client: ConnectedClient) -> Reading? {
        guard !isTraced(), let reader = client.session.reader, call.connection.beginNotingCallbacks() else {
            return nil
        }
        engine.beginReading()
        return Reading(revision: EngineActor.revision, reader: reader)
    }

    /// Remembers the answer, unless the state has changed since `begin`. `outcome` is nil if there is no answer yet.
    func end(_ reading: Reading, _ outcome: Result<CallResult, RPCError>?, of client: ConnectedClient) {
        let result: JSONValue? = if case .success(.value(let value))? = outcome { value } else { nil }
        guard let call = client.connection.endNotingCallbacks(result: result),
            reading.revision == EngineActor.revision, reading.reader == client.session.reader
        else { return }
        if revision != reading.revision {
            shelves.removeAll(keepingCapacity: true)
            revision = reading.revision
        }
        guard let index = shelf(for: reading.reader) else { return }
        shelves[index].keep(Answer(call: call, horizon: engine.horizon, shift: engine.dates.shift))
        client.remembered = Place(index: index, revision: revision)
    }

    private func shelf(for reader: Session.Reader) -> Int? {
        if let index = shelves.firstIndex(where: { $0.reader == reader }) { return index }
        guard shelves.count < Self.maxShelves else { return nil }
        shelves.append(Shelf(reader))
        return shelves.count - 1
    }
}
