// One request in libcurl. The caller makes the transfer and hands it to the loop. After that, only the loop's thread
// uses the transfer, and libcurl calls back on this thread. The waiting task is resumed exactly once, when the transfer
// ends.

import CCurl
import Glibc

final class Transfer: @unchecked Sendable {
    typealias Waiter = CheckedContinuation<HTTPResponse, any Error>

    private let request: HTTPRequest
    private let configuration: HTTPConfiguration
    private var waiter: Waiter?
    private var reception: Reception
    private var wasInsecure = false
    private var isSent = false
    private var wasRepeated = false
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var addressList: UnsafeMutablePointer<curl_slist>?
    private let began: ContinuousClock.Instant
    private var isStale = false
    /// The reason why the transfer could not connect to the addresses of an earlier lookup (stale addresses).
    private var staleFault: HTTPFault?
    /// The name to look up. Nil if there is none, or if libcurl resolves the name itself.
    let place: NameQueue.Place?
    private(set) var handle: UnsafeMutableRawPointer?
    /// The buffer that libcurl fills with OpenSSL's messages. The buffer lives as long as the handle.
    private var words: UnsafeMutablePointer<CChar>?
    /// The size of the buffer in bytes. libcurl writes no more.
    private static let wordCount = Int(CURL_ERROR_SIZE)

    init(_ request: HTTPRequest, _ configuration: HTTPConfiguration, began: ContinuousClock.Instant = .now) {
        self.began = began
        self.request = request
        self.configuration = configuration
        reception = Reception(bodyLimit: request.maxBodySize ?? configuration.bodyLimit)
        let origin = request.url.origin
        let proxy = origin.isLoopback ? nil : configuration.proxy
        let target = proxy.map { Self.authority(of: $0).flatMap { try? Origin(.https, authority: $0) } } ?? origin
        place = target.flatMap { $0.isName ? NameQueue.Place(name: $0.host, port: Int($0.port)) : nil }
    }

    /// `host:port` of a proxy.
    private static func authority(of proxy: String) -> Substring? { proxy.split(separator: "/").last }

    /// The time when the transfer stops waiting for the lookup of the name.
    var lookupEnd: ContinuousClock.Instant { began + min(configuration.connectTimeout, configuration.requestTimeout) }

    /// To be called before the transfer is handed to the loop.
    func await(_ waiter: Waiter) { self.waiter = waiter }

    /// Returns an easy handle with all options set, or nil if libcurl cannot make a handle. `addresses` belong to `place`.
    func prepare(
        _ addresses: NameLookups.Addresses, isStale: Bool, onNewConnection: Bool
    ) -> UnsafeMutableRawPointer? {
        self.isStale = isStale
        handle = pass_curl_easy_init()
        guard handle != nil else { return nil }
        let words = UnsafeMutablePointer<CChar>.allocate(capacity: Self.wordCount)
        words.initialize(repeating: 0, count: Self.wordCount)
        self.words = words
        pass_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
        setRequest()
        if let place, !addresses.isEmpty {
            addressList = pass_curl_slist_append(nil, place.entry(addresses))
            pass_curl_set_list(handle, CURLOPT_RESOLVE, addressList)
        }
        setLimits()
        if onNewConnection { set(CURLOPT_FRESH_CONNECT, 1) }
        setSecurity()
        setCallbacks()
        return handle
    }

    func finish(_ code: CURLcode) {
        let isCut = reception.isTooLarge && request.maxBodySize != nil
        guard code == CURLE_OK || isCut else { return finish(throwing: fault(code)) }
        // The header is checked, because libcurl also accepts a connection that closes in the middle of the header.
        guard reception.isHeaderComplete else { return finish(throwing: .broken("The header is incomplete")) }
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
        pass_curl_easy_cleanup(handle)
        handle = nil
        words?.deallocate()
        words = nil
        pass_curl_slist_free_all(headerList)
        headerList = nil
        pass_curl_slist_free_all(addressList)
        addressList = nil
    }

    /// Ends the transfer because the name has no address.
    func finishWithoutAddress(_ fault: HTTPFault) {
        finish(throwing: staleFault ?? proxy.flatMap { fault == .dns ? .proxy($0, .unknownName) : nil } ?? fault)
    }

    var needsFreshAddress: Bool { staleFault != nil }

    /// If the transfer could not connect to stale addresses, notes this and returns true. The transfer then waits for the
    /// lookup.
    func needsFreshAddress(after code: CURLcode) -> Bool {
        guard isStale, code != CURLE_OK else { return false }
        let fault = fault(code)
        switch fault {
        case .connect, .unreachable, .tls, .timeout(wasSent: false), .proxy(_, .noConnection), .proxy(_, .noRoute):
            break
        default: return false
        }
        staleFault = fault
        release()
        return true
    }

    private func fault(_ code: CURLcode) -> HTTPFault {
        if reception.isTooLarge { return .tooLarge(limit: configuration.bodyLimit) }
        if wasInsecure { return .insecure }
        if wasRepeated { return .disconnected }
        var reason = 0
        pass_curl_get_long(handle, CURLINFO_OS_ERRNO, &reason)
        var proxyStatus = 0
        pass_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
        if let proxy, let trouble = proxyTrouble(code, status: proxyStatus, reason: reason) {
            return .proxy(proxy, trouble)
        }
        let alert = words.map { String(cString: $0) } ?? ""
        if reception.isEmpty, TLSTrouble.isAboutClientCertificate(alert) { return .tls(.clientCertificate) }
        let endings = [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR]
        if reception.isEmpty, endings.contains(code) { return .disconnected }
        var sent: curl_off_t = 0
        pass_curl_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &sent)
        var verification = 0
        pass_curl_get_long(handle, CURLINFO_SSL_VERIFYRESULT, &verification)
        return HTTPFault(
            code, reason: reason, verification: verification, alert: alert, wasSent: sent > 0,
            limit: configuration.bodyLimit)
    }

    /// Host and port of the proxy that this request goes through.
    private var proxy: String? {
        guard !request.url.origin.isLoopback, let proxy = configuration.proxy else { return nil }
        return Self.authority(of: proxy).map(String.init)
    }

    /// Returns what is wrong with the proxy; nil if the proxy worked.
    private func proxyTrouble(_ code: CURLcode, status: Int, reason: Int) -> ProxyTrouble? {
        if status >= 300 { return .refused(status) }
        guard status == 0 else { return nil }
        switch code {
        case CURLE_COULDNT_RESOLVE_PROXY: return .unknownName
        case CURLE_COULDNT_CONNECT:
            return [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(Int32(reason)) ? .noRoute : .noConnection
        case CURLE_OPERATION_TIMEDOUT: return .late
        default: return nil
        }
    }

    private func setRequest() {
        set(CURLOPT_URL, request.url.text)
        // Sends the target unchanged. Without this option, libcurl would remove dot segments.
        set(CURLOPT_PATH_AS_IS, 1)
        switch request.method {
        case .get: set(CURLOPT_HTTPGET, 1)
        case .post: set(CURLOPT_POST, 1)
        case .delete: set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        if request.method == .post || !request.body.isEmpty {
            pass_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
            // Adds a byte that is not sent. Without it, an empty body has no address, and libcurl would read the body from
            // standard input.
            (request.body + [0]).withUnsafeBytes { bytes in
                _ = pass_curl_set_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        }
        setHeaders()
        set(CURLOPT_USERAGENT, configuration.userAgent)
    }

    private func setHeaders(from source: ConnectionSource? = nil) {
        let former = headerList
        headerList = nil
        // Turns off `Expect: 100-continue` and libcurl's default content type.
        var lines = ["Expect:"]
        if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        // For libcurl, `Name:` removes a field, and `Name;` sends it with an empty value.
        lines += request.headers.fields.map { field in
            let isDevice = field.name == DeviceDescription.header
            let value = source.flatMap { isDevice ? request.device?.value(from: $0) : nil } ?? field.value
            return value.isEmpty ? field.name + ";" : field.name + ": " + value
        }
        for line in lines { headerList = pass_curl_slist_append(headerList, line) }
        pass_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
        pass_curl_slist_free_all(former)
    }

    private func setLimits() {
        // The time for the lookup of the name counts, too. The limits are at least 1, because 0 would mean no limit.
        let waited = .now - began
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, (configuration.connectTimeout - waited).milliseconds))
        set(CURLOPT_TIMEOUT_MS, max(1, (configuration.requestTimeout - waited).milliseconds))
        set(CURLOPT_LOW_SPEED_LIMIT, configuration.minRate)
        set(CURLOPT_LOW_SPEED_TIME, max(1, configuration.slowTime.milliseconds / 1000))
        if request.maxBodySize == nil {
            pass_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(configuration.bodyLimit))
        }
        set(CURLOPT_DNS_CACHE_TIMEOUT, 30)
        set(CURLOPT_NOSIGNAL, 1)
        // Without this option, libcurl would wait for a silent name server at the end of the transfer, and block the loop.
        set(CURLOPT_QUICK_EXIT, 1)
        // If another request is opening a connection to the same server, waits until libcurl knows whether this connection
        // speaks HTTP/2. If so, the request can share the connection. Without TLS, libcurl knows this only after the answer, so
        // the wait would be useless.
        if request.url.origin.scheme == .https { set(CURLOPT_PIPEWAIT, 1) }
        set(CURLOPT_TCP_KEEPALIVE, 1)
        if request.isForOnce {
            set(CURLOPT_FRESH_CONNECT, 1)
            // Without this option, the connection would stay open after each such request.
            set(CURLOPT_FORBID_REUSE, 1)
        }
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
        if let file = configuration.certificateAuthorities {
            set(CURLOPT_CAINFO, file)
            // Without this line, Debian's libcurl would also trust the authorities in the system's folder.
            set(CURLOPT_CAPATH, nil)
        }
        // With an empty string, libcurl uses no proxy, and ignores the proxy variables of the environment.
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
        pass_curl_set_prerequest(
            handle,
            { context, _, address, _, port in
                let source = address.map { ConnectionSource(address: String(cString: $0), port: Int(port)) }
                return Transfer.of(context).begin(from: source) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            }, context)
        pass_curl_set_socket_opener(
            handle, { context, _, address in Transfer.of(context).openSocket(address) }, context)
    }

    /// Called before the request is sent. If a kept connection ends without an answer, libcurl sends the request again by
    /// itself. This method refuses the second request, because libcurl does not know which requests may be repeated, and its
    /// repeats bypass the budget. `RequestSender` decides whether to repeat it. Contract: rest-v2.md §6.4. The header about the
    /// device is set here, because now the connection is known, and libcurl has not written the headers yet.
    private func begin(from source: ConnectionSource?) -> Bool {
        wasRepeated = isSent
        isSent = true
        if request.device != nil { setHeaders(from: source) }
        return !wasRepeated
    }

    /// Opens a socket that child processes do not inherit. Refuses plain HTTP to the addresses of other machines.
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

    private func set(_ option: CURLoption, _ value: String?) { pass_curl_set_string(handle, option, value) }
}

private func isLoopback(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return false }
    // The address may be longer than its declared type. The address family determines the length.
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
    /// The milliseconds, clamped to three and a half weeks. No timeout is longer, and the conversion is safe.
    var milliseconds: Int { Int(min(max(self, .zero), .milliseconds(Int32.max)) / .milliseconds(1)) }
}

/// Collects an answer as it arrives. Copies it from libcurl's buffers, and limits its size. Owned by its `Transfer`.
struct Reception {
    static let maxHeaderBytes = 64 << 10
    static let maxHeaders = 128

    let bodyLimit: Int
    private(set) var headers = HTTPHeaders()
    private(set) var body: [UInt8] = []
    private(set) var isHeaderComplete = false
    private(set) var isTooLarge = false
    private var headerBytes = 0

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    var isEmpty: Bool { headerBytes == 0 }

    /// Takes one line of the header. Returns false if the transfer has to end.
    mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.maxHeaderBytes else { return overflow() }
        let text = String(decoding: line, as: UTF8.self)
        if text.utf8.starts(with: "HTTP/".utf8) {
            // A status line. The service may send interim answers first, and only the last header counts.
            headers = HTTPHeaders()
            isHeaderComplete = false
        } else if text == "\r\n" || text == "\n" {
            isHeaderComplete = true
        } else if body.isEmpty, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            guard headers.fields.count < Self.maxHeaders else { return overflow() }
            headers.append(trimmed(text[..<colon]), trimmed(text[text.utf8.index(after: colon)...]))
        }
        return true
    }

    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= bodyLimit else { return overflow() }
        body.append(contentsOf: bytes)
        return true
    }

    private mutating func overflow() -> Bool {
        isTooLarge = true
        return false
    }

    private func trimmed(_ text: Substring) -> String {
        let bytes = text.utf8.drop { $0 <= 0x20 }
        let end: Substring.Index = bytes.lastIndex { $0 > 0x20 }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(bytes[..<end]) ?? ""
    }
}
