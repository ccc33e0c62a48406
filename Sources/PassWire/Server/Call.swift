// A call that waits for its answer. Calls may be answered in any order. Each call is answered once, on the connection's queue.
// A call that is dropped without an answer is answered with INTERNAL_ERROR, so that no client waits forever.

import Dispatch
public import PassJSON
public import PassProtocol

/// One call of a client. It is used on the connection's queue only, but may be dropped on any thread.
public final class Call: @unchecked Sendable {
    public private(set) var request: Request
    public let connection: ServerConnection
    private let batch: Batch?
    /// The memory in bytes that is charged for the call until it is answered.
    private let size: Int
    private var isAnswered = false

    init(_ request: Request, connection: ServerConnection, batch: Batch?, size: Int) {
        self.request = request
        self.connection = connection
        self.batch = batch
        self.size = size
    }

    /// Drops the JSON of the params. Call this when the params were read into a Swift type, so that they are not kept
    /// twice.
    public func dropParams() { request = Request(id: request.id, method: request.method) }

    /// Answers the call. Further answers and answers to a notification are dropped.
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

/// Collects the answers of a batch into one array. Used on the connection's queue only.
final class Batch: @unchecked Sendable {
    private var missing: Int
    /// The text of the array so far.
    private var answers: [UInt8] = []

    /// The memory of the answers until the last answer is there, in bytes.
    var size: Int { answers.capacity }

    init(expecting count: Int) { missing = count }

    /// Adds an answer. Returns the whole array after the last answer, and nil before.
    func add(_ response: (inout JSONWriter) -> Void) -> WrittenJSON? {
        answers.append(UInt8(ascii: answers.isEmpty ? "[" : ","))
        JSONWriter.append(to: &answers, response)
        missing -= 1
        guard missing == 0 else { return nil }
        answers.append(UInt8(ascii: "]"))
        defer { answers = [] }
        return WrittenJSON(text: answers)
    }
}
