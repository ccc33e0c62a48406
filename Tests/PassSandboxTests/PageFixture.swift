// A browser with the sandbox's pages, and the TV whose code the browser enters.

import PassJSON

@testable import PassSandbox

/// A sandbox with an app on a TV. The app is registered and has its token.
struct PageFixture {
    /// The paths of the pages that the browser has got.
    final class Visits {
        var pages: [String] = []
    }

    let sandbox: SandboxFixture
    let bearer: [Field]
    let visits = Visits()

    init(
        app: String = "lumen-tv", limitsGuesses: Bool = true, change: (inout Catalogue) -> Void = { _ in }
    ) throws {
        sandbox = try SandboxFixture(limitsGuesses: limitsGuesses, change: change)
        sandbox.sandbox.withWorld { world, now in
            world.state.clients["tv"] = Client(id: "tv", secret: "", app: app, issued: now, ends: nil)
            world.state.tokens[tokenKey("tv-token")] = AccessToken(client: "tv", issued: now, ends: now + 86_400_000)
        }
        bearer = [Field("Authorization", "Bearer tv-token")]
    }

    func send(_ request: Request) -> Response {
        let response = sandbox.send(request)
        if response.isPage { visits.pages.append(request.path) }
        return response
    }

    /// The code that the TV shows.
    func code(
        _ serviceProvider: String = "LUMENTV", _ form: [Field] = [], device: String = "box-1",
        info: String = Request.deviceInfo
    ) -> String {
        let headers =
            bearer + [
                Field("AP-Device-Identifier", "fingerprint " + base64(device.utf8)), Field("X-Device-Info", info),
            ]
        return send(.post("/api/v2/\(serviceProvider)/sessions", form: form, headers)).json["code"]?.string ?? ""
    }

    /// The code of a complete session, which the browser opens through S4.
    func completeCode(_ redirect: String = "http://lumentv.example/done", _ provider: String = "NorthCable") -> String {
        code(
            "LUMENTV",
            [Field("mvpd", provider), Field("domainName", "lumentv.example"), Field("redirectUrl", redirect)])
    }

    func authenticate(_ code: String, _ headers: [Field] = []) -> Response {
        send(.get("/api/v2/authenticate/LUMENTV/\(code)", headers))
    }

    func activate(_ code: String, provider: String? = nil, _ headers: [Field] = []) -> Response {
        send(.post("/activate", form: [Field("code", code)] + (provider.map { [Field("mvpd", $0)] } ?? []), headers))
    }

    /// The user who has logged in with the code.
    func user(of code: String) -> String? {
        sandbox.sandbox.withWorld { world, _ in
            world.state.sessions[code]?.profile.flatMap { world.state.profiles[$0]?.user }
        }
    }

    /// The provider's login page, as the browser gets it after activation.
    func login(_ code: String, _ provider: String = "NorthCable") -> LoginInBrowser {
        LoginInBrowser(self, activate(code, provider: provider))
    }
}

/// An open login page: its path and its form.
struct LoginInBrowser {
    let fixture: PageFixture
    let path: String
    let page: Response

    init(_ fixture: PageFixture, _ redirect: Response) {
        self.fixture = fixture
        path = redirect.header("Location") ?? ""
        page = fixture.send(.get(path))
    }

    var token: String { page.text.between("name=\"csrf\" value=\"", "\"") ?? "" }

    func submit(
        _ user: String = "ada", _ password: String = "lovelace", _ token: String? = nil, _ headers: [Field] = []
    )
        -> Response
    {
        fixture.send(
            .post(
                path,
                form: [Field("csrf", token ?? self.token), Field("user", user), Field("password", password)],
                headers))
    }
}

extension String {
    func between(_ start: String, _ end: String) -> String? { pieces(start, end).first }

    /// All parts of the text between the two marks.
    func pieces(_ start: String, _ end: String) -> [String] {
        var found: [String] = []
        var rest = Substring(self)
        while let from = rest.firstRange(of: start) {
            rest = rest[from.upperBound...]
            guard let to = rest.firstRange(of: end) else { break }
            found.append(String(rest[..<to.lowerBound]))
            rest = rest[to.upperBound...]
        }
        return found
    }
}

extension Endpoint {
    /// The path; nil if a part of it has no fixed text.
    var plainPath: String? {
        var text = ""
        for part in path {
            guard case .word(let word) = part else { return nil }
            text += "/" + word
        }
        return text
    }
}

extension Response {
    var isPage: Bool { header("Content-Type")?.hasPrefix("text/html") == true }
    var location: String { header("Location") ?? "" }
    var title: String { text.between("<title>", "</title>") ?? "" }
    var heading: String { text.between("<h1>", "</h1>") ?? "" }
}
