// The last page of a login, which sends the viewer back to the TV, and the provider's sign-out page. Contract:
// rest-v2.md §4 L1.

/// Only the browser that made the attempt knows its id, which is in the query. Without it the page tells less.
func showActivated(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let id = call.request.query.one("login"), let attempt = world.state.attempts[id], attempt.isDone,
        let session = world.state.sessions[attempt.code], let viewed = world.viewed(session),
        let provider = world.catalogue.provider(attempt.mvpd)
    else {
        return Page.notice(
            "You can go back to your TV", "<p>Your TV continues automatically. You can close this page.</p>"
        ).response()
    }
    let subscriber = session.profile.flatMap { world.state.profiles[$0] }.flatMap { provider.subscriber($0.user) }
    if let subscriber, !viewed.serviceProvider.isIn(subscriber) {
        return withoutChannel(viewed.serviceProvider, provider: provider, subscriber: subscriber).response()
    }
    return Page.notice(
        "You can go back to your TV", heading: "You are signed in",
        """
        <p><strong>You can go back to your TV.</strong> It continues automatically in a few seconds.</p>
        <p>You signed in to \(viewed.spoken) with \(provider.name). You can close this page.</p>
        """
    ).response()
}

extension ServiceProvider {
    /// Whether the subscriber's package contains any of its resources.
    fileprivate func isIn(_ subscriber: Subscriber) -> Bool {
        resources.isEmpty || resources.contains { subscriber.channels.contains($0.id) }
    }
}

private func withoutChannel(
    _ serviceProvider: ServiceProvider, provider: Provider, subscriber: Subscriber
) -> Page {
    let words: HTML =
        subscriber.denialText.map { "<blockquote><p>\(provider.name) says: “\($0)”</p></blockquote>" } ?? .none
    return Page.notice(
        "Not in your package", heading: "You are signed in, but \(serviceProvider.name) is not in your package",
        """
        <p>The user name and the password were right. Your package with \(provider.name) does not include \
        \(serviceProvider.name), so your TV may not play it.</p>
        \(words)
        <p>To watch it, ask \(provider.name) to add it to your package. Or use another account:</p>
        <ol><li>On your TV, sign out.</li><li>Start signing in there again.</li><li>Type the new code here.</li></ol>
        """, onward: Page.link("/activate", "Enter a new code"))
}

/// The page that a TV's browser visits after a logout: the browser goes back from there.
func signOut(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let query = call.request.query
    guard let serviceProvider = query.one("requestor_id").flatMap(world.catalogue.serviceProvider),
        let provider = query.one("mso_id").flatMap(world.catalogue.provider)
    else {
        return Page.notice(
            "We cannot sign you out here", problem: true,
            "<p>This address does not name your TV provider. To sign out, use the settings of the app on your TV.</p>",
            onward: Page.link("/activate", "Activate a TV")
        ).response(status: 400)
    }
    if let url = query.one("redirect_url").flatMap(URLText.init), world.isRegistered(url, for: serviceProvider) {
        return browserRedirect(to: url.text, status: 302)
    }
    return Page.notice(
        "You are signed out of \(provider.name)", style: .provider(provider),
        "<p>This browser is signed out. You can close this page and go back to your TV.</p>"
    ).response()
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
