// One call that waits for its answer. It may be answered later and in any order, once, on the connection's queue. A
// call that is dropped without an answer is answered with INTERNAL_ERROR, so that no client waits for ever.

import PassJSON
import PassProtocol

/// Belongs to the connection's queue, except that it may be dropped anywhere.
public final class Call: @unchecked Sendable {
    public private(set) var request: Request
    public let connection: ServerConnection
    private let batch: Batch?
    /// The memory it is charged with until it is answered.
    private let size: Int
    private var isAnswered = false

    init(_ request: Request, connection: ServerConnection, batch: Batch?, size: Int) {
        self.request = request
        self.connection = connection
        self.batch = batch
        self.size = size
    }

    /// Its params are somebody else's now, in another form: they are not kept twice, nor what no method knows of them.
    public func dropParams() { request = Request(id: request.id, method: request.method) }

    /// A notification takes its answer too, and nobody hears it. Answers after the first are ignored.
    public func answer(_ outcome: Result<JSONValue, RPCError>) { answer(result: outcome.map(CallResult.value)) }

    public func answer(result outcome: Result<CallResult, RPCError>) {
        guard !isAnswered else { return }
        isAnswered = true
        connection.complete(request.id, batch: batch, outcome: outcome, size: size)
    }

    deinit {
        guard !isAnswered else { return }
        connection.queue.async { [connection, batch, size, id = request.id] in
            connection.complete(id, batch: batch, outcome: .failure(.internalError()), size: size)
        }
    }
}

/// Gathers the answers of a batch into one array. Belongs to the connection's queue.
final class Batch: @unchecked Sendable {
    private var missing: Int
    /// The array so far.
    private var answers: [UInt8] = []

    /// What it keeps until the last answer.
    var size: Int { answers.capacity }

    init(expecting count: Int) { missing = count }

    /// The whole array with the last answer.
    func add(_ response: [UInt8]) -> [UInt8]? {
        answers.append(UInt8(ascii: answers.isEmpty ? "[" : ","))
        answers += response
        missing -= 1
        guard missing == 0 else { return nil }
        answers.append(UInt8(ascii: "]"))
        defer { answers = [] }
        return answers
    }
}
