// What a browser may open.

let pageEndpoints = [
    Endpoint("GET", "/", .open) { call, world throws(Refusal) in startPage(world, at: call.now) },
    Endpoint("GET", "/errors", .open) { _, _ throws(Refusal) in errorsPage() },
    Endpoint("GET", "/activate", .open, openActivation),
    Endpoint("POST", "/activate", .open, activate),
    Endpoint("GET", "/activated", .open, showActivated),
    Endpoint("GET", "/login/{attempt}", .open, showLogin),
    Endpoint("POST", "/login/{attempt}", .open, submitLogin),
    Endpoint("GET", "/login/{attempt}/cancel", .open, cancelLogin),
    Endpoint("GET", "/adobe-services/logout", .open, signOut),
    Endpoint("GET", "/logos/{file}", .open, showLogo),
    Endpoint("GET", "/assets/provider/{file}", .open, showProviderStyle),
    Endpoint("GET", "/assets/style.css", .open) { _, _ throws(Refusal) in Asset.style.response },
    Endpoint("GET", "/assets/activate.js", .open) { _, _ throws(Refusal) in Asset.script.response },
    Endpoint("GET", "/favicon.svg", .open) { _, _ throws(Refusal) in Asset.icon.response },
    Endpoint("GET", "/favicon.ico", .open) { _, _ throws(Refusal) in Asset.icon.response },
]

func pageNotFound() -> Response {
    Page.notice(
        "This page does not exist", problem: true,
        "<p>The address may be misspelled. To sign in on your TV, go on with the code that it shows.</p>",
        onward: Page.link("/activate", "Enter the code on your TV")
    ).response(status: 404)
}
