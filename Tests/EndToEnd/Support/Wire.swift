// A TCP connection to a sandbox, byte by byte, for tests that behave worse than real clients.

import Glibc
import PassJSON
import PassTestTools

@testable import PassSandbox

final class Wire {
    let descriptor: Int32

    init(_ port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw TestFailure("cannot connect to port \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Returns false if the other side has closed.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Reads until the other side closes, or until enough has arrived.
    func receive(seconds: Double = 30, until isEnough: ([UInt8]) -> Bool = { _ in false }) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let end = ContinuousClock.now + .seconds(seconds)
        while !isEnough(all) {
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&waiting, 1, Int32(left) + 1) > 0 else {
                throw TestFailure("the connection stays open after \(seconds) s")
            }
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
        return all
    }
}

/// The answer to one request on a connection of its own.
struct Reply {
    let status: Int
    let text: String

    var json: JSONValue { (try? JSONReader.read(Array(text.utf8))) ?? .null }
    subscript(name: String) -> String { json[name]?.string ?? "" }
}

extension RunningSandbox {
    func request(
        _ method: String, _ path: String, _ headers: [String] = [], _ body: String = "", seconds: Double = 30
    ) throws -> Reply {
        let wire = try Wire(port)
        let named = headers.contains { $0.hasPrefix("Host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
        let lines =
            ["\(method) \(path) HTTP/1.1"] + named
            + ["Connection: close", "Content-Length: \(body.utf8.count)"] + headers
        wire.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        let bytes = try wire.receive(seconds: seconds)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let status = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
            let blank = text.range(ofBlankLine: ())
        else { throw TestFailure("no answer to \(method) \(path): \(text)") }
        return Reply(status: status, text: String(text[blank...]))
    }

    func control(_ path: String, _ body: JSONValue) throws -> Reply {
        try request("POST", path, ["Content-Type: application/json"], body.text)
    }

    /// Whether the server still answers.
    var answers: Bool { (try? request("GET", "/sandbox/clock").status) == 200 }
}

extension String {
    fileprivate func range(ofBlankLine: Void) -> Index? {
        let bytes = Array(utf8)
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) }) else { return nil }
        return utf8.index(utf8.startIndex, offsetBy: place + 4)
    }
}
