// The server's address, and the test whether another address belongs to it. libcurl's own parser is used for both, so
// that the address compared is the address connected to.

import CCurl
import PassArguments

struct ServerURL: Sendable {
    /// Scheme, host and port, as a browser writes them.
    let origin: String
    let host: String
    let port: String

    static let standard = "http://127.0.0.1:8642"

    init(option: Option, _ text: String) throws(Failure) {
        try Self.loadLibrary()
        guard let parts = URLParts(text), ["http", "https"].contains(parts.scheme), parts.user == nil,
            parts.path == "/", parts.query == nil, parts.fragment == nil
        else {
            throw Failure(.usage, "\(option.name) \(text): should be http:// or https:// with a host and optional port")
        }
        origin = parts.origin
        host = parts.host
        port = parts.port
    }

    /// The server of a page.
    init(ofPage address: String) throws(Failure) {
        try Self.loadLibrary()
        guard let parts = URLParts(address), ["http", "https"].contains(parts.scheme), parts.user == nil else {
            throw Failure(.usage, "\(address): should be a code, or an address that begins with http:// or https://")
        }
        origin = parts.origin
        host = parts.host
        port = parts.port
    }

    private static func loadLibrary() throws(Failure) {
        guard let reason = pass_curl_load() else { return }
        throw Failure(.failed, "libcurl cannot be loaded: \(String(cString: reason))")
    }

    var isLoopback: Bool { Self.isOfThisMachine(host) }

    static func isLoopback(_ url: String) -> Bool { URLParts(url).map { isOfThisMachine($0.host) } == true }

    private static func isOfThisMachine(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    }

    func owns(_ url: String) -> Bool { URLParts(url)?.origin == origin }

    /// Whether a viewer may be sent there before the login: a service on this machine may have its pages on another port.
    func mayLead(to url: String) -> Bool {
        owns(url) || isLoopback && Self.isLoopback(url)
    }

    static func resolve(_ reference: String, against base: String) -> String? {
        URLParts(base, then: reference)?.text
    }
}

private struct URLParts {
    let text: String
    let scheme: String
    let host: String
    let port: String
    let path: String
    let user: String?
    let query: String?
    let fragment: String?

    init?(_ text: String, then reference: String? = nil) {
        guard pass_curl_load() == nil, let url = pass_curl_url() else { return nil }
        defer { pass_curl_url_cleanup(url) }
        guard pass_curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        if let reference, !reference.isEmpty, pass_curl_url_set(url, CURLUPART_URL, reference, 0) != CURLUE_OK {
            return nil
        }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard pass_curl_url_get(url, part, &value, UInt32(flags)) == CURLUE_OK, let value else { return nil }
            defer { pass_curl_free(value) }
            return String(cString: value)
        }
        guard let whole = part(CURLUPART_URL), let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST),
            let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT)
        else { return nil }
        self.text = whole
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
        path = part(CURLUPART_PATH) ?? "/"
        user = part(CURLUPART_USER)
        query = part(CURLUPART_QUERY)
        fragment = part(CURLUPART_FRAGMENT)
    }

    var origin: String {
        let isDefault = (scheme == "http" && port == "80") || (scheme == "https" && port == "443")
        return "\(scheme)://\(host)" + (isDefault ? "" : ":\(port)")
    }
}
