// Empty buffers that connections no longer use. Reusing them saves an allocation for each answer. The number of buffers is
// limited.

struct SpareBuffers {
    private static let maxBuffers = 64
    private static let maxBytes = 16 << 10

    private var buffers: [[UInt8]] = []

    /// Returns an empty buffer. The buffer has no capacity if there is no spare buffer.
    mutating func take() -> [UInt8] { buffers.popLast() ?? [] }

    /// Keeps the memory of a buffer, but not its content.
    mutating func keep(_ buffer: consuming [UInt8]) {
        guard buffers.count < Self.maxBuffers, 1...Self.maxBytes ~= buffer.capacity else { return }
        buffer.removeAll(keepingCapacity: true)
        buffers.append(buffer)
    }
}
