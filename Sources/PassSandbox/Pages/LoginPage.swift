// The provider's login page, the handling of its form, and the messages for a failed login. Each request checks the code again.
// The code may have expired, or been used or replaced, while the viewer was typing.

/// A browser's attempt with its session, provider and other data.
struct OpenLogin: Sendable {
    let attempt: LoginAttempt
    let viewed: ViewedSession
    let provider: Provider

    var session: Session { viewed.session }
}

func showLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    world.loginForm(try world.openLogin(call)).response()
}

func submitLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let login = try world.openLogin(call)
    let form = call.request.form ?? []
    guard login.sent(form) else { return world.loginForm(login, Page.Problem("notFromHere")).response(status: 403) }
    guard let user = form.one("user"), let password = form.one("password") else {
        return world.loginForm(login, Page.Problem("incomplete"), user: form.one("user") ?? "").response(status: 400)
    }
    let guesses: [Guessing] = [.password(of: user, at: login.provider.id), .passwordFor(login.session.code)]
    guard guesses.allSatisfy({ world.mayGuess(call, $0) }) else {
        return tooManyPasswordsPage(login).response(status: 429, headers: [Field("Retry-After", "60")])
    }
    guard let subscriber = login.provider.subscriber(user, password: password) else {
        for guess in guesses { world.countWrongGuess(call, guess) }
        world.state.attempts[login.attempt.id]?.failures += 1
        let left = LoginAttempt.maxFailures - login.attempt.failures - 1
        guard left > 0 else { return lockedPage(login.provider).response(status: 403) }
        return world.loginForm(login, Page.Problem("wrong", count: left), user: user).response(status: 401)
    }
    world.completeLogin(login.session, mvpd: login.provider.id, subscriber: subscriber, home: nil, at: call.now)
    return world.end(login.attempt, login.session)
}

/// Cancels the login. Nothing is stored, so that the viewer can go back and sign in.
func cancelLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let login = try world.openLogin(call)
    if let url = world.returnAddress(login.session, login.attempt) {
        return browserRedirect(to: url.appending(query: "error", "access_denied"), status: 302)
    }
    return cancelledPage(login).response()
}

/// Makes the code expire, so that developers can test how their app handles this.
func timeOutLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let login = try world.openLogin(call)
    guard login.sent(call.request.form ?? []) else {
        return world.loginForm(login, Page.Problem("notFromHere")).response(status: 403)
    }
    world.state.sessions[login.session.code]?.ends = call.now
    return codeProblemPage(.expired, status: 200)
}

extension OpenLogin {
    /// Whether the form comes from the page of this login.
    fileprivate func sent(_ form: [Field]) -> Bool {
        guard let token = form.one("csrf"), token.utf8.count <= 256 else { return false }
        return sameSecret(token, attempt.token)
    }
}

extension World {
    /// Returns the attempt in the path. If it can no longer succeed, throws a page with the reason.
    fileprivate func openLogin(_ call: Call) throws(Refusal) -> OpenLogin {
        guard let attempt = state.attempts[call["attempt"]], let session = state.sessions[attempt.code],
            let viewed = viewed(session), let provider = catalogue.provider(attempt.mvpd)
        else { throw .response(Page.loginGone.response(status: 410)) }
        if attempt.isDone { throw .response(browserRedirect(to: destination(session, attempt), status: 303)) }
        if attempt.isLocked { throw .response(lockedPage(provider).response(status: 403)) }
        if let problem = session.problem(at: call.now) { throw .response(codeProblemPage(problem, status: 410)) }
        guard call.now < attempt.ends else { throw .response(Page.loginGone.response(status: 410)) }
        return OpenLogin(attempt: attempt, viewed: viewed, provider: provider)
    }

    fileprivate func loginForm(_ login: OpenLogin, _ problem: Page.Problem? = nil, user: String = "") -> Page {
        var target: String?
        if !login.attempt.cameFromActivation { target = registeredRedirect(login.session)?.policySource }
        return loginPage(login, problem, user: user, formTarget: target)
    }
}

extension Provider {
    /// Finds the subscriber; nil if the name or the password is wrong. Both cases take the same time.
    fileprivate func subscriber(_ user: String, password: String) -> Subscriber? {
        let subscriber = subscriber(user)
        let isRight = sameSecret(password, subscriber?.password ?? "")
        return isRight ? subscriber : nil
    }
}

extension URLText {
    /// The origin, for the content security policy of a form. Nil if the text is unsafe in a policy.
    fileprivate var policySource: String? {
        let isPlain = origin.utf8.allSatisfy { byte in
            isIdentifierByte(byte) || [UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+")].contains(byte)
        }
        return isPlain ? origin : nil
    }
}

// The provider's own pages: the login form, and the messages for a failed login.

func loginPage(_ login: OpenLogin, _ problem: Page.Problem?, user: String, formTarget: String?) -> Page {
    let invalid: HTML = problem == nil ? .none : " aria-invalid=\"true\" aria-describedby=\"problem\""
    // If the name is already filled in, the viewer continues with the password.
    let atPassword = problem != nil && !user.isEmpty
    let focus: HTML = " autofocus"
    let code = login.session.code
    let otherProvider: HTML =
        login.attempt.cameFromActivation && !login.session.isProviderGiven
        ? Page.link("/activate?code=\(percentEncoded(code))&choose=provider", "anotherProvider", isMain: false)
        : .none
    let form = PageForm(
        action: "/login/\(login.attempt.id)",
        hidden: [Field("csrf", login.attempt.token), Field("mvpd", login.provider.id)], asks: ["user", "password"])
    var page = Page(
        title: .say("login.title", ["provider": login.provider.named]),
        heading: .say("login.heading", ["provider": login.provider.named]),
        problem: problem, style: .provider(login.provider), form: form, main: .none, formTarget: formTarget)
    page.main = HTML(
        file: PackageResources.login_html,
        [
            "purpose": .say("login.purpose", ["what": login.viewed.spoken]), "explanation": page.explanation,
            "form": form.opening,
            "user": "\(String(user.prefix(128)))", "invalid": invalid, "focusUser": atPassword ? .none : focus,
            "focusPassword": atPassword ? focus : .none, "otherProvider": otherProvider,
            "cancel": Page.link(form.action + "/cancel", "login.cancel", isMain: false),
        ])
    page.testSwitch = """
        <button class="switch" form="login" formaction="\(form.action)/time-out" formnovalidate>\
        \(say: "test.expire")</button>
        """
    return page
}

func lockedPage(_ provider: Provider) -> Page {
    .notice(
        "locked", ["provider": provider.named], mood: .problem, style: .provider(provider), paragraphs: 2,
        onward: Page.link("/activate", "startAgain"))
}

func tooManyPasswordsPage(_ login: OpenLogin) -> Page {
    .notice(
        "wait", mood: .problem, style: .provider(login.provider),
        onward: Page.link("/login/\(login.attempt.id)", "tryAgain"))
}

func cancelledPage(_ login: OpenLogin) -> Page {
    .notice(
        "cancelled", ["provider": login.provider.named],
        onward: Page.link("/activate?code=\(percentEncoded(login.session.code))", "tryAgain"))
}

/// The page for an app that is not set up for this provider. The viewer cannot repair this.
func providerOutOfReach(_ session: Session, _ provider: Provider?) -> Page {
    .notice(
        "unreachable", ["provider": provider?.named ?? .say("yourProvider")], mood: .problem, paragraphs: 2,
        onward: Page.link(
            "/activate?code=\(percentEncoded(session.code))&choose=provider", "anotherProvider"))
}

extension Page {
    static let loginGone = notice("gone", mood: .problem, paragraphs: 2, onward: link("/activate", "startAgain"))
}

/// The page for a login that failed because the state file cannot be written. The viewer can only try again.
func notWrittenDownPage() -> Response {
    Page.notice("notSaved", mood: .problem, onward: Page.link("/activate", "code.heading")).response(status: 500)
}
