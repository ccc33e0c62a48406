// Leads the viewer from the code on the TV to the provider's login page. The steps: find the session, fill in missing
// parameters, and let the viewer choose the provider. Contract: rest-v2.md §4 S2, S3, §14, §19.

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
        // If a page of another site has sent the viewer here, the next page names app and TV.
        if call.request.comesFromAnotherSite { return confirmation(viewed, world).response() }
        return world.goOn(viewed, chosen: call.request.form?.one("mvpd"), call)
    }
}

/// A session in words for the viewer: the app, and the device for the login.
struct ViewedSession: Sendable {
    var session: Session
    let serviceProvider: ServiceProvider

    /// The description for the viewer, such as "Lumen TV on LTV-200 by Lumen Devices".
    var spoken: HTML {
        let app: HTML = "<strong>\(serviceProvider.name)</strong>"
        return device.map { .say("onDevice", ["app": app, "device": "<strong>\($0)</strong>"]) } ?? app
    }

    private var device: HTML? {
        func short(_ text: String) -> HTML { .plain(text.count > 40 ? text.prefix(39) + "…" : text) }
        guard let model = session.deviceInfo["model"] else { return nil }
        guard let maker = session.deviceInfo["manufacturer"], maker != "Unknown" else { return short(model) }
        return .say("madeBy", ["model": short(model), "maker": short(maker)])
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

    /// The providers for the viewer's choice. Temporary passes are left out: rest-v2.md §13.
    func offeredProviders(_ serviceProvider: String) -> [Provider] {
        catalogue.providers.filter { provider in
            provider.tempPass == nil && catalogue.integration(serviceProvider, provider.id) != nil
        }
    }

    fileprivate func providerChoice(_ viewed: ViewedSession, problem: Page.Problem? = nil) -> Page {
        choicePage(viewed, offeredProviders(viewed.serviceProvider.id), problem: problem)
    }

    /// Fills in the session's missing parameters. If a login is needed, continues to the provider.
    fileprivate mutating func goOn(_ viewed: ViewedSession, chosen: String?, _ call: Call) -> Response {
        var viewed = viewed
        // If the TV has chosen a provider, the phone cannot change this choice.
        if let chosen, !viewed.session.isProviderGiven {
            guard let provider = offeredProviders(viewed.serviceProvider.id).first(where: { $0.id == chosen }) else {
                return providerChoice(viewed, problem: Page.Problem("noChoice")).response(status: 400)
            }
            viewed.session.mvpd = provider.id
        }
        let owner = viewed.session.owner
        // A code of the older interface always leads to a login, even if the device is logged in.
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

// The pages before the provider's own pages. Viewers enter the code, check the app and the device, and choose the provider.

/// The reason why the viewer has to check the code again.
enum CodeEntryProblem: Error, Equatable, Sendable {
    case empty, notACode, misread, tooMany
    case code(CodeProblem)

    /// The key of the sentences.
    fileprivate var key: String {
        switch self {
        case .code(let problem): "\(problem)"
        default: "\(self)"
        }
    }

    var status: Int { self == .tooMany ? 429 : 400 }

    /// Whether the page shows the input again, so that the viewer can correct it.
    private var keepsInput: Bool { [.notACode, .misread, .code(.unknown)].contains(self) }

    func response(typed: String) -> Response {
        guard self != .tooMany else {
            return Page.notice(
                key, mood: .problem, paragraphs: 0, "<p>\(say: "tooMany.advice")</p>",
                onward: Page.link("/activate", "code.again")
            ).response(status: status, headers: [Field("Retry-After", "60")])
        }
        return codeForm(typed: keepsInput ? typed : "", problem: self).response(status: status)
    }
}

func codeForm(typed: String = "", problem: CodeEntryProblem? = nil) -> Page {
    let form = PageForm(action: "/activate", asks: ["code"])
    var page = Page(
        title: .say("activate"), heading: .say("code.heading"), problem: problem.map { Page.Problem($0.key) },
        form: form, main: .none)
    let invalid: HTML = problem == nil ? .none : " aria-invalid=\"true\""
    let description: HTML = problem == nil ? "hint" : "problem hint"
    let shown = TypedCode(typed).map { TypedCode.grouped($0.code) } ?? String(typed.prefix(TypedCode.longest))
    page.main = HTML(
        file: PackageResources.code_html,
        [
            "explanation": page.explanation, "form": form.opening, "typed": "\(shown)",
            "longest": "\(TypedCode.longest)", "description": description, "invalid": invalid,
        ])
    return page
}

/// The page for viewers who follow a link that contains the code. The page names the app and the TV before anything happens.
func confirmation(_ viewed: ViewedSession, _ world: World) -> Page {
    let provider = viewed.session.mvpd.flatMap(world.catalogue.provider)
    let words: HTML = provider.map { .say("confirm.with", ["provider": $0.named]) } ?? .say("continue")
    let form = PageForm(action: "/activate", hidden: [Field("code", viewed.session.code)])
    return Page(
        title: .say("activate"), heading: .say("confirm.heading"), form: form,
        main: """
            <form class="card" \(form.opening)
            <p>\(say: "confirm.purpose", ["what": viewed.spoken])</p>
            <p class="hint">\(say: "confirm.compare")</p>
            <p class="code">\(TypedCode.grouped(viewed.session.code))</p>
            <button type="submit" autofocus>\(words)</button>
            </form>
            \(Page.link("/activate", "confirm.different", isMain: false))
            """)
}

func choicePage(_ viewed: ViewedSession, _ providers: [Provider], problem: Page.Problem? = nil) -> Page {
    guard !providers.isEmpty else {
        return Page.notice(
            "noProvider", ["what": viewed.spoken], mood: .problem, onward: Page.link("/activate", "code.another"))
    }
    let buttons = providers.map { provider -> HTML in
        """
        <li><button type="submit" name="mvpd" value="\(provider.id)">\
        <img src="\(providerLogoPath(provider))" alt="" width="64" height="64">\
        <span class="name">\(provider.name) <small>\(provider.look.slogan)</small></span></button></li>

        """
    }
    let form = PageForm(
        action: "/activate", hidden: [Field("code", viewed.session.code)], providers: providers.map(\.id))
    var page = Page(
        title: .say("choice.title"), heading: .say("choice.heading"), problem: problem, form: form, main: .none)
    page.main = """
        \(page.explanation)
        <p>\(say: "choice.purpose", ["what": viewed.spoken])</p>
        <form \(form.opening)
        <ul class="providers">
        \(buttons)</ul>
        </form>
        <p class="hint">\(say: "choice.missing", ["app": .plain(viewed.serviceProvider.name)])</p>
        """
    return page
}

func noLoginNeeded(_ viewed: ViewedSession, known: KnownLogin, provider: Provider?) -> Page {
    let key =
        switch known.reason {
        case .authenticated, .authenticatedSSO: "noLogin.signedIn"
        case .temporary: "noLogin.preview"
        case .degraded: "noLogin.everyone"
        }
    let values = ["provider": provider?.named ?? .say("yourProvider"), "app": .plain(viewed.serviceProvider.name)]
    return Page.notice(
        "noLogin", mood: .good, paragraphs: 0, "<p>\(say: key, values) \(say: "noLogin.watch", values)</p>")
}

/// The page for a browser that requests S4 with an unusable code. Contract: rest-v2.md S4.
func codeProblemPage(_ problem: CodeProblem, status: Int) -> Response {
    let key = CodeEntryProblem.code(problem).key
    return Page.notice(
        key, mood: .problem, paragraphs: 0, "<p>\(say: key + (problem == .unknown ? ".start" : ".advice"))</p>",
        onward: Page.link("/activate", "code.heading")
    ).response(status: status)
}

extension Provider {
    /// The name, for sentences.
    var named: HTML { .plain(name) }
}

// A code from a viewer's input. The input may have small letters, blanks, dashes, or characters that no code has.

struct TypedCode: Equatable, Sendable {
    /// The longest input that a form accepts.
    static let longest = 64

    /// The normalized code, which is the key of the session.
    let code: String

    /// Normalizes the text; nil if it cannot be a code.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let code = text.uppercased().filter { !$0.isWhitespace && !"-–—_.".contains($0) }
        guard (4...32).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
        else { return nil }
        self.code = code
    }

    /// Whether the viewer misread the code. No code contains `0`, `1`, `I` or `O`.
    var isMisread: Bool { code.contains { "01IO".contains($0) } }

    /// The code in groups that are easy to compare: `K7Q 2M4X`.
    static func grouped(_ code: String) -> String {
        var groups = [code.prefix(3)]
        var rest = code.dropFirst(3)
        while !rest.isEmpty {
            groups.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: " ")
    }
}
