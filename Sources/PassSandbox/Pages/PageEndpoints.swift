// The endpoints for browsers, and the pages that are not part of a login. To add a page, write its handler and add a row
// here.

let pageEndpoints = [
    Endpoint("GET", path: "/", access: .open) { call, world throws(Refusal) in startPage(world, at: call.now) },
    Endpoint("GET", path: "/errors", access: .open) { _, _ throws(Refusal) in errorsPage() },
    Endpoint("GET", path: "/activate", access: .open, handler: openActivation),
    Endpoint("POST", path: "/activate", access: .open, handler: activate),
    Endpoint("GET", path: "/activated", access: .open, handler: showActivated),
    Endpoint("GET", path: "/login/{attempt}", access: .open, handler: showLogin),
    Endpoint("POST", path: "/login/{attempt}", access: .open, handler: submitLogin),
    Endpoint("POST", path: "/login/{attempt}/enter", access: .open, handler: enterLogin),
    Endpoint("GET", path: "/login/{attempt}/cancel", access: .open, handler: cancelLogin),
    Endpoint("POST", path: "/login/{attempt}/time-out", access: .open, handler: timeOutLogin),
    Endpoint("GET", path: "/adobe-services/logout", access: .open, handler: signOut),
    Endpoint("GET", path: "/logos/{file}", access: .open, handler: showLogo),
    Endpoint("GET", path: "/assets/provider/{file}", access: .open, handler: showProviderStyle),
    Endpoint("GET", path: "/assets/style.css", access: .open) { _, _ throws(Refusal) in Asset.style.response },
    Endpoint("GET", path: "/assets/activate.js", access: .open) { _, _ throws(Refusal) in Asset.script.response },
    Endpoint("GET", path: "/favicon.svg", access: .open) { _, _ throws(Refusal) in Asset.icon.response },
    Endpoint("GET", path: "/favicon.ico", access: .open) { _, _ throws(Refusal) in Asset.icon.response },
]

func pageNotFound() -> Response {
    Page.notice(
        "This page does not exist", problem: true,
        "<p>The address may be misspelled. To sign in on your TV, use the code that it shows.</p>",
        onward: Page.link("/activate", "Enter the code your TV shows")
    ).response(status: 404)
}

// The page of all error codes and their meaning. The `helpUrl` of an error points to its entry. Contract:
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
        title: "Error codes – pass-sandbox", heading: "Error codes", style: .developer,
        main: """
            <p class="lead">The field <code>code</code> of an enhanced error, with the HTTP status and the action \
            that come with it. In a list of decisions, the status is part of the item, and the call itself \
            succeeds.</p>
            <dl class="errors">
            \(entries)</dl>
            """
    ).response()
}
