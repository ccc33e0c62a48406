// The server's address, and the test whether another address belongs to the same server. The sandbox's own parser of URLs
// refuses texts that libcurl might interpret differently.

import PassArguments
import PassSandbox

struct ServerURL: Sendable {
    /// Scheme, host and port, as a browser writes them.
    let origin: String
    let host: String
    let port: Int

    static let standard = "http://127.0.0.1:8642"

    /// Takes the scheme, host and port of a page's address; nil if it is no valid http or https address.
    init?(of address: String) {
        guard let url = URLText(address), url.isWeb else { return nil }
        let usual = url.scheme == "http" ? 80 : 443
        host = url.hostInBrackets
        port = url.port ?? usual
        origin = "\(url.scheme)://\(host)" + (port == usual ? "" : ":\(port)")
    }

    init(option: Option, _ text: String) throws(Failure) {
        guard let url = ServerURL(of: text), let whole = URLText(text)?.origin,
            [whole, whole + "/"].contains(text.lowercased())
        else {
            throw Failure(.usage, "\(option.name) \(text): should be http:// or https:// with a host and optional port")
        }
        self = url
    }

    var isLoopback: Bool { isLoopbackName(host) }

    func owns(_ url: String) -> Bool { ServerURL(of: url)?.origin == origin }

    /// Whether a viewer may be sent to the URL before the login. On this machine, any port is allowed, because a service may
    /// have its pages on another port.
    func mayLead(to url: String) -> Bool {
        owns(url) || isLoopback && ServerURL(of: url)?.isLoopback == true
    }
}
