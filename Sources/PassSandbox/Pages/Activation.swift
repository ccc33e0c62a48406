// Leads the viewer from the code on the TV to the provider's login page: which session is meant, what it lacks, and who
// the provider is. Contract: rest-v2.md §4 S2, S3, §14, §19.

func openActivation(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let typed = call.request.query.one("code") else { return codeForm().response() }
    switch world.viewedSession(typed, call) {
    case .failure(let problem): return problem.response(typed: typed)
    case .success(let viewed):
        if call.request.query.one("choose") != nil, !viewed.session.isProviderGiven {
            return world.providerChoice(viewed).response()
        }
        return confirmation(viewed, world).response()
    }
}

func activate(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let typed = call.request.form?.one("code") else {
        return codeForm(problem: .empty).response(status: 400)
    }
    switch world.viewedSession(typed, call) {
    case .failure(let problem): return problem.response(typed: typed)
    case .success(let viewed):
        // A page of another site has sent the viewer here, so they first see what they would sign in.
        if call.request.comesFromAnotherSite { return confirmation(viewed, world).response() }
        return world.goOn(viewed, chosen: call.request.form?.one("mvpd"), call)
    }
}

/// A session as the viewer sees it: what is signed in, and on which device.
struct ViewedSession: Sendable {
    var session: Session
    let serviceProvider: ServiceProvider

    /// Such as "Lumen TV on LTV-200 by Lumen Devices".
    var spoken: HTML {
        guard let device else { return "<strong>\(serviceProvider.name)</strong>" }
        return "<strong>\(serviceProvider.name)</strong> on <strong>\(device)</strong>"
    }

    private var device: String? {
        session.deviceInfo.spoken.map { $0.count > 80 ? $0.prefix(79) + "…" : $0 }
    }
}

extension World {
    func viewed(_ session: Session) -> ViewedSession? {
        catalogue.serviceProvider(session.serviceProvider).map { ViewedSession(session: session, serviceProvider: $0) }
    }

    fileprivate mutating func viewedSession(_ typed: String, _ call: Call) -> Result<ViewedSession, CodeEntryProblem> {
        guard let typed = TypedCode(typed) else { return .failure(.notACode) }
        guard mayGuess(call, .code(typed.code)) else { return .failure(.tooMany) }
        guard let viewed = state.sessions[typed.code].flatMap(viewed) else {
            countWrongGuess(call, .code(typed.code))
            return .failure(typed.isMisread ? .misread : .code(.unknown))
        }
        return viewed.session.problem(at: call.now).map { .failure(.code($0)) } ?? .success(viewed)
    }

    /// The providers that the viewer can choose from. Temporary passes are not among them: rest-v2.md §13.
    func offeredProviders(_ serviceProvider: String) -> [Provider] {
        catalogue.providers.filter { provider in
            provider.tempPass == nil && catalogue.integration(serviceProvider, provider.id) != nil
        }
    }

    fileprivate func providerChoice(_ viewed: ViewedSession, problem: Page.Problem? = nil) -> Page {
        choicePage(viewed, offeredProviders(viewed.serviceProvider.id), problem: problem)
    }

    /// Fills in what the session lacks, and goes on to the provider if a login is needed.
    fileprivate mutating func goOn(_ viewed: ViewedSession, chosen: String?, _ call: Call) -> Response {
        var viewed = viewed
        // The phone cannot change a provider that the TV has chosen.
        if let chosen, !viewed.session.isProviderGiven {
            guard let provider = offeredProviders(viewed.serviceProvider.id).first(where: { $0.id == chosen }) else {
                let problem = Page.Problem(
                    title: "Choose a TV provider", advice: "Please choose one of these TV providers.")
                return providerChoice(viewed, problem: problem).response(status: 400)
            }
            viewed.session.mvpd = provider.id
        }
        let owner = Owner(viewed.session)
        // A code of the older interface always leads to a login, even if the device is logged in already.
        if viewed.session.registration == nil,
            let known = loginUnnecessary(
                owner, mvpd: viewed.session.mvpd, identities: viewed.session.identities, at: call.now)
        {
            fillIn(&viewed.session)
            return noLoginNeeded(viewed, known: known, provider: catalogue.provider(known.mvpd)).response()
        }
        guard let mvpd = viewed.session.mvpd else { return providerChoice(viewed).response() }
        fillIn(&viewed.session)
        return beginLogin(viewed.session, mvpd: mvpd, cameFromActivation: true, call: call)
    }

    private mutating func fillIn(_ session: inout Session) {
        session.domainName = session.domainName ?? URLText(pages.origin)?.host
        session.redirectURL = session.redirectURL ?? pages.address("/activated")
        state.sessions[session.code] = session
    }
}
