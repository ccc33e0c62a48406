// Looks at the pages of a login as a viewer's phone would, for `doctor`. The requests have no code and no cookies, follow no
// redirect, and read at most 64 KiB. They do not count against the request budget, because the pages are not part of the
// service's interface. rpc.md §7.

public import AccessEnabler
import PassJSON

extension ServiceParts {
    /// Returns the reason why phones cannot open the page, or nil. `setting` names the page. If `setting` is nil, the address
    /// names only the host of a code's link, and any answer of this host is good enough.
    public func trouble(
        ofPage address: String, named setting: String?, until deadline: BootTime
    ) async -> ServiceTrouble? {
        guard let url = try? configuration.origin.resolving(address) else {
            var trouble = ServiceTrouble(
                reason: "passd opens pages of other machines only with https",
                remedy: "Open the page on a phone, or set \(setting ?? "") to an address with https.")
            trouble.isOnlyHere = true
            return trouble
        }
        var request = HTTPRequest(.get, url)
        request.maxBodySize = 64 << 10
        let answer = try? await sender.clock.alone(until: deadline, .viewer) {
            [exchange = sender.exchange, request] _ -> Result<HTTPResponse, HTTPFault> in
            do throws(HTTPFault) { return .success(try await exchange.send(request)) } catch { return .failure(error) }
        }
        var trouble: ServiceTrouble?
        switch answer ?? .failure(.timeout(wasSent: true)) {
        case .success(let response): trouble = ServiceTrouble(page: response, anyAnswerCounts: setting == nil)
        case .failure(let fault):
            trouble = ServiceTrouble(fault)
            trouble?.isOnlyHere = !fault.isTheSameForPhones
        }
        return trouble?.about(page: setting ?? "the link of a code")
    }
}

extension ServiceTrouble {
    /// This trouble, in words about a page instead of the service.
    func about(page setting: String) -> ServiceTrouble {
        var trouble = self
        trouble.reason = reason.with("the page", for: "the service")
        trouble.remedy = remedy.with("the page", for: "the service").with(setting, for: "[backend] origin")
        return trouble
    }

    /// Nil if the page exists. A page may refuse requests that are not from phones, so most refusals also show that the page
    /// exists.
    init?(page response: HTTPResponse, anyAnswerCounts: Bool) {
        if response.status == 511 || response.status >= 500 && !anyAnswerCounts {
            self.init(serverError: response)
        } else if [404, 410].contains(response.status), !anyAnswerCounts {
            self.init(
                reason: "there is no such page (status \(response.status))",
                remedy:
                    "The viewer cannot repair this. The administrator of the box has to compare [backend] origin with the "
                    + "address from the page's operator, correct it, and reload (passd-cli reload).")
        } else {
            return nil
        }
    }
}

extension HTTPFault {
    /// Whether a phone has the same trouble. Any other trouble may come from the box's own proxy, certificate authorities or
    /// rules for the network.
    fileprivate var isTheSameForPhones: Bool {
        switch self {
        case .dns, .tls(.expired), .tls(.revoked), .tls(.wrongHost): true
        default: false
        }
    }
}
