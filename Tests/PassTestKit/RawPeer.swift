// The other end of a connection, byte by byte, to test clients that break the rules. Its calls block, with a deadline.

import Glibc
public import PassJSON
import PassProtocol
public import PassWire

public final class RawPeer: @unchecked Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private var number: Int32
    private var buffer: [UInt8] = []

    public init(_ descriptor: consuming Descriptor) { number = descriptor.release() }

    public static func connect(to path: String) throws -> RawPeer {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let outcome = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let peer = RawPeer(Descriptor(adopting: number))
        guard outcome == 0 else { throw Failure(description: "connect: \(errno)") }
        return peer
    }

    deinit { close() }

    public func close() {
        if number >= 0 { Glibc.close(number) }
        number = -1
    }

    public func shutdownWriting() { shutdown(number, Int32(SHUT_WR)) }

    public func send(_ text: String) throws { try send(Array(text.utf8)) }

    public func send(_ bytes: [UInt8]) throws {
        var position = 0
        while position < bytes.count {
            try wait(for: POLLOUT)
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    number, $0.baseAddress.map { $0 + position }, bytes.count - position,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 { position += count } else if errno != EAGAIN { throw Failure(description: "send: \(errno)") }
        }
    }

    /// Sends as much as the kernel accepts without waiting. Returns the number of bytes.
    public func sendSome(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes {
            max(0, Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
        }
    }

    /// Reads one line, without its end; nil at the end of the stream.
    public func line() throws -> String? {
        while true {
            if let line = lineAtHand() { return line }
            guard try receive() else { return buffer.isEmpty ? nil : try incomplete() }
        }
    }

    /// A line that has already arrived, without its end. Does not wait.
    public func lineAtHand() -> String? {
        guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
    }

    /// Reads one line as JSON.
    public func message() throws -> JSONValue {
        guard let line = try line() else { throw Failure(description: "the stream ended") }
        return try JSONReader.read(Array(line.utf8))
    }

    /// The messages that have arrived, without waiting.
    public func messagesAtHand() throws -> [JSONValue] {
        var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        while number >= 0, poll(&state, 1, 0) == 1, try receive() {}
        var messages: [JSONValue] = []
        while let line = lineAtHand() { messages.append(try JSONReader.read(Array(line.utf8))) }
        return messages
    }

    /// Reads all data up to the end of the stream.
    public func rest() throws -> [UInt8] {
        while try receive() {}
        defer { buffer = [] }
        return buffer
    }

    public func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try receive() else { throw Failure(description: "the stream ended") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func incomplete() throws -> String {
        throw Failure(description: "the stream ended inside a line: \(String(decoding: buffer, as: UTF8.self))")
    }

    private func receive() throws -> Bool {
        try wait(for: POLLIN)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(number, &chunk, chunk.count, 0)
        guard count >= 0 else { throw Failure(description: "recv: \(errno)") }
        buffer.append(contentsOf: chunk[..<count])
        return count > 0
    }

    private func wait(for event: Int32) throws {
        var state = pollfd(fd: number, events: Int16(event), revents: 0)
        guard poll(&state, 1, 10_000) == 1 else { throw Failure(description: "nothing came in 10 s") }
    }
}
