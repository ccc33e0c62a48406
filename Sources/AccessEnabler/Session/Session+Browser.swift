// Handles the URL with which the browser that an app opened itself returns, from a login or from a provider's logout
// page. Contract: access-enabler.md §7.5, §7.6.

public import PassProtocol

extension Session {
    /// Each return counts once: a repeated URL finds nothing open and fails, and a URL that is no redirect URL changes
    /// nothing.
    public func handleExternalURL(
        _ params: HandleExternalURL.Params
    ) async throws(RPCError) -> HandleExternalURL.Result {
        guard let asker = asker?.due(engine.context.callDeadline), conversation.waitsForBrowser else {
            throw .flowConflict("No login or logout of this session is waiting for a browser")
        }
        guard isRedirect(params.url) else {
            throw .invalidParams(
                SchemaFault(
                    path: "url", expected: "the redirect URL, or one with the app's scheme", found: "another URL"))
        }
        switch conversation.browserCameBack() {
        case .logoutPage(let next?):
            navigate(to: next.url, of: next.provider)
            return .init(authenticated: false, errorCode: .userNotAuthenticated)
        case .logoutPage(nil):
            emit(.failure(.notAuthenticated), .logout)
            track(Tracking.authenticationFailed)
            return .init(authenticated: false, errorCode: .userNotAuthenticated)
        case .overtakenLogin:
            let isIn = login(for: asker) != nil
            return .init(authenticated: isIn, errorCode: isIn ? .authenticated : .userNotAuthenticated)
        case .login:
            let effects = conversation.handle(.urlHandled(isRefusal: Self.isRefusal(params.url)))
            let performance = await perform(effects, for: asker)
            if let error = performance.error { throw error }
            let isIn = login(for: asker) != nil
            return .init(
                authenticated: isIn, errorCode: isIn ? .authenticated : .genericAuthentication,
                words: isIn ? nil : performance.outcome?.words)
        }
    }

    /// Whether this is `ADOBEPASS_REDIRECT_URL`, a URL with an app's custom scheme (`adbe.` and 22 characters), or one
    /// of `redirectAddresses` in the settings.
    private func isRedirect(_ url: String) -> Bool {
        let address = Substring(url.unicodeScalars.prefix { $0 != "?" && $0 != "#" })
        if address == "adobepass://ios.app" || address == "adobepass://ios.app/" { return true }
        if engine.settings.redirectAddresses.contains(where: { $0.utf8.elementsEqual(address.utf8) }) { return true }
        let prefix = "adbe.".utf8
        guard address.utf8.starts(with: prefix), let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")),
            address.utf8[colon...].starts(with: "://".utf8)
        else { return false }
        let id = address.utf8[..<colon].dropFirst(prefix.count)
        return id.count == 22
            && id.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
    }

    /// Whether the query has an `error` parameter.
    private static func isRefusal(_ url: String) -> Bool {
        let whole = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let query = whole.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return query.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "error=".utf8) }
    }
}
