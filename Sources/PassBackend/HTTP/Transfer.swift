// One request on its way through libcurl. The caller creates it; from then on only the loop's thread uses it. libcurl
// calls back on that thread, and the waiting task is resumed exactly once, when the transfer has ended.

import CCurl
import Glibc

final class Transfer: @unchecked Sendable {
    typealias Waiter = CheckedContinuation<HTTPResponse, any Error>

    private let request: HTTPRequest
    private let configuration: HTTPConfiguration
    private var waiter: Waiter?
    private var reception: Reception
    private var wasInsecure = false
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private(set) var handle: UnsafeMutableRawPointer?

    init(_ request: HTTPRequest, _ configuration: HTTPConfiguration) {
        self.request = request
        self.configuration = configuration
        reception = Reception(bodyLimit: configuration.bodyLimit)
    }

    /// Called before the transfer is handed to the loop.
    func await(_ waiter: Waiter) { self.waiter = waiter }

    /// Creates the easy handle, ready to be added; nil if libcurl cannot.
    func prepare() -> UnsafeMutableRawPointer? {
        handle = curl_easy_init()
        guard handle != nil else { return nil }
        setRequest()
        setLimits()
        setSecurity()
        setCallbacks()
        return handle
    }

    func finish(_ code: CURLcode) {
        guard code == CURLE_OK else { return finish(throwing: fault(code)) }
        // libcurl accepts the end of the connection as the end of the headers.
        guard reception.isHeaderComplete else { return finish(throwing: .broken("The header is cut off")) }
        var status = 0
        pass_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        let response = HTTPResponse(
            status: status, headers: reception.headers, body: reception.body)
        release()
        waiter?.resume(returning: response)
        waiter = nil
    }

    func finish(throwing fault: HTTPFault) {
        release()
        waiter?.resume(throwing: fault)
        waiter = nil
    }

    private func release() {
        curl_easy_cleanup(handle)
        handle = nil
        curl_slist_free_all(headerList)
        headerList = nil
    }

    private func fault(_ code: CURLcode) -> HTTPFault {
        if reception.isTooLarge { return .tooLarge(limit: configuration.bodyLimit) }
        if wasInsecure { return .insecure }
        var reason = 0
        pass_curl_get_long(handle, CURLINFO_OS_ERRNO, &reason)
        var sent: curl_off_t = 0
        pass_curl_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &sent)
        return HTTPFault(code, reason: reason, wasSent: sent > 0, limit: configuration.bodyLimit)
    }

    private func setRequest() {
        set(CURLOPT_URL, request.url.text)
        // The target is sent as it was built; libcurl would otherwise remove dot segments.
        set(CURLOPT_PATH_AS_IS, 1)
        switch request.method {
        case .get: set(CURLOPT_HTTPGET, 1)
        case .post: set(CURLOPT_POST, 1)
        case .delete: set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        if request.method == .post || !request.body.isEmpty {
            pass_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
            // One byte more than is sent, since libcurl reads the body from standard input if it gets no address.
            (request.body + [0]).withUnsafeBytes { bytes in
                _ = pass_curl_set_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        }
        // Suppresses `Expect: 100-continue` and libcurl's default content type.
        var lines = ["Expect:"]
        if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        // For libcurl `Name:` removes the field, and `Name;` sends it empty.
        lines += request.headers.fields.map { $0.value.isEmpty ? $0.name + ";" : $0.name + ": " + $0.value }
        for line in lines { headerList = curl_slist_append(headerList, line) }
        pass_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
        set(CURLOPT_USERAGENT, configuration.userAgent)
    }

    private func setLimits() {
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        set(CURLOPT_TIMEOUT_MS, configuration.requestTimeout.milliseconds)
        set(CURLOPT_LOW_SPEED_LIMIT, configuration.slowest.bytesPerSecond)
        set(CURLOPT_LOW_SPEED_TIME, max(1, configuration.slowest.for.milliseconds / 1000))
        pass_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(configuration.bodyLimit))
        set(CURLOPT_DNS_CACHE_TIMEOUT, 30)
        set(CURLOPT_NOSIGNAL, 1)
        // A name server that does not answer must not block the loop when its transfer is given up.
        set(CURLOPT_QUICK_EXIT, 1)
        // Waits for a connection that is being opened to tell whether it supports HTTP/2. Only with TLS it does so
        // before the answer.
        if request.url.origin.scheme == .https { set(CURLOPT_PIPEWAIT, 1) }
        set(CURLOPT_TCP_KEEPALIVE, 1)
    }

    private func setSecurity() {
        let origin = request.url.origin
        set(CURLOPT_PROTOCOLS_STR, origin.scheme.rawValue)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = configuration.certificateAuthorities { set(CURLOPT_CAINFO, file) }
        // The empty string also disables the variables of the environment.
        set(CURLOPT_PROXY, origin.isLoopback ? "" : configuration.proxy ?? "")
    }

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        pass_curl_set_header_reader(
            handle,
            { data, size, count, context in
                let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
                return Transfer.of(context).reception.takeHeader(bytes) ? bytes.count : 0
            }, context)
        pass_curl_set_writer(
            handle,
            { data, size, count, context in
                let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
                return Transfer.of(context).reception.takeBody(bytes) ? bytes.count : 0
            }, context)
        pass_curl_set_socket_opener(
            handle, { context, _, address in Transfer.of(context).openSocket(address) }, context)
    }

    /// Ensures that plain HTTP stays on this machine, whatever a name resolves to, and that no child process inherits a
    /// connection.
    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address else { return -1 }
        if request.url.origin.scheme == .http, !isLoopback(address) {
            wasInsecure = true
            return -1
        }
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("every callback is set with its transfer") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private func set(_ option: CURLoption, _ value: Int) { pass_curl_set_long(handle, option, value) }

    private func set(_ option: CURLoption, _ value: String) { pass_curl_set_string(handle, option, value) }
}

private func isLoopback(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return false }
    // The address is as long as its family requires, which may be longer than its declared type.
    let raw = UnsafeRawPointer(address) + offset
    switch address.pointee.family {
    case AF_INET: return raw.load(fromByteOffset: 4, as: UInt8.self) == 127
    case AF_INET6:
        let bytes = (0..<16).map { raw.load(fromByteOffset: 8 + $0, as: UInt8.self) }
        return bytes == [UInt8](repeating: 0, count: 15) + [1]
    default: return false
    }
}

extension Duration {
    /// Limited to three and a half weeks, so that nothing overflows.
    var milliseconds: Int { Int(min(max(self, .zero), .milliseconds(Int32.max)) / .milliseconds(1)) }
}
