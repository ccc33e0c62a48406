// Says what an answer is that no service of this kind gives: often something between the box and the service has
// answered instead. Contract: rest-v2.md §6.4.

import AccessEnabler

extension BackendFault {
    /// The fault for an answer that cannot be used, with a reason for operators. Nothing of its body is repeated.
    static func unusable(_ response: HTTPResponse) -> BackendFault {
        var fault = BackendFault(.unusableAnswer)
        fault.reason = "\(strangeness(response)) (status \(response.status))"
        return fault
    }

    private static func strangeness(_ response: HTTPResponse) -> String {
        if (300..<400).contains(response.status) {
            // Only the host, which is what an operator needs, and only if it is one.
            let target = response.headers["Location"].flatMap { try? elsewhere?.resolving($0) }
            let host = target.flatMap { $0.origin == elsewhere ? nil : $0.origin.host }
            return "it redirects to \(host ?? "another address"), as a captive portal does"
        }
        if response.headers["Content-Encoding"] != nil || response.body.starts(with: [0x1F, 0x8B]) {
            return "it is compressed, which nobody asked for; a proxy may have changed it"
        }
        let start = response.body.prefix(512).drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        let head = String(decoding: start.prefix(15), as: UTF8.self).lowercased()
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") {
            return "it is a web page, as of a captive portal or a proxy"
        }
        return response.body.isEmpty ? "it is empty" : "it is not what the service answers"
    }

    /// An origin that no address of an answer has.
    private static let elsewhere = try? Origin("https://answer.invalid")
}
