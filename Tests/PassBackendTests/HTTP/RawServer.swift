// A server of raw bytes on loopback. Every connection runs the test's script on a thread of its own.

import Glibc
import Synchronization

final class RawServer: Sendable {
    private struct Counts {
        var connections = 0
        var requests: [RawRequest] = []
        var open = 0
    }

    private let listener: Int32
    let port: UInt16
    private let script: @Sendable (RawConnection) -> Void
    private let counts = Mutex(Counts())

    struct CannotListen: Error {}

    init(_ script: @escaping @Sendable (RawConnection) -> Void) throws {
        self.script = script
        (listener, port) = try loopbackSocket()
        guard listen(listener, 512) == 0 else { throw CannotListen() }
        runThread { [self] in acceptAll() }
    }

    /// Runs the script for every request of every connection, until the peer closes.
    static func answering(_ answer: @escaping @Sendable (RawRequest) -> String) throws -> RawServer {
        try RawServer { connection in
            while let request = connection.readRequest() { connection.send(answer(request)) }
        }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    var connectionCount: Int { counts.withLock { $0.connections } }
    var openCount: Int { counts.withLock { $0.open } }
    var requests: [RawRequest] { counts.withLock { $0.requests } }

    func note(_ request: RawRequest) { counts.withLock { $0.requests.append(request) } }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            // Otherwise a process of another test would keep the connection open.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            counts.withLock {
                $0.connections += 1
                $0.open += 1
            }
            runThread { [self] in
                script(RawConnection(descriptor: descriptor, server: self))
                close(descriptor)
                counts.withLock { $0.open -= 1 }
            }
        }
        close(listener)
    }
}

/// A socket that is bound to a free port but does not listen yet. While it is open, no other socket gets the port.
func loopbackSocket() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
    }
    guard isBound else { throw RawServer.CannotListen() }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

func runThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
}
