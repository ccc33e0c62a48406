// The provider's login page and the handling of its form. Every request checks everything again, because the code may
// have expired, been used or been replaced while the viewer was typing.

/// A browser's attempt with everything that belongs to it.
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
    guard login.sent(form) else { return world.loginForm(login, .notFromThisPage).response(status: 403) }
    guard let user = form.one("user"), let password = form.one("password") else {
        return world.loginForm(login, .incomplete, user: form.one("user") ?? "").response(status: 400)
    }
    let guesses: [Guessing] = [.password(of: user, at: login.provider.id), .passwordFor(login.session.code)]
    guard guesses.allSatisfy({ world.mayGuess(call, $0) }) else {
        return tooManyPasswordsPage(login).response(status: 429, headers: [Field("Retry-After", "60")])
    }
    guard let subscriber = login.provider.subscriber(user, password: password) else {
        for guess in guesses { world.countWrongGuess(call, guess) }
        world.state.attempts[login.attempt.id]?.failures += 1
        let left = LoginAttempt.mostFailures - login.attempt.failures - 1
        guard left > 0 else { return lockedPage(login.provider).response(status: 403) }
        return world.loginForm(login, .wrong(left: left), user: user).response(status: 401)
    }
    world.completeLogin(login.session, mvpd: login.provider.id, subscriber: subscriber, home: nil, at: call.now)
    return world.end(login.attempt, login.session)
}

/// Cancels the login. Nothing is stored, so the viewer can still go back and sign in.
func cancelLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let login = try world.openLogin(call)
    if !login.attempt.cameFromActivation, let url = world.registeredRedirect(login.session) {
        return browserRedirect(to: url.appending(query: "error", "access_denied"), status: 302)
    }
    return cancelledPage(login).response()
}

/// Ends the code as if its time had passed, so that developers see what their app does then.
func timeOutLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let login = try world.openLogin(call)
    guard login.sent(call.request.form ?? []) else {
        return world.loginForm(login, .notFromThisPage).response(status: 403)
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
    /// The attempt in the path if it can still succeed; else throws the page that explains why not.
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

    fileprivate func loginForm(_ login: OpenLogin, _ problem: LoginProblem? = nil, user: String = "") -> Page {
        var target: String?
        if !login.attempt.cameFromActivation { target = registeredRedirect(login.session)?.policySource }
        return loginPage(login, problem, user: user, formTarget: target)
    }
}

extension Provider {
    /// Finds the subscriber. It takes the same time for an unknown name.
    fileprivate func subscriber(_ user: String, password: String) -> Subscriber? {
        let subscriber = subscriber(user)
        let isRight = sameSecret(password, subscriber?.password ?? "")
        return isRight ? subscriber : nil
    }
}

extension URLText {
    /// The origin for the content security policy of a form; nil if it is not safe to write there.
    fileprivate var policySource: String? {
        let isPlain = origin.utf8.allSatisfy { byte in
            isIdentifierByte(byte) || [UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+")].contains(byte)
        }
        return isPlain ? origin : nil
    }
}
