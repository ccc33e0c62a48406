// A login attempt from beginning to end, and where the browser goes afterwards. It belongs to no browser: a client may
// fetch the address with one HTTP client and open the page with another. What protects the form is its token. Contract:
// rest-v2.md §4 S4, §11, §14.

extension World {
    /// The most attempts for one code at a time. A further one replaces the oldest.
    private static let mostAttemptsPerCode = 20

    /// Sends the browser to the provider's login page, or to the end if there is nothing to prove.
    mutating func beginLogin(
        _ session: Session, mvpd: String, cameFromActivation: Bool, call: Call
    ) -> Response {
        guard let provider = catalogue.provider(mvpd),
            let integration = catalogue.integration(session.serviceProvider, mvpd),
            integration.misconfiguration == nil
        else { return providerOutOfReach(session, catalogue.provider(mvpd)).response(status: 500) }
        let attempt = LoginAttempt(
            id: state.random.identifier(), code: session.code, mvpd: mvpd, token: state.random.secret(),
            cameFromActivation: cameFromActivation,
            ends: min(session.ends, call.now + LoginAttempt.lifetime.milliseconds))
        let isDegraded =
            degradation(.authenticateAll, serviceProvider: session.serviceProvider, provider: mvpd, at: call.now) != nil
        if provider.tempPass != nil || isDegraded {
            if session.registration != nil { admitWithoutLogin(session, provider, at: call.now) }
            return browserRedirect(to: destination(session, attempt), status: 302)
        }
        forgetOldAttempts(of: session.code)
        state.attempts[attempt.id] = attempt
        let address = call.request.address
        if let subscriber = provider.subscribers.first(where: { $0.home.contains(address) }) {
            completeLogin(session, mvpd: mvpd, subscriber: subscriber, home: address, at: call.now)
            return end(attempt, session, status: 302)
        }
        if provider.submitsForm, !cameFromActivation { return formPage(attempt, provider).response() }
        return browserRedirect(to: "/login/" + attempt.id, status: 302)
    }

    private mutating func forgetOldAttempts(of code: String) {
        let attempts = state.attempts.rows.values.filter { $0.code == code }
        guard attempts.count >= Self.mostAttemptsPerCode else { return }
        if let oldest = attempts.min(by: { ($0.ends, $0.id) < ($1.ends, $1.id) }) { state.attempts[oldest.id] = nil }
    }

    /// Ends the attempt of a viewer who is signed in, and leads to the last page.
    mutating func end(_ attempt: LoginAttempt, _ session: Session, status: Int = 303) -> Response {
        state.attempts[attempt.id]?.isDone = true
        return browserRedirect(to: destination(session, attempt), status: status)
    }

    /// Redirects go only to registered addresses, however the session got its URL.
    func destination(_ session: Session, _ attempt: LoginAttempt) -> String {
        if !attempt.cameFromActivation, let url = registeredRedirect(session) { return url.text }
        return "/activated?login=" + attempt.id
    }

    func registeredRedirect(_ session: Session) -> URLText? {
        guard let url = session.redirectURL.flatMap(URLText.init),
            let serviceProvider = catalogue.serviceProvider(session.serviceProvider),
            isRegistered(url, for: serviceProvider, app: session.redirectApp.flatMap(catalogue.app))
        else { return nil }
        return url
    }
}

/// The page that takes the browser to the provider with a form that it submits by itself. Without scripts, the viewer
/// presses the button. Contract: rest-v2.md S4.
private func formPage(_ attempt: LoginAttempt, _ provider: Provider) -> Page {
    let request = "<samlp:AuthnRequest ID=\"_\(attempt.id)\" Version=\"2.0\"/>"
    let form = PageForm(
        action: "/login/\(attempt.id)/enter",
        hidden: [Field("SAMLRequest", base64(request.utf8)), Field("RelayState", attempt.id)])
    return Page(
        title: "On the way to \(provider.name)", heading: "On the way to \(provider.name)", form: form,
        main: """
            <form class="goes-on" \(form.opening)
            <button>Continue</button>
            </form>
            """)
}

/// Takes the form of `formPage`.
func enterLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let form = call.request.form ?? []
    guard form.one("SAMLRequest").flatMap(decodeBase64) != nil, form.one("RelayState") == call["attempt"] else {
        return Page.loginGone.response(status: 400)
    }
    return browserRedirect(to: "/login/" + call["attempt"], status: 303)
}
