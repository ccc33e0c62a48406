// The pages before the provider's own: enter the code, see what it stands for, choose the provider.

/// Why the viewer has to check the code again.
enum CodeEntryProblem: Error, Equatable, Sendable {
    case empty, notACode, misread, tooMany
    case code(CodeProblem)

    /// The title of the tab, and the heading of the explanation.
    var title: String {
        switch self {
        case .empty: "Type the code"
        case .notACode: "That is not a code"
        case .misread, .code(.unknown): "We do not know this code"
        case .tooMany: "Too many wrong codes"
        case .code(.expired): "This code has expired"
        case .code(.used): "This code has already been used"
        case .code(.superseded): "Your TV shows a newer code"
        }
    }

    var advice: String {
        switch self {
        case .empty: "Type the letters and numbers that your TV shows."
        case .notACode: "A code has only letters and numbers, such as K7Q 2M4X. Look at your TV and type it again."
        case .misread:
            "Codes never have a zero, a one, or the letters O and I. Look at your TV again: it may be a Q, a D, an L or a J."
        case .tooMany: "Wait a minute, then type the code again."
        case .code(.unknown): "Compare it with the code on your TV, letter by letter, and type it again."
        case .code(.expired):
            "Start signing in on your TV again to get a new code. Then type the new code here."
        case .code(.used):
            "If your TV shows that you are signed in, you are done. If not, start signing in on your TV again and type the new code here."
        case .code(.superseded): "Only the newest code works. Type the one that is on your TV now."
        }
    }

    var status: Int { self == .tooMany ? 429 : 400 }

    /// Whether it may help to correct the input.
    private var keepsInput: Bool { [.notACode, .misread, .code(.unknown)].contains(self) }

    func response(typed: String) -> Response {
        guard self != .tooMany else {
            return Page.notice(
                title, problem: true, "<p>\(advice)</p>", onward: Page.link("/activate", "Type the code again")
            ).response(status: status, headers: [Field("Retry-After", "60")])
        }
        return codeForm(typed: keepsInput ? typed : "", problem: self).response(status: status)
    }
}

func codeForm(typed: String = "", problem: CodeEntryProblem? = nil) -> Page {
    let form = PageForm(action: "/activate", asks: ["code"])
    var page = Page(
        title: "Activate your TV", heading: "Enter the code your TV shows",
        problem: problem.map { Page.Problem(title: $0.title, advice: $0.advice) }, form: form, main: .none)
    let invalid: HTML = problem == nil ? .none : " aria-invalid=\"true\""
    let description: HTML = problem == nil ? "hint" : "problem hint"
    page.main = """
        \(page.explanation)
        <form class="card" \(form.opening)
        <label for="code">Code</label>
        <p class="hint" id="hint">Seven letters and numbers, such as K7Q 2M4X. Small letters are fine.</p>
        <input class="code" id="code" name="code" type="text" value="\(String(typed.prefix(TypedCode.longest)))" \
        maxlength="\(TypedCode.longest)" required autofocus autocomplete="one-time-code" \
        autocapitalize="characters" autocorrect="off" spellcheck="false" inputmode="text" enterkeyhint="go" \
        aria-describedby="\(description)"\(invalid)>
        <button type="submit">Continue</button>
        </form>
        """
    return page
}

/// The page for a viewer who arrives with the code: what they would sign in, before anything happens.
func confirmation(_ viewed: ViewedSession, _ world: World) -> Page {
    let provider = viewed.session.mvpd.flatMap(world.catalogue.provider)
    let words: HTML = provider.map { "Continue with \($0.name)" } ?? "Continue"
    let form = PageForm(action: "/activate", hidden: [Field("code", viewed.session.code)])
    return Page(
        title: "Activate your TV", heading: "Sign in on your TV?", form: form,
        main: """
            <form class="card" \(form.opening)
            <p>You are about to sign in to \(viewed.spoken).</p>
            <p class="hint">Continue only if your TV shows exactly this code:</p>
            <p class="code">\(TypedCode.grouped(viewed.session.code))</p>
            <button type="submit" autofocus>\(words)</button>
            </form>
            \(Page.link("/activate", "My TV shows a different code", isMain: false))
            """)
}

func choicePage(_ viewed: ViewedSession, _ providers: [Provider], problem: Page.Problem? = nil) -> Page {
    guard !providers.isEmpty else {
        return Page.notice(
            "No TV provider is available", problem: true,
            "<p>There is no TV provider for \(viewed.spoken) at the moment. Try again later.</p>",
            onward: Page.link("/activate", "Enter another code"))
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
        title: "Choose your TV provider", heading: "Who is your TV provider?", problem: problem, form: form,
        main: .none)
    page.main = """
        \(page.explanation)
        <p>This is the company you get your TV from. You sign in with it to watch \(viewed.spoken).</p>
        <form \(form.opening)
        <ul class="providers">
        \(buttons)</ul>
        </form>
        <p class="hint">Is your TV provider missing? It does not offer \(viewed.serviceProvider.name) yet.</p>
        """
    return page
}

func noLoginNeeded(_ viewed: ViewedSession, known: KnownLogin, provider: Provider?) -> Page {
    let reason: HTML =
        switch known.reason {
        case .authenticated, .authenticatedSSO: "Your TV is already signed in."
        case .temporary: "Your TV has a free preview. It needs no sign-in."
        case .degraded: "\(provider?.name ?? "Your TV provider") does not ask anybody to sign in at the moment."
        }
    return Page.notice(
        "You do not need to sign in",
        "<p>\(reason) Go back to your TV and watch \(viewed.serviceProvider.name).</p>")
}

/// The page for a browser that comes through S4 with a code that does not work. Contract: rest-v2.md S4.
func codeProblemPage(_ problem: CodeProblem, status: Int) -> Response {
    let advice =
        problem == .unknown
        ? "Start signing in on your TV again. Then type the code that it shows."
        : CodeEntryProblem.code(problem).advice
    return Page.notice(
        CodeEntryProblem.code(problem).title, problem: true, "<p>\(advice)</p>",
        onward: Page.link("/activate", "Enter the code your TV shows")
    ).response(status: status)
}
