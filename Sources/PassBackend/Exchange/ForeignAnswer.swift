// Recognizes answers that no service of this kind sends. Often a machine between the box and the service has answered
// instead. Contract: rest-v2.md §6.4.

import AccessEnabler
import PassJSON

extension BackendFault {
    /// The fault for an unusable answer, with a reason for operators. It contains no part of the body.
    static func unusable(_ response: HTTPResponse) -> BackendFault {
        unusable("\(strangeness(response)) (status \(response.status))")
    }

    /// The fault for an answer with a status of 5xx. A web page may come from the service's own entrance, a proxy or a
    /// captive portal. Only 511 is sent by captive portals alone (RFC 6585).
    static func serverError(_ response: HTTPResponse) -> BackendFault {
        guard response.status != 511 else { return unusable(response) }
        var fault = BackendFault(.serverError(response.status), trace: ServiceError(response.body)?.trace)
        if isPage(response) {
            fault.reason = "a web page came in place of its answer (status \(response.status))"
        } else if isPlainText(response) {
            fault.reason = "a plain text came in place of its answer (status \(response.status))"
        }
        return fault
    }

    /// The fault if another host, or a web page, has answered in place of the service.
    static func foreign(_ response: HTTPResponse) -> BackendFault? {
        let isPortal =
            (300..<400).contains(response.status) || (200..<300).contains(response.status) && isPage(response)
        return isPortal ? unusable(response) : nil
    }

    /// Whether it is HTML or XHTML, which may begin with a declaration or a comment.
    private static func isPage(_ response: HTTPResponse) -> Bool {
        let head = String(decoding: response.body.prefix(1024), as: UTF8.self).lowercased()
        guard head.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" else { return false }
        return head.place(of: "<!doctype html") != nil || head.place(of: "<html") != nil
    }

    /// Whether it is neither JSON nor XML, and not empty.
    private static func isPlainText(_ response: HTTPResponse) -> Bool {
        let head = String(decoding: response.body.prefix(64), as: UTF8.self)
        guard let first = head.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else { return false }
        return !"{[<\"".contains(first)
    }

    private static func strangeness(_ response: HTTPResponse) -> String {
        if (300..<400).contains(response.status) {
            let host = response.headers["Location"].flatMap(host)
            return "it redirects to \(host ?? "another address"), as a captive portal does"
        }
        if response.headers["Content-Encoding"] != nil || response.body.starts(with: [0x1F, 0x8B]) {
            return "it is compressed, which nobody asked for; a proxy may have changed it"
        }
        if isPage(response) { return "it is a web page, as of a captive portal or a proxy" }
        return response.body.isEmpty ? "it is empty" : "it is not what the service answers"
    }

    /// The host of an address, which is what an operator needs; nil if it is not valid. Captive portals often have no
    /// TLS.
    private static func host(of address: String) -> String? {
        let lowercased = address.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else { return nil }
        let authority = lowercased.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        let isHost = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: ".-:[]_".utf8.contains(byte)
            }
        }
        return isHost && (1...253).contains(name.utf8.count) ? String(name) : nil
    }
}
