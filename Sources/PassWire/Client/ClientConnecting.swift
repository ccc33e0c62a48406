// Connects a client to the daemon's socket at a path.

import Dispatch
import Glibc
import PassProtocol

extension ClientConnection {
    public static func connect(
        to path: String, within time: Duration = .seconds(5), limits: ClientLimits = ClientLimits()
    ) async throws(ClientError) -> ClientConnection {
        // `connect` must not run on the caller's thread, because the kernel makes it wait while the daemon's backlog is full.
        let outcome = await withCheckedContinuation { reply in
            DispatchQueue(label: "passd.client.connect").async {
                do throws(SocketError) {
                    reply.resume(returning: Result<Int32, SocketError>.success(try open(path, time)))
                } catch {
                    reply.resume(returning: .failure(error))
                }
            }
        }
        switch outcome {
        case .success(let number): return ClientConnection(Descriptor(adopting: number), limits: limits)
        case .failure(let error): throw .unreachable(error)
        }
    }

    private static func open(_ path: String, _ time: Duration) throws(SocketError) -> Int32 {
        let address = try UnixAddress(path: path)
        let number = try UnixAddress.socket()
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
        let (seconds, attoseconds) = time.components
        var wait = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        guard address.call({ Glibc.connect(number, $0, $1) }) == 0 else {
            let reason = errno
            Glibc.close(number)
            throw reason == EAGAIN ? SocketError(.timedOut, reason) : SocketError(.system("connect"), reason)
        }
        return number
    }
}
