// A program's connection to the daemon. Each call has a deadline. Answers may arrive in any order. Callbacks come as a stream.
// When the connection ends, all waiting calls fail with the reason.
//
// The state of the connection belongs to its own queue. The public functions may be called from any thread.

import Dispatch
public import PassJSON
public import PassProtocol

public final class ClientConnection: @unchecked Sendable {
    /// The callbacks in their order, for a single reader. The stream ends with the connection.
    public let notifications: AsyncStream<Notification>

    let queue = DispatchQueue(label: "passd.client")
    let limits: ClientLimits
    private let stream: SocketStream
    private let delivery: AsyncStream<Notification>.Continuation
    private var reader: FrameReader
    private var waiting: [Int64: Waiting] = [:]
    private var lastID: Int64 = 0
    private var ending: Disconnection?

    private struct Waiting {
        let answer: @Sendable (Result<JSONValue, ClientError>) -> Void
        let deadline: DispatchWorkItem
    }

    /// Takes ownership of a connected socket.
    public init(_ descriptor: consuming Descriptor, limits: ClientLimits = ClientLimits()) {
        self.limits = limits
        stream = SocketStream(descriptor, queue: queue, readSize: 64 << 10)
        reader = FrameReader(limit: limits.messageSize)
        (notifications, delivery) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limits.notifications))
        queue.async {
            self.stream.start(
                SocketStream.Handlers(
                    bytes: { [weak self] in self?.received($0) }, end: { [weak self] in self?.ended($0) },
                    moved: {}, closed: {}))
        }
    }

    deinit {
        delivery.finish()
        queue.async { [stream] in stream.close() }
    }

    /// The reason why the connection ended; nil while it is open.
    public var disconnection: Disconnection? {
        get async { await withCheckedContinuation { reply in queue.async { reply.resume(returning: self.ending) } } }
    }

    public func call(
        _ method: String, _ params: JSONValue? = nil, within time: Duration = .seconds(30)
    ) async throws(ClientError) -> JSONValue {
        let ticket = Ticket()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                queue.async {
                    self.send(method, params: params, time: time, ticket: ticket) { outcome in
                        reply.resume(returning: outcome)
                    }
                }
            }
        } onCancel: {
            queue.async {
                ticket.isCancelled = true
                if let id = ticket.id { self.settle(id, .failure(.cancelled)) }
            }
        }
        return try outcome.get()
    }

    /// Sends a notification. The daemon does not answer a notification.
    public func notify(_ method: String, _ params: JSONValue? = nil) {
        queue.async { self.write(Request(id: nil, method: method, params: params)) }
    }

    public func close() { queue.async { self.end(.closedByUs) } }

    /// Holds the id of a call for its cancellation. Used on the connection's queue only.
    private final class Ticket: @unchecked Sendable {
        var id: Int64?
        var isCancelled = false
    }

    private func send(
        _ method: String, params: JSONValue?, time: Duration, ticket: Ticket,
        answer: @escaping @Sendable (Result<JSONValue, ClientError>) -> Void
    ) {
        if ticket.isCancelled { return answer(.failure(.cancelled)) }
        if case .refused(let error) = ending { return answer(.failure(.refused(error))) }
        if let ending { return answer(.failure(.disconnected(ending))) }
        guard waiting.count < limits.pendingCalls else {
            return answer(.failure(.tooManyCalls(limit: limits.pendingCalls)))
        }
        lastID += 1
        let id = lastID
        ticket.id = id
        let deadline = DispatchWorkItem { [weak self] in self?.settle(id, .failure(.timedOut)) }
        waiting[id] = Waiting(answer: answer, deadline: deadline)
        queue.asyncAfter(deadline: .now() + time.dispatchInterval, execute: deadline)
        write(Request(id: .number(JSONNumber(id)), method: method, params: params))
    }

    private func write(_ request: Request) {
        guard ending == nil else { return }
        guard stream.bufferedBytes <= limits.outputBuffer else {
            return end(.outputOverflow(limit: limits.outputBuffer))
        }
        stream.write(Framing.line.frame(JSONWriter.bytes(request.json)))
    }

    private func settle(_ id: Int64, _ outcome: Result<JSONValue, ClientError>) {
        guard let call = waiting.removeValue(forKey: id) else { return }
        call.deadline.cancel()
        call.answer(outcome)
    }

    // MARK: Input

    private func received(_ bytes: UnsafeRawBufferPointer) {
        reader.append(bytes)
        while ending == nil, let output = reader.next() { handle(output) }
    }

    private func handle(_ output: FrameReader.Output) {
        switch output {
        case .fault(let fault): end(.notUnderstood(fault.description))
        case .message(let bytes):
            do throws(JSONFault) {
                handle(try JSONReader.read(bytes, limits: limits.json))
            } catch {
                end(.notUnderstood("the daemon's message is not JSON: \(error)"))
            }
        }
    }

    private func handle(_ message: JSONValue) {
        if let items = message.array {
            for item in items { handle(item) }
        } else if let method = message["method"]?.string {
            let notification = Notification(method: method, params: message["params"] ?? [:])
            if case .dropped = delivery.yield(notification) {
                end(.notificationsUnread(limit: limits.notifications))
            }
        } else if let response = Response(json: message) {
            if response.id == .null { return refused(response) }
            guard let id = response.id.json.int64 else { return }
            settle(id, response.outcome.mapError(ClientError.refused))
        }
    }

    /// Handles an error that belongs to no call, such as an exceeded quota or an unreadable message. After such an error, the
    /// daemon closes the connection.
    private func refused(_ response: Response) {
        if case .failure(let error) = response.outcome { end(.refused(error)) }
    }

    private func ended(_ end: SocketStream.End) {
        if ending == nil, let output = reader.finish() { handle(output) }
        switch end {
        case .failed(let errno) where !SocketStream.meansGone(errno): self.end(.failed(errno: errno))
        default: self.end(.closedByDaemon)
        }
    }

    private func end(_ reason: Disconnection) {
        guard ending == nil else { return }
        ending = reason
        stream.flush()
        stream.close()
        delivery.finish()
        let failure =
            if case .refused(let error) = reason { ClientError.refused(error) } else {
                ClientError.disconnected(reason)
            }
        for id in waiting.keys.sorted() { settle(id, .failure(failure)) }
    }
}

extension Duration {
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 30 else { return .never }
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
