// One connection of a raw server. It reads requests, and sends the script's bytes.

import Glibc

struct RawRequest: Equatable, Sendable {
    var line = ""
    var headers: [String] = []
    var body: [UInt8] = []
    /// The client's port on the connection.
    var peerPort: UInt16?

    func header(_ name: String) -> String? {
        headers.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }
}

final class RawConnection {
    let descriptor: Int32
    private let server: RawServer
    private var buffer: [UInt8] = []

    init(descriptor: Int32, server: RawServer) {
        self.descriptor = descriptor
        self.server = server
    }

    /// Reads the next request. Returns nil if the peer has closed.
    func readRequest() -> RawRequest? {
        let end = Array("\r\n\r\n".utf8)
        var found: Int?
        while found == nil {
            found = buffer.indices.first { buffer[$0...].starts(with: end) }
            if found == nil, !readMore() { return nil }
        }
        guard let head = found else { return nil }
        var lines = String(decoding: buffer[..<head], as: UTF8.self).split(separator: "\r\n").map(String.init)
        buffer.removeFirst(head + 4)
        var request = RawRequest(line: lines.removeFirst(), headers: lines)
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        while buffer.count < length { guard readMore() else { return nil } }
        request.body = Array(buffer.prefix(length))
        buffer.removeFirst(length)
        request.peerPort = peerPort
        server.note(request)
        return request
    }

    /// Reads the received bytes, at least `count`.
    func read(atLeast count: Int) -> [UInt8] {
        while buffer.count < count { guard readMore() else { break } }
        return buffer
    }

    /// Returns when the peer has closed.
    func waitForEnd() { while readMore() {} }

    /// Sends the bytes. Returns false if the peer has closed.
    @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// Closes the connection with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    private var peerPort: UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
        return isKnown ? UInt16(bigEndian: address.sin_port) : nil
    }

    private func readMore() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer += bytes.prefix(count)
        return true
    }
}

/// Sends a complete answer with its length.
func answer(_ body: String, status: String = "200 OK", _ headers: [String] = []) -> String {
    (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
        + body
}
