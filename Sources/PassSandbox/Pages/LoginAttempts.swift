// A login attempt from beginning to end, and the next address for the browser. An attempt is not bound to one HTTP client,
// because an app may open the page with another client. A token protects the form. Contract: rest-v2.md §4 S4, §11, §14.

extension World {
    /// The maximum number of attempts for one code at a time. A further attempt replaces the oldest.
    private static let maxAttemptsPerCode = 20

    /// Sends the browser to the provider's login page. If no proof is needed, sends it to the last page.
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
        if provider.tempPass != nil || admitsEveryone(session.serviceProvider, mvpd, at: call.now) {
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
        guard attempts.count >= Self.maxAttemptsPerCode else { return }
        if let oldest = attempts.min(by: { ($0.ends, $0.id) < ($1.ends, $1.id) }) { state.attempts[oldest.id] = nil }
    }

    /// Ends the attempt of a viewer who is signed in, and leads to the last page.
    mutating func end(_ attempt: LoginAttempt, _ session: Session, status: Int = 303) -> Response {
        state.attempts[attempt.id]?.isDone = true
        return browserRedirect(to: destination(session, attempt), status: status)
    }

    /// The address for the browser after the login. A redirect leads only to a registered address.
    func destination(_ session: Session, _ attempt: LoginAttempt) -> String {
        returnAddress(session, attempt)?.text ?? "/activated?login=" + attempt.id
    }

    /// The address where the login ends, unless it ends with the sandbox's own last page. That page gets the attempt's ID.
    func returnAddress(_ session: Session, _ attempt: LoginAttempt) -> URLText? {
        guard !attempt.cameFromActivation, let url = registeredRedirect(session) else { return nil }
        return url.text == pages.address("/activated") ? nil : url
    }

    func registeredRedirect(_ session: Session) -> URLText? {
        guard let url = session.redirectURL.flatMap(URLText.init),
            let serviceProvider = catalogue.serviceProvider(session.serviceProvider),
            isRegistered(url, for: serviceProvider, app: session.redirectApp.flatMap(catalogue.app))
        else { return nil }
        return url
    }
}

/// The page with a form that takes the browser to the provider. A script submits the form. Without scripts, the viewer presses
/// the button. Contract: rest-v2.md S4.
private func formPage(_ attempt: LoginAttempt, _ provider: Provider) -> Page {
    let request = "<samlp:AuthnRequest ID=\"_\(attempt.id)\" Version=\"2.0\"/>"
    let form = PageForm(
        action: "/login/\(attempt.id)/enter",
        hidden: [Field("SAMLRequest", base64(request.utf8)), Field("RelayState", attempt.id)])
    let title = HTML.say("onTheWay", ["provider": provider.named])
    return Page(
        title: title, heading: title, form: form,
        main: """
            <form class="goes-on" \(form.opening)
            <button>\(say: "continue")</button>
            </form>
            """)
}

/// Handles the form of `formPage`.
func enterLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let form = call.request.form ?? []
    guard form.one("SAMLRequest").flatMap(decodeBase64) != nil, form.one("RelayState") == call["attempt"] else {
        return Page.loginGone.response(status: 400)
    }
    return browserRedirect(to: "/login/" + call["attempt"], status: 303)
}

// The last page of a login, and the provider's sign-out page. The last page sends the viewer back to the TV. Contract:
// rest-v2.md §4 L1.

/// Shows the last page. The query has the id of the attempt, which only the attempt's browser knows. Without the id, the page
/// shows fewer details.
func showActivated(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let id = call.request.query.one("login"), let attempt = world.state.attempts[id], attempt.isDone,
        let session = world.state.sessions[attempt.code], let viewed = world.viewed(session),
        let provider = world.catalogue.provider(attempt.mvpd)
    else {
        return Page.notice("back").response()
    }
    let subscriber = session.profile.flatMap { world.state.profiles[$0] }.flatMap { provider.subscriber($0.user) }
    if let subscriber, !viewed.serviceProvider.isIn(subscriber) {
        return withoutChannel(viewed.serviceProvider, provider: provider, subscriber: subscriber).response()
    }
    return Page.notice(
        "back", heading: .say("done.heading"), mood: .good, paragraphs: 0,
        """
        <p><strong>\(say: "done.playing", ["app": .plain(viewed.serviceProvider.name)])</strong></p>
        <p>\(say: "done.with", ["what": viewed.spoken, "provider": provider.named])</p>
        """
    ).response()
}

extension ServiceProvider {
    /// Whether the subscriber's package contains any resource of the service provider.
    fileprivate func isIn(_ subscriber: Subscriber) -> Bool {
        resources.isEmpty || resources.contains { subscriber.channels.contains($0.id) }
    }
}

private func withoutChannel(
    _ serviceProvider: ServiceProvider, provider: Provider, subscriber: Subscriber
) -> Page {
    let values = ["provider": provider.named, "app": .plain(serviceProvider.name)]
    let words: HTML =
        subscriber.denialText.map {
            let values = ["provider": provider.named, "words": .plain($0)]
            return "<blockquote><p>\(say: "package.says", values)</p></blockquote>"
        } ?? .none
    let steps = (1...3).map { "<li>\(say: "package.step\($0)")</li>" as HTML }
    return Page.notice(
        "package", values, heading: .say("package.heading", values),
        """
        \(words)
        <p>\(say: "package.ask", values)</p>
        <ol>\(steps)</ol>
        """, onward: Page.link("/activate", "code.new"))
}

/// Handles the visit of a TV's browser after a logout, and sends the browser back.
func signOut(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let query = call.request.query
    guard let serviceProvider = query.one("requestor_id").flatMap(world.catalogue.serviceProvider),
        let provider = query.one("mso_id").flatMap(world.catalogue.provider)
    else {
        let onward = Page.link("/activate", "noSignOut.activate")
        return Page.notice("noSignOut", mood: .problem, onward: onward).response(status: 400)
    }
    if let url = query.one("redirect_url").flatMap(URLText.init), world.isRegistered(url, for: serviceProvider) {
        return browserRedirect(to: url.text, status: 302)
    }
    return Page.notice("signedOut", ["provider": provider.named], style: .provider(provider)).response()
}

extension World {
    /// Whether the URL is registered with the service provider or with one of its apps.
    func isRegistered(_ url: URLText, for serviceProvider: ServiceProvider) -> Bool {
        isRegistered(url, for: serviceProvider, app: nil)
            || catalogue.apps.contains { app in
                app.serviceProviders.contains(serviceProvider.id) && isRegistered(url, for: serviceProvider, app: app)
            }
    }
}
