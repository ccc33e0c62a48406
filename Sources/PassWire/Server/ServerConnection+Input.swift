// The input side: bytes become messages, and messages become calls, for a bounded number and time in each turn of the
// queue. The rest of a batch comes first in the next turn.
//
// A turn ends early when the client does not read its answers, or when it has the most pending calls that are allowed.
// In the latter case the queue goes round once, so that queued work of these calls can finish; further calls are then
// refused with LIMIT. Nothing is read from the socket while messages are waiting here.

import Dispatch
import PassProtocol

extension ServerConnection {
    func received(_ bytes: UnsafeRawBufferPointer) {
        guard state == .open else { return }
        statistics.bytesReceived += bytes.count
        reader.append(bytes)
        takeMessages()
        settleAccount()
    }

    func inputEnded(_ end: SocketStream.End) {
        switch end {
        case .failed(let errno) where SocketStream.meansGone(errno): return close(.peerClosed)
        case .failed(let errno): return close(.failed(errno: errno))
        case .stalled: return close(.outputStalled)
        case .closed, .halfClosed: break
        }
        // A client that has closed both directions gets no answer to a last line without an end.
        guard end == .halfClosed else { return close(.peerClosed) }
        if state == .open, let output = reader.finish() { handle(output) }
        finish(.peerClosed)
        if rest != nil { scheduleTurn() }
    }

    /// The client has read some output: continues with the messages that waited for that.
    func resumeReading() {
        if stream.bufferedBytes <= limits.lowWater { scheduleTurn() }
    }

    private func scheduleTurn() {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        stream.setReading(false)
        stream.later {
            self.isTurnScheduled = false
            self.takeMessages()
            self.settleAccount()
        }
    }

    private func takeMessages() {
        var turn = Turn(limits)
        while true {
            if rest != nil {
                guard !turn.isOver else { return scheduleTurn() }
                takeFromBatch()
                turn.count()
                continue
            }
            guard state == .open else { return advanceEnd() }
            guard stream.bufferedBytes <= limits.lowWater else { return pauseForOutput() }
            guard !turn.isOver else { return scheduleTurn() }
            if pendingCalls < limits.pendingCalls {
                hasWaited = false
            } else if !hasWaited {
                hasWaited = true
                return scheduleTurn()
            }
            guard let output = reader.next() else { return stream.setReading(true) }
            handle(output)
            // The calls of a batch are counted individually.
            if rest == nil { turn.count() }
        }
    }

    /// Pauses until the client has read some output; `outputMoved` then resumes.
    private func pauseForOutput() {
        stream.setReading(false)
        stream.flush()
    }

    private func handle(_ output: FrameReader.Output) {
        switch output {
        case .message(let bytes):
            let (envelope, size) = Envelope.weigh(bytes, limits: limits.json)
            switch envelope {
            case .single(let item): handle(item, nil, size: size)
            case .batch(let items): rest = BatchRest(items, size: size)
            }
        case .fault(let fault): refuse(fault)
        }
    }

    private func takeFromBatch() {
        guard let batch = rest?.batch, let size = rest?.sizeOfEach, let item = rest?.next() else { return }
        if rest?.isEmpty == true { rest = nil }
        handle(item, batch, size: size)
    }

    private func handle(_ item: Envelope.Item, _ batch: Batch?, size: Int) {
        switch item {
        case .refused(let id, let error):
            statistics.refusals += 1
            answer(id, batch: batch, outcome: .failure(error))
        case .request(let request):
            if request.id == nil { statistics.notifications += 1 } else { statistics.requests += 1 }
            guard pendingCalls < limits.pendingCalls else {
                statistics.refusals += 1
                let error = RPCError.limit("pending-calls-per-session", maximum: limits.pendingCalls)
                return answer(request.id, batch: batch, outcome: .failure(error))
            }
            let size = size + ConnectionLimits.callSize
            pendingCalls += 1
            pendingBytes += size
            onCall?(Call(request, connection: self, batch: batch, size: size))
        }
    }

    private func refuse(_ fault: FrameFault) {
        statistics.refusals += 1
        switch fault {
        case .http:
            let line = "This is passd's socket: it speaks JSON-RPC 2.0, one message per line, and no HTTP.\n"
            stream.write(Array(line.utf8))
        case .tooLarge(let limit): answer(.null, batch: nil, outcome: .failure(.messageTooLarge(limit: limit)))
        case .malformedHeader(let reason):
            answer(.null, batch: nil, outcome: .failure(.invalidRequest("malformed header: " + reason)))
        case .truncated: break
        }
        drain(.fault(fault))
    }
}
