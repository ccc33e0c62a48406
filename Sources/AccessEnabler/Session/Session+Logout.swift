// The call `logout`: the logins that it ends, and its answer to the calling app. `Logouts` tells the other apps. Contract:
// access-enabler.md §18; open-questions.md OQ-10, OQ-13.

public import PassProtocol

extension Session {
    public func logout() async throws(RPCError) -> Logout.Result {
        let (settled, absence) = await awaitTurnAndAsker(.viewer)
        guard let asker = settled else {
            defer { setup.passTurnOn() }
            // A logout works even if no requestor is set, or if `setRequestor` has failed. Contract: §6.2.
            let isWhole = engine.settings.logoutScope == .device
            var isDurable = true
            let failedRequestor = setup.failure?.key.requestor
            if isWhole || failedRequestor != nil {
                isDurable =
                    await engine.logout(requestor: isWhole ? nil : failedRequestor, tellingService: true).isDurable
            }
            emit(.userNotAuthenticated, .logout)
            throw isDurable ? absence : .requestorNotSet(isDurable: false)
        }
        let outcome = outcomeOfLogout()
        signedOut = nil
        await perform(conversation.logOut(), for: asker)
        let isFromPlatform = engine.logins.profiles(of: asker.key).contains { $0.kind == .appleSSO }
        // Later calls begin as soon as the logins have ended here, even if the service does not know of it yet.
        let logout = await engine.logouts.logout(for: asker, session: number, style: appOptions.style) {
            setup.passTurnOn()
        }
        let steps = logout.steps
        if isFromPlatform || steps.contains(where: { $0.step == .systemSettings }) { report(.VSA203) }
        let pages: [AppBrowser.LogoutPage] = steps.compactMap {
            guard appOptions.style == .browser, case .openURL(let url) = $0.step else { return nil }
            return .init(provider: $0.provider, url: url)
        }
        conversation.browser.open(pages)
        if let page = pages.first {
            // The outcome of the login is reported now, but the last callbacks come only when the browser has returned from the
            // last page. Contract: §18 item 2.
            if outcome != nil { emit(.userNotAuthenticated, .logout, outcome: outcome) }
            navigate(to: page.url, of: page.provider)
        } else {
            emit(.userNotAuthenticated, .logout, outcome: outcome)
            track(Tracking.authenticationFailed)
        }
        return .init(
            actions: steps.map { .init($0, in: appOptions.style) },
            isDurable: logout.isDurable)
    }
}

extension Logout.Result.Step {
    /// Makes the remaining step of the app. An app that opens no browser gets the logout page as a link for the second screen,
    /// because the viewer's session at the provider exists there and can be ended only there.
    fileprivate init(_ end: Logouts.Outcome.Step, in style: LoginStyle) {
        self.init(provider: end.provider.rawValue, action: .none, isTold: end.isTold)
        switch end.step {
        case .openURL(let page) where style == .browser: (action, url) = (.browser, page)
        case .openURL(let page): link = page
        case .systemSettings: action = .platformSettings
        case .finished, .nothingToDo: break
        }
    }
}
