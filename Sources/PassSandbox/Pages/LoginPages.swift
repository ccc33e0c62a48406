// The provider's own pages: the login form, and the messages for a login that fails.

enum LoginProblem: Sendable {
    case incomplete
    case wrong(left: Int)
    case notFromThisPage

    var title: String {
        switch self {
        case .incomplete: "Something is missing"
        case .wrong: "User name or password is wrong"
        case .notFromThisPage: "Please sign in again"
        }
    }

    var advice: String {
        switch self {
        case .incomplete: "Type both your user name and your password."
        case .wrong(1): "Check both and try again. You have one try left."
        case .wrong(let left): "Check both and try again: capital and small letters count. You have \(left) tries left."
        case .notFromThisPage:
            "We could not tell that this came from our own page. Type your user name and password again."
        }
    }
}

func loginPage(_ login: OpenLogin, _ problem: LoginProblem?, user: String, formTarget: String?) -> Page {
    let invalid: HTML = problem == nil ? .none : " aria-invalid=\"true\" aria-describedby=\"problem\""
    // A viewer who has entered the name already continues with the password.
    let atPassword = problem != nil && !user.isEmpty
    let focus: HTML = " autofocus"
    let code = login.session.code
    let otherProvider: HTML =
        login.attempt.cameFromActivation && !login.session.isProviderGiven
        ? Page.link("/activate?code=\(percentEncoded(code))&choose=provider", "Use another TV provider", isMain: false)
        : .none
    let form = PageForm(
        action: "/login/\(login.attempt.id)",
        hidden: [Field("csrf", login.attempt.token), Field("mvpd", login.provider.id)], asks: ["user", "password"])
    var page = Page(
        title: "Sign in – \(login.provider.name)", heading: "Sign in with \(login.provider.name)",
        problem: problem.map { Page.Problem(title: $0.title, advice: $0.advice) }, style: .provider(login.provider),
        form: form, main: .none, formTarget: formTarget)
    page.main = """
        <p>to watch \(login.viewed.spoken)</p>
        \(page.explanation)
        <form class="card" id="login" \(form.opening)
        <label for="user">User name</label>
        <input id="user" name="user" type="text" value="\(String(user.prefix(128)))" maxlength="128" required \
        autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"\(invalid)\
        \(atPassword ? .none : focus)>
        <label for="password">Password</label>
        <div class="reveal"><input id="password" name="password" type="password" maxlength="128" required \
        autocomplete="current-password" enterkeyhint="go"\(invalid)\(atPassword ? focus : .none)></div>
        <button type="submit">Sign in</button>
        </form>
        <div class="ways">\(otherProvider)\(Page.link("/login/\(login.attempt.id)/cancel", "Cancel", isMain: false))\
        <button class="quiet" form="login" formaction="/login/\(login.attempt.id)/time-out" formnovalidate>\
        Time out</button></div>
        """
    return page
}

func lockedPage(_ provider: Provider) -> Page {
    .notice(
        "Too many wrong passwords", problem: true, style: .provider(provider),
        """
        <p>\(provider.name) has ended this sign-in to protect the account. Nothing has changed on your TV.</p>
        <p>Find out your user name and password first. Then start again with the code on your TV.</p>
        """, onward: Page.link("/activate", "Start again"))
}

func tooManyPasswordsPage(_ login: OpenLogin) -> Page {
    .notice(
        "Too many wrong passwords", problem: true, style: .provider(login.provider),
        "<p>Wait a minute, then try again. Nothing has changed on your TV.</p>",
        onward: Page.link("/login/\(login.attempt.id)", "Try again"))
}

func cancelledPage(_ login: OpenLogin) -> Page {
    .notice(
        "You are not signed in",
        "<p>You have cancelled. Nothing has changed on your TV, and nothing was sent to \(login.provider.name).</p>",
        onward: Page.link("/activate?code=\(percentEncoded(login.session.code))", "Try again"))
}

/// The page for a pair that is not configured, or wrongly; the viewer cannot repair that.
func providerOutOfReach(_ session: Session, _ provider: Provider?) -> Page {
    .notice(
        "This TV provider cannot be reached", problem: true,
        """
        <p>Signing in with \(provider?.name ?? "this TV provider") does not work at the moment. It is not your fault.</p>
        <p>Try again later, or choose another TV provider if you have one.</p>
        """,
        onward: Page.link(
            "/activate?code=\(percentEncoded(session.code))&choose=provider", "Choose another TV provider"))
}

extension Page {
    static let loginGone = notice(
        "This sign-in page has expired", problem: true,
        """
        <p>It was open for too long, or it belongs to an earlier attempt.</p>
        <p>If your TV shows that you are signed in, you are done. If not, start again with the code on your TV.</p>
        """, onward: link("/activate", "Start again"))
}

/// The page for a state file that cannot be written; the viewer can only try again.
func notWrittenDownPage() -> Response {
    Page.notice(
        "That did not work", problem: true,
        "<p>Something went wrong on our side, and nothing was changed. Please try again in a few minutes.</p>",
        onward: Page.link("/activate", "Enter the code your TV shows")
    ).response(status: 500)
}
