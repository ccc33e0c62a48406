// A call that waits for its answer. It is answered once, at any time and in any order. A call that is dropped without
// an answer is answered with INTERNAL_ERROR, so that no client waits forever.

import PassJSON
import PassProtocol

/// It is used on the connection's queue only, except that it may be dropped on any thread.
public final class Call: @unchecked Sendable {
    public private(set) var request: Request
    public let connection: ServerConnection
    private let batch: Batch?
    /// The memory that is charged for it until it is answered.
    private let size: Int
    private var isAnswered = false

    init(_ request: Request, connection: ServerConnection, batch: Batch?, size: Int) {
        self.request = request
        self.connection = connection
        self.batch = batch
        self.size = size
    }

    /// Drops the params once they are kept in typed form, so that they are not kept twice.
    public func dropParams() { request = Request(id: request.id, method: request.method) }

    /// Answers the call. The answer of a notification is discarded; further answers are ignored.
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

/// Collects the answers of a batch in one array. It is used on the connection's queue only.
final class Batch: @unchecked Sendable {
    private var missing: Int
    /// The array so far.
    private var answers: [UInt8] = []

    /// The memory that it keeps until the last answer.
    var size: Int { answers.capacity }

    init(expecting count: Int) { missing = count }

    /// Returns the whole array with the last answer, and nil before.
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
