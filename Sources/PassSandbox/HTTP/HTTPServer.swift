// The network side: libmicrohttpd with one polling thread. This thread asks the service for each answer. The server limits the
// sizes of header and body, and the time of requests. It also limits the connections and the delayed answers. The server does
// not interpret requests.

import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

public struct ServerLimits: Sendable {
    public var body = 64 * 1024
    public var header = 64 * 1024
    public var connections = 512
    /// The max time of a request, in seconds. It includes the wait for the first byte.
    public var requestTime = 20.0
    /// The timeout, in seconds, for silence in the middle of a request.
    public var silence = 10

    public init() {}
}

public struct ServerError: Error, CustomStringConvertible {
    public let description: String
    /// Whether the cause is the certificate or its key. Otherwise the cause is the address.
    public var concernsTLS = false
}

public final class HTTPServer: Sendable {
    public struct TLS: Sendable {
        let certificate: String
        let key: String

        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    typealias Handler = @Sendable (Request) -> Response

    let limits: ServerLimits
    let handler: Handler
    let now: @Sendable () -> Instant
    let watch: ConnectionWatch
    let delayed = DelayedAnswers()
    private let daemon = Mutex<Daemon?>(nil)

    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
        let context: UnsafeMutableRawPointer
    }

    init(limits: ServerLimits, now: @escaping @Sendable () -> Instant, handler: @escaping Handler) {
        self.limits = limits
        self.now = now
        self.handler = handler
        watch = ConnectionWatch(requestTime: limits.requestTime, maxWaiting: limits.connections * 3 / 4)
    }

    var port: UInt16 { daemon.withLock { $0.map { pass_mhd_port($0.pointer) } ?? 0 } }

    func start(on address: ListenAddress, tls: TLS?) throws(ServerError) {
        let context = Unmanaged.passRetained(self).toOpaque()
        var flags =
            MHD_USE_EPOLL.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_SUPPRESS_DATE_NO_CLOCK.rawValue
        if address.isIPv6 { flags |= MHD_USE_IPv6.rawValue }
        if tls != nil { flags |= MHD_USE_TLS.rawValue }
        var storage = address.storage
        let started = withUnsafeMutablePointer(to: &storage) { socketAddress -> OpaquePointer? in
            var options = [
                option(.SOCK_ADDR, value: 0, pointer: socketAddress),
                option(.CONNECTION_LIMIT, value: limits.connections),
                option(.CONNECTION_MEMORY_LIMIT, value: limits.header),
                option(.CONNECTION_TIMEOUT, value: limits.silence),
                option(.STRICT_FOR_CLIENT, value: 1),
                callback(.URI_LOG_CALLBACK, function: requestLineCallback, context: context),
                callback(.NOTIFY_COMPLETED, function: completedCallback, context: context),
                callback(.NOTIFY_CONNECTION, function: connectionCallback, context: context),
                option(.EXTERNAL_LOGGER, value: pass_mhd_silent_logger()),
            ]
            return withTLS(tls) { certificate, key in
                if let certificate, let key {
                    options.append(option(.HTTPS_MEM_CERT, value: 0, pointer: certificate))
                    options.append(option(.HTTPS_MEM_KEY, value: 0, pointer: key))
                }
                options.append(option(.END, value: 0))
                errno = 0
                return pass_mhd_start(flags, nil, nil, requestCallback, context, options)
            }
        }
        guard let started else {
            let reason = errno
            Unmanaged<HTTPServer>.fromOpaque(context).release()
            throw ServerError(
                description: address.explain(errno: reason, tls: tls != nil), concernsTLS: tls != nil && reason == 0)
        }
        daemon.withLock { $0 = Daemon(pointer: started, context: context) }
    }

    func stop() {
        guard
            let running = daemon.withLock({ daemon in
                let taken = daemon; daemon = nil; return taken
            })
        else { return }
        watch.stop()
        delayed.close()
        MHD_stop_daemon(running.pointer)
        Unmanaged<HTTPServer>.fromOpaque(running.context).release()
    }

    private func option(_ option: MHD_OPTION, value: Int, pointer: UnsafeMutableRawPointer? = nil) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: value, ptr_value: pointer)
    }

    private func callback<Function>(
        _ option: MHD_OPTION, function: Function, context: UnsafeMutableRawPointer?
    ) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: unsafeBitCast(function, to: Int.self), ptr_value: context)
    }

    private func withTLS<R>(
        _ tls: TLS?, _ body: (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) -> R
    ) -> R {
        guard let tls else { return body(nil, nil) }
        var certificate = tls.certificate.utf8CString
        var key = tls.key.utf8CString
        return certificate.withUnsafeMutableBufferPointer { certificate in
            key.withUnsafeMutableBufferPointer { key in body(certificate.baseAddress, key.baseAddress) }
        }
    }
}

// Ends connections with slow requests, even if bytes keep coming. libmicrohttpd itself ends silent connections. To end a
// connection, this type shuts the socket down. The polling thread notices the shutdown and cleans up as usual. This type may be
// used from any thread.

final class ConnectionWatch: Sendable {
    private let requestTime: Double
    /// The maximum number of connections. A further connection replaces the connection with the earliest deadline.
    private let maxWaiting: Int
    private let deadlines = Mutex<[Int32: UInt64]>([:])
    private let queue = DispatchQueue(label: "pass-sandbox.connections")
    // libdispatch's sources may be used from any thread.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer

    init(requestTime: Double, maxWaiting: Int) {
        self.requestTime = requestTime
        self.maxWaiting = maxWaiting
        timer = DispatchSource.makeTimerSource(queue: queue)
        let period = min(1, requestTime / 4)
        timer.schedule(deadline: .now() + period, repeating: period)
        timer.setEventHandler { [weak self] in self?.endOverdue() }
        timer.activate()
    }

    func stop() { timer.cancel() }

    /// Sets the deadline for the next request. Called at the beginning of a connection and after each answer.
    func renew(_ socket: Int32, extra: Double = 0) {
        let deadline = DispatchTime.now().uptimeNanoseconds + UInt64((requestTime + extra) * 1e9)
        deadlines.withLock { $0[socket] = deadline }
    }

    /// Watches a new connection. If there are too many connections, closes the connection with the earliest deadline.
    /// Without this, half-open connections could keep new connections out.
    func begin(_ socket: Int32) {
        renew(socket)
        deadlines.withLock { deadlines in
            guard deadlines.count > maxWaiting, let oldest = deadlines.min(by: { $0.value < $1.value })?.key,
                oldest != socket
            else { return }
            shutdown(oldest, Int32(SHUT_RDWR))
            // A connection that is being closed must not be chosen again.
            deadlines[oldest] = .max
        }
    }

    /// Forgets a connection. Must be called before the socket is closed. After that, a new connection may get the number of
    /// this socket.
    func forget(_ socket: Int32) { deadlines.withLock { _ = $0.removeValue(forKey: socket) } }

    private func endOverdue() {
        let now = DispatchTime.now().uptimeNanoseconds
        deadlines.withLock { deadlines in
            for (socket, deadline) in deadlines where deadline < now { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }
}

// Delays answers. Each connection is woken once: when its delay ends, or when the server stops. libmicrohttpd must not be
// stopped while a connection sleeps.

final class DelayedAnswers: Sendable {
    /// The maximum number of sleeping connections. Sleeping connections also count towards the server's limit.
    private static let maxSleeping = 256

    private struct Sleeping: @unchecked Sendable { let connection: OpaquePointer }

    private struct Beds {
        var sleeping: [UInt64: Sleeping] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }

    private let beds = Mutex(Beds())

    /// Suspends the connection for `delay` milliseconds. Returns false if the server is stopping or too many connections
    /// already sleep. In both cases, the caller sends the answer without a delay.
    func suspend(_ connection: OpaquePointer, for delay: Int64) -> Bool {
        let number: UInt64? = beds.withLock { beds in
            guard !beds.isClosed, beds.sleeping.count < Self.maxSleeping else { return nil }
            MHD_suspend_connection(connection)
            beds.next += 1
            beds.sleeping[beds.next] = Sleeping(connection: connection)
            return beds.next
        }
        guard let number else { return false }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in
            self?.wake(number)
        }
        return true
    }

    private func wake(_ number: UInt64) {
        beds.withLock { beds in
            if let sleeping = beds.sleeping.removeValue(forKey: number) { MHD_resume_connection(sleeping.connection) }
        }
    }

    func close() {
        beds.withLock { beds in
            beds.isClosed = true
            for sleeping in beds.sleeping.values { MHD_resume_connection(sleeping.connection) }
            beds.sleeping = [:]
        }
    }
}
