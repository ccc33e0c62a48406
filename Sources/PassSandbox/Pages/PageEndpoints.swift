// The endpoints for browsers, and the pages that are not part of a login. To add a page, write its handler and add a row
// here.

let pageEndpoints = [
    Endpoint("GET", "/", .open) { call, world throws(Refusal) in startPage(call, world) },
    Endpoint("POST", "/press", .form, press),
    Endpoint("GET", "/errors", .open) { _, _ throws(Refusal) in errorsPage() },
    Endpoint("GET", "/activate", .open, openActivation),
    Endpoint("POST", "/activate", .open, activate),
    Endpoint("GET", "/activated", .open, showActivated),
    Endpoint("GET", "/login/{attempt}", .open, showLogin),
    Endpoint("POST", "/login/{attempt}", .open, submitLogin),
    Endpoint("POST", "/login/{attempt}/enter", .open, enterLogin),
    Endpoint("GET", "/login/{attempt}/cancel", .open, cancelLogin),
    Endpoint("POST", "/login/{attempt}/time-out", .open, timeOutLogin),
    Endpoint("GET", "/adobe-services/logout", .open, signOut),
    Endpoint("GET", "/logos/{file}", .open, showLogo),
    Endpoint("GET", "/assets/provider/{file}", .open, showProviderStyle),
    Endpoint("GET", "/assets/style.css", .open) { _, _ throws(Refusal) in Asset.style.response },
    Endpoint("GET", "/assets/activate.js", .open) { _, _ throws(Refusal) in Asset.script.response },
    Endpoint("GET", "/assets/start.js", .open) { _, _ throws(Refusal) in Asset.startScript.response },
    Endpoint("GET", "/favicon.svg", .open) { _, _ throws(Refusal) in Asset.icon.response },
    Endpoint("GET", "/favicon.ico", .open) { _, _ throws(Refusal) in Asset.icon.response },
]

func pageNotFound() -> Response {
    Page.notice("notFound", mood: .problem, onward: Page.link("/activate", "code.heading")).response(status: 404)
}

// The page of all error codes and their meaning. The `helpUrl` of an error points to the entry of its code. Contract:
// rest-v2.md §6.2.

func errorsPage() -> Response {
    let entries = ErrorCode.allCases.map { code -> HTML in
        """
        <div id="\(code.rawValue)"><dt><code>\(code.rawValue)</code></dt>
        <dd>\(code.message)</dd>
        <dd>Status \(code.status) · action <code>\(code.action)</code></dd></div>

        """
    }
    return Page(
        title: .plain("Error codes – pass-sandbox"), heading: .plain("Error codes"), style: .developer,
        main: """
            <p class="lead">The field <code>code</code> of an enhanced error, with the HTTP status and the action \
            that come with it. In a list of decisions, the status is part of the item, and the call itself \
            succeeds.</p>
            <dl class="errors">
            \(entries)</dl>
            """
    ).response()
}
