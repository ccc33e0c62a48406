// Remembers the answers to calls that change nothing and need no request to the service. If the same call comes again from a
// session with the same state, passd sends the remembered answer and does not run the handler. passd drops all remembered
// answers when the engine's state changes. An answer also expires at the first date that would change it, such as the end of a
// login. docs/decisions/0019.

import AccessEnabler
import PassJSON
import PassProtocol
import PassWire

@EngineActor final class AnswerMemory {
    /// Where a client's remembered answers are: the index of a `Shelf`, with the engine's revision for which the index is
    /// valid. The revision is a number that changes whenever the engine's state may have changed.
    struct Place {
        fileprivate var index = 0
        fileprivate var revision = UInt64.max
    }

    private struct Answer {
        let call: KnownCall
        let horizon: Horizon
        /// The box's date minus the service's date at the time of the answer, in milliseconds.
        let shift: Int64
    }

    /// The answers for all sessions with an equal `reader`. The reader has those values of a session on which the answers
    /// depend.
    private struct Shelf {
        let reader: Session.Reader
        private(set) var answers: [Answer] = []
        /// The index of the answer that is replaced next. Used only when the shelf is full.
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
    /// The engine's revision when the remembered answers were made.
    private var revision = UInt64.max
    private var shelves: [Shelf] = []
    /// The number of answers that were repeated.
    private(set) var recalled = 0

    /// Whether the journal records each answer. If so, passd remembers no answers, because an answer from memory would be
    /// missing in the journal.
    private let isTraced: () -> Bool

    init(_ engine: Engine, isTraced: @escaping () -> Bool) {
        self.engine = engine
        self.isTraced = isTraced
    }

    /// Returns the remembered answer to this message; nil if there is none.
    func recall(_ message: UnsafeRawBufferPointer, for client: ConnectedClient) -> KnownCall.Match? {
        let place = client.remembered
        guard place.revision == EngineActor.revision, place.revision == revision else { return nil }
        for answer in shelves[place.index].answers {
            guard let match = answer.call.match(message) else { continue }
            let (now, shift) = engine.dates
            // Answers contain dates by the box's clock. If the clock was set in the meantime, the dates are wrong.
            guard answer.horizon.contains(now), (answer.shift &- shift).magnitude < 1000 else { return nil }
            recalled += 1
            return match
        }
        return nil
    }

    /// A call whose answer may be remembered, because the call only reads.
    struct Reading {
        fileprivate let revision: UInt64
        fileprivate let reader: Session.Reader
    }

    /// Prepares to remember the answer to a call. Call this after the policy's decision and before the call begins. Returns nil
    /// if the answer cannot be remembered.
    func begin(_ call: Call, of client: ConnectedClient) -> Reading? {
        guard !isTraced(), let reader = client.session.reader, call.connection.beginNotingCallbacks() else {
            return nil
        }
        engine.beginReading()
        return Reading(revision: EngineActor.revision, reader: reader)
    }

    /// Remembers the answer, unless the state has changed since `begin`. If the call has to wait, `outcome` is nil and nothing
    /// is remembered.
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
