// Acts as the viewer with the code. It requests the sandbox's pages as JSON, fills in each form, and continues to the next
// page.

import PassArguments
import PassJSON
import PassSandbox

struct Viewer {
    /// The code; nil if `address` contains the code.
    let code: String?
    /// The address on the TV's screen; nil for the sandbox's own page.
    let address: String?
    let provider: String?
    let user: String
    let password: String

    private static let maxPages = 12

    private static let endPage = "/activated"

    /// Logs in. Returns the outcome, with the text of the last page.
    func logIn(_ client: HTTPClient) throws(Failure) -> String {
        var done: Step? = code == nil ? .code : nil
        let isOwnPage = address == nil
        var address = address ?? client.server.origin + "/activate"
        var answer = try client.get(address)
        // A service that is not a sandbox has no page at this address. Its answer is JSON.
        if isOwnPage, answer.status == 404, answer.reason != nil {
            throw Failure(
                .failed,
                "there is no page for codes at \(address); in place of the code, give the address that the TV shows")
        }
        for _ in 0..<Self.maxPages {
            if let redirect = answer.redirect {
                let goesOn = done == .password ? client.server.owns(redirect) : client.server.mayLead(to: redirect)
                guard goesOn else {
                    // A redirect to the app's own address. There are no more pages for the viewer.
                    if done == .password { return "logged in: back to the app" }
                    throw Failure(.failed, "no login form was shown; \(address) redirects to \(redirect)")
                }
                address = redirect
                answer = try client.get(address)
                continue
            }
            let page = WebPage(answer)
            guard let page, ExitCode(status: answer.status) != .tryLater else {
                throw refusal(page, answer, client)
            }
            guard let form = page.form else {
                guard let done, answer.status < 400, page.problem == nil || done == .password else {
                    throw refusal(page, answer, client)
                }
                let isLogin = done == .password || address.path(on: client.server).hasSuffix(Self.endPage)
                return (isLogin ? "logged in: " : "no password was needed: ") + page.heading
            }
            let step = Step(form)
            // The first page has to ask for the code, so that the password goes only to later pages.
            if done == nil, step != .code { throw refusal(nil, answer, client) }
            // A page that is shown again says what was wrong.
            if let done, step <= done { throw refusal(page, answer, client) }
            done = step
            guard let site = ServerURL(of: address), form.action.hasPrefix("/"), !form.action.hasPrefix("//") else {
                throw Failure(.failed, "the form on \(address) has an invalid address: \"\(form.action)\"")
            }
            address = site.origin + form.action
            let fields = try fill(form, for: step).sorted { $0.key < $1.key }
            answer = try client.post(
                address, type: "application/x-www-form-urlencoded",
                Array(fields.map { "\(percentEncoded($0))=\(percentEncoded($1))" }.joined(separator: "&").utf8))
        }
        throw Failure(.failed, "the login did not end after \(Self.maxPages) pages")
    }

    /// The viewer's steps, in the order of the pages.
    enum Step: Int, Comparable {
        case code, consent, provider, password

        init(_ form: WebPage.Form) {
            self =
                if form.asks.contains("password") {
                    .password
                } else if form.providers != nil {
                    .provider
                } else {
                    form.asks.contains("code") ? .code : .consent
                }
        }

        static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
    }

    /// The form's own values and the viewer's input.
    func fill(_ form: WebPage.Form, for step: Step) throws(Failure) -> [String: String] {
        var fields = form.fields
        switch step {
        case .code: fields["code"] = code
        case .consent: break
        case .provider:
            let offered = form.providers ?? []
            guard let provider, offered.contains(provider) else {
                throw Failure(
                    provider == nil ? .usage : .no,
                    (provider.map { "provider \"\($0)\" is not offered" } ?? "--provider is missing")
                        + "; the page offers \(offered.joined(separator: ", "))")
            }
            fields["mvpd"] = provider
        case .password:
            // If the TV and the caller have chosen different providers, the login must not continue.
            if let provider, let chosen = fields["mvpd"], chosen != provider {
                throw Failure(
                    .no, "--provider \(provider): this code is for a login at \(chosen), which was chosen on the TV")
            }
            fields["user"] = user
            fields["password"] = password
        }
        return fields
    }

    /// The error for an answer. Only a page of the sandbox counts as a refusal of the login.
    private func refusal(_ page: WebPage?, _ answer: HTTPClient.Answer, _ client: HTTPClient) -> Failure {
        let code = ExitCode(status: answer.status)
        let words = answer.reason ?? page.map { $0.problem ?? $0.heading }
        guard words != nil || code == .tryLater else {
            return Failure(
                .failed,
                "\(client.server.origin) does not look like a pass-sandbox: \(answer.url) answered \(answer.status)")
        }
        let isNo = page != nil && code != .tryLater && answer.status < 500
        return Failure(isNo ? .no : code, words ?? "\(client.server.origin) answered \(answer.status)")
    }
}

extension String {
    /// The part of an address after the server, up to the query.
    fileprivate func path(on server: ServerURL) -> Substring {
        dropFirst(server.origin.count).prefix { $0 != "?" && $0 != "#" }
    }
}

// A page of the sandbox, in JSON for programs.

struct WebPage {
    struct Form {
        let action: String
        /// The values in the form before the viewer fills it in.
        let fields: [String: String]
        /// The fields that the viewer types.
        let asks: [String]
        let providers: [String]?
    }

    let heading: String
    let problem: String?
    let form: Form?

    init?(_ answer: HTTPClient.Answer) {
        guard let page = answer.json, let heading = page["heading"]?.string else { return nil }
        self.heading = heading
        problem = page["problem"]?.string
        form = page["form"].map { form in
            Form(
                action: form["action"]?.string ?? "",
                fields: Dictionary(
                    (form["fields"]?.object?.members ?? []).map { ($0.name, $0.value.string ?? "") },
                    uniquingKeysWith: { first, _ in first }),
                asks: form["asks"]?.array?.compactMap(\.string) ?? [],
                providers: form["providers"]?.array?.compactMap(\.string))
        }
    }
}
