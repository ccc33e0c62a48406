// Makes messages from the bytes of a client, and calls from the messages. After a limited number of messages, or a limited
// time, other clients have their turn. The remaining calls of an unfinished batch come first in the connection's next turn.
//
// If the answer to a line is known (`KnownCall`), the line is answered while it is still in the socket's buffer, without the
// reader. All other bytes go through the reader.
//
// A turn ends early in three cases: the client does not read its answers; its app or user has the max number of waiting calls
// (CallRoom); or the connection has the max number of pending calls. In the last case, the work that already waits in the
// dispatch queue runs first, because it may answer calls. After that, further calls are refused with LIMIT. While messages wait
// here, passd does not read the socket.

import Dispatch
import PassProtocol

extension ServerConnection {
    func received(_ bytes: UnsafeRawBufferPointer) {
        guard state == .open else { return }
        var turn = Turn(limits)
        let left = answerKnownLines(in: bytes, &turn)
        guard !left.isEmpty else { return }
        if reader.keptBytes == 0 { reader.borrow(stream.takeSpare()) }
        reader.append(left)
        goOn(in: &turn)
    }

    /// Answers the lines whose answers are known, up to the first line whose answer is not known. Returns the remaining bytes.
    private func answerKnownLines(in bytes: UnsafeRawBufferPointer, _ turn: inout Turn) -> UnsafeRawBufferPointer {
        var left = bytes
        guard reader.isBetweenLines else { return left }
        while !turn.isOver, stream.bufferedBytes <= limits.lowWater, let line = FrameReader.firstLine(of: left),
            answerIfKnown(line.text)
        {
            left = line.rest
            turn.count()
        }
        return left
    }

    /// If the answer to the message is known, sends the answer and returns true. While a call is pending, does nothing, because
    /// this answer would come before the answer of the pending call.
    private func answerIfKnown(_ message: UnsafeRawBufferPointer) -> Bool {
        guard pendingCalls == 0, rest == nil, !isTurnScheduled, let match = recall?(message) else { return false }
        statistics.requests += 1
        send(known: match)
        return true
    }

    /// Takes calls until the turn ends. Afterwards an idle connection keeps no memory for input.
    private func goOn(in turn: inout Turn) {
        takeMessages(&turn)
        if hasGotRoom {
            hasGotRoom = false
            share?.passOn()
        }
        if let spare = reader.giveBack() { stream.keepSpare(spare) }
        settleAccount()
    }

    func inputEnded(_ end: SocketStream.End) {
        switch end {
        case .failed(let errno) where SocketStream.meansGone(errno): return close(.peerClosed)
        case .failed(let errno): return close(.failed(errno: errno))
        case .stalled: return close(.outputStalled)
        case .closed, .halfClosed: break
        }
        // If the client has closed its socket in both directions, an incomplete last line is dropped, because nobody can read
        // its answer.
        guard end == .halfClosed else { return close(.peerClosed) }
        if state == .open, let output = reader.finish() { handle(output) }
        finish(.peerClosed)
        if rest != nil { scheduleTurn() }
    }

    /// Continues after the client has read enough output. Waiting messages come before new bytes.
    func resumeReading() {
        if stream.bufferedBytes <= limits.lowWater { scheduleTurn() }
    }

    private func scheduleTurn() {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        stream.setReading(false)
        stream.later {
            self.isTurnScheduled = false
            var turn = Turn(self.limits, isSingle: self.hasGotRoom)
            self.goOn(in: &turn)
        }
    }

    private func takeMessages(_ turn: inout Turn) {
        while true {
            if rest != nil {
                guard !turn.isOver else { return endTurn() }
                guard hasRoom else { return waitForRoom() }
                takeFromBatch()
                turn.count()
                continue
            }
            guard state == .open else { return advanceEnd() }
            guard stream.bufferedBytes <= limits.lowWater else { return pauseForOutput() }
            guard !turn.isOver else { return endTurn() }
            guard hasRoom else { return waitForRoom() }
            if pendingCalls < limits.pendingCalls {
                hasWaited = false
            } else if !hasWaited {
                hasWaited = true
                return scheduleTurn()
            }
            guard let output = reader.next() else { return stream.setReading(true) }
            handle(output)
            // The calls of a batch are counted one by one.
            if rest == nil { turn.count() }
        }
    }

    /// Stops taking calls until the next turn. After a pause for lack of room, a connection takes only one call. Then the
    /// connection waits again, behind the other paused connections.
    private func endTurn() {
        if hasGotRoom { waitForRoom() } else { scheduleTurn() }
    }

    var hasRoom: Bool { share?.hasRoom ?? true }

    /// Pauses until the app or the owner has fewer waiting calls. `resumeWithRoom` then continues.
    private func waitForRoom() {
        stream.setReading(false)
        guard !isWaitingForRoom else { return }
        isWaitingForRoom = true
        share?.pause(self)
    }

    func resumeWithRoom() {
        isWaitingForRoom = false
        hasGotRoom = true
        scheduleTurn()
    }

    /// Pauses until the client reads its output. `outputMoved` then continues.
    private func pauseForOutput() {
        stream.setReading(false)
        stream.flush()
    }

    private func handle(_ output: FrameReader.Output) {
        switch output {
        case .message(let bytes):
            if bytes.withUnsafeBytes({ answerIfKnown($0) }) { return }
            let (envelope, size) = Envelope.weigh(bytes, limits: limits.json)
            switch envelope {
            case .single(let item):
                messageInHand = bytes
                handle(item, nil, size: size)
                messageInHand = nil
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
            statistics.requests += 1
            guard pendingCalls < limits.pendingCalls else {
                statistics.refusals += 1
                let error = RPCError.limit("pending-calls-per-session", maximum: limits.pendingCalls)
                return answer(request.id, batch: batch, outcome: .failure(error))
            }
            let size = size + ConnectionLimits.callSize
            pendingCalls += 1
            pendingBytes += size
            share?.take()
            onCall?(Call(request, connection: self, batch: batch, size: size))
        }
    }

    private func refuse(_ fault: FrameFault) {
        statistics.refusals += 1
        switch fault {
        case .http:
            let line = "This is passd's socket: it speaks JSON-RPC 2.0, one message per line. It does not speak HTTP.\n"
            stream.write(Array(line.utf8))
        case .tooLarge(let limit): answer(.null, batch: nil, outcome: .failure(.messageTooLarge(limit: limit)))
        case .malformedHeader(let reason):
            answer(.null, batch: nil, outcome: .failure(.invalidRequest("malformed header: " + reason)))
        case .truncated: break
        }
        drain(.fault(fault))
    }
}
