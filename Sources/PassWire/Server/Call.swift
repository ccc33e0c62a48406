// A call that waits for its answer. Calls may be answered in any order. Each call is answered once, on the connection's queue.
// A call that is dropped without an answer gets INTERNAL_ERROR, so that no client waits forever.

import Dispatch
public import PassJSON
public import PassProtocol

/// One call of a client. A call is used on the connection's queue only, but may be dropped on any thread.
public final class Call: @unchecked Sendable {
    public private(set) var request: Request
    public let connection: ServerConnection
    private let batch: Batch?
    /// The bytes that this call adds to the used memory of the connection's owner until it is answered.
    private let size: Int
    private var isAnswered = false

    init(_ request: Request, connection: ServerConnection, batch: Batch?, size: Int) {
        self.request = request
        self.connection = connection
        self.batch = batch
        self.size = size
    }

    /// Drops the JSON of the params. Call this after reading the params into a Swift type, because they would otherwise be kept
    /// twice.
    public func dropParams() { request = Request(id: request.id, method: request.method) }

    /// Answers the call. Only the first answer is sent. A notification gets no answer.
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

/// A batch is a message with several calls. Collects the answers of a batch into one array. Used on the connection's queue
/// only.
final class Batch: @unchecked Sendable {
    private var missing: Int
    /// The text of the array so far.
    private var answers: [UInt8] = []

    /// The memory of the collected answers, in bytes.
    var size: Int { answers.capacity }

    init(expecting count: Int) { missing = count }

    /// Adds an answer. Returns the whole array if this is the last answer; otherwise nil.
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
