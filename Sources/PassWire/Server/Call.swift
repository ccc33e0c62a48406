// One call that waits for its answer. It may be answered later and in any order, once, on the connection's queue. A
// call that is dropped without an answer is answered with INTERNAL_ERROR, so that no client waits for ever.

import PassProtocol

/// Belongs to the connection's queue, except that it may be dropped anywhere.
public final class Call: @unchecked Sendable {
    public let request: Request
    public let connection: ServerConnection
    private let batch: Batch?
    private var isAnswered = false

    init(_ request: Request, _ connection: ServerConnection, _ batch: Batch?) {
        self.request = request
        self.connection = connection
        self.batch = batch
    }

    /// A notification takes its answer too, and nobody hears it. Answers after the first are ignored.
    public func answer(_ outcome: Result<JSONValue, RPCError>) {
        guard !isAnswered else { return }
        isAnswered = true
        connection.complete(request.id, batch, outcome)
    }

    deinit {
        guard !isAnswered else { return }
        connection.queue.async { [connection, batch, id = request.id] in
            connection.complete(id, batch, .failure(.internalError()))
        }
    }
}

/// Gathers the answers of a batch into one array. Belongs to the connection's queue.
final class Batch: @unchecked Sendable {
    private var missing: Int
    private var answers: [JSONValue] = []

    init(expecting count: Int) { missing = count }

    /// The whole array with the last answer.
    func add(_ response: Response) -> JSONValue? {
        answers.append(response.json)
        missing -= 1
        return missing == 0 ? .array(answers) : nil
    }
}
