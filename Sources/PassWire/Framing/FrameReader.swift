// Splits bytes into messages, as a pure state machine without I/O. The first bytes decide the framing (rpc.md §2).
//
// The reader keeps at most one message of the allowed size and the last appended bytes. Each append first drops all returned
// messages, even if the buffer has the beginning of the next message.

import Glibc

public struct FrameReader: Sendable {
    public enum Output: Sendable, Equatable {
        /// One message without its framing.
        case message([UInt8])
        /// The stream is unreadable and ends here.
        case fault(FrameFault)
    }

    private enum State: Sendable {
        case undecided
        case line
        case headers
        case body(Int)
        case broken
    }

    /// The max size of a message in bytes.
    public let limit: Int
    private var state = State.undecided
    private var buffer: [UInt8] = []
    /// The index in `buffer` of the first unreturned byte.
    private var start = 0
    /// The index in `buffer` up to which the unreturned bytes have no line end.
    private var scanned = 0

    /// Makes a reader. `framing` is nil if the other side has not chosen a framing yet.
    public init(limit: Int = 1 << 20, framing: Framing? = nil) {
        self.limit = limit
        self.framing = framing
        if let framing { state = framing == .line ? .line : .headers }
    }

    /// The framing of the other side; nil until it is known.
    public private(set) var framing: Framing?

    public var bufferedBytes: Int { buffer.count - start }

    /// The memory of the buffer, including the unused part. Limits apply to this number.
    public var keptBytes: Int { buffer.capacity }

    /// Whether part of a message has arrived.
    public var isInsideMessage: Bool {
        switch state {
        case .body: true
        case .broken: false
        default: bufferedBytes > 0
        }
    }

    /// Whether the next byte begins a line.
    var isBetweenLines: Bool {
        if case .line = state { bufferedBytes == 0 } else { false }
    }

    /// Returns the first line and the bytes after the line. Nil if the line has no end.
    static func firstLine(
        of bytes: UnsafeRawBufferPointer
    ) -> (text: UnsafeRawBufferPointer, rest: UnsafeRawBufferPointer)? {
        guard let start = bytes.baseAddress, let hit = memchr(start, Int32(UInt8(ascii: "\n")), bytes.count) else {
            return nil
        }
        let end = UnsafeRawPointer(hit) - start
        return (
            UnsafeRawBufferPointer(rebasing: bytes[..<end]), UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        )
    }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if case .broken = state { return }
        dropConsumed()
        buffer.append(contentsOf: bytes)
    }

    public mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Returns the next message or fault; nil if more bytes are needed.
    public mutating func next() -> Output? {
        while true {
            let step: Step
            switch state {
            case .undecided: step = decide()
            case .line: step = line()
            case .headers: step = headers()
            case .body(let count): step = body(count)
            case .broken: return nil
            }
            switch step {
            case .again: continue
            case .wait:
                dropConsumed()
                return nil
            case .output(let output): return output
            }
        }
    }

    /// Call this at the end of the stream. Returns the last message, even if its line has no end. Returns a fault if the stream
    /// ends within a message with headers.
    public mutating func finish() -> Output? {
        if case .undecided = state { state = .line }
        switch state {
        case .line:
            let rest = Array(buffer[start...])
            discardAll()
            return rest.allSatisfy(Self.isBlank) ? nil : .message(rest)
        case .headers, .body: return isInsideMessage ? fail(.truncated) : nil
        case .undecided, .broken: return nil
        }
    }

    /// Uses this memory as the buffer for arriving bytes. The old content of the memory is discarded.
    mutating func borrow(_ memory: consuming [UInt8]) {
        guard buffer.isEmpty else { return }
        buffer = memory
        buffer.removeAll(keepingCapacity: true)
    }

    /// Gives up the memory of the buffer and returns it; nil if the buffer is in use.
    mutating func giveBack() -> [UInt8]? {
        guard buffer.isEmpty, buffer.capacity > 0 else { return nil }
        let memory = buffer
        buffer = []
        return memory
    }

    private enum Step {
        case again
        case wait
        case output(Output)
    }

    private mutating func decide() -> Step {
        guard start < buffer.count else { return .wait }
        switch Framing.recognise(buffer[start...].prefix(Framing.maxOpeningSize)) {
        case .undecided: return .wait
        case .http: return .output(fail(.http))
        case .known(let framing):
            self.framing = framing
            state = framing == .line ? .line : .headers
        }
        return .again
    }

    private mutating func line() -> Step {
        guard let end = find(UInt8(ascii: "\n"), from: max(scanned, start)) else {
            scanned = buffer.count
            let allowance = buffer.last == UInt8(ascii: "\r") ? 1 : 0
            guard bufferedBytes <= limit + allowance else { return .output(fail(.tooLarge(limit: limit))) }
            return .wait
        }
        let range = start..<(end > start && buffer[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
        start = end + 1
        scanned = start
        if buffer[range].allSatisfy(Self.isBlank) { return .again }
        guard range.count <= limit else { return .output(fail(.tooLarge(limit: limit))) }
        return .output(.message(Array(buffer[range])))
    }

    private mutating func headers() -> Step {
        switch HeaderBlock.read(buffer[start...]) {
        case .incomplete: return .wait
        case .malformed(let reason): return .output(fail(.malformedHeader(reason)))
        case .complete(let block):
            guard block.contentLength <= limit else { return .output(fail(.tooLarge(limit: limit))) }
            start += block.size
            state = .body(block.contentLength)
            return .again
        }
    }

    private mutating func body(_ count: Int) -> Step {
        guard bufferedBytes >= count else { return .wait }
        let message = Array(buffer[start..<start + count])
        start += count
        state = .headers
        return .output(.message(message))
    }

    private mutating func fail(_ fault: FrameFault) -> Output {
        state = .broken
        discardAll()
        return .fault(fault)
    }

    /// The max capacity of an empty buffer that is kept for the next bytes.
    private static let smallCapacity = 1 << 17

    /// Drops the returned bytes. The rest is no longer than the last append, so few bytes are moved. A large buffer with few
    /// bytes is replaced by a small one.
    private mutating func dropConsumed() {
        if start == buffer.count { return discardAll() }
        if buffer.capacity > Self.smallCapacity, bufferedBytes < buffer.capacity / 4 {
            buffer = Array(buffer[start...])
        } else if start > 0 {
            buffer.removeSubrange(..<start)
        }
        scanned = max(0, scanned - start)
        start = 0
    }

    private mutating func discardAll() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.smallCapacity)
        start = 0
        scanned = 0
    }

    private func find(_ byte: UInt8, from position: Int) -> Int? {
        buffer.withUnsafeBytes { bytes -> Int? in
            guard position < bytes.count, let base = bytes.baseAddress,
                let hit = memchr(base + position, Int32(byte), bytes.count - position)
            else { return nil }
            return UnsafeRawPointer(hit) - base
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}
