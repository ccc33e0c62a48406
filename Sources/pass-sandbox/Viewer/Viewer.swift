// Plays the viewer who has the code: opens a page, fills in its form, and follows to the next page. Forms are
// recognized by their fields, not by their looks.

import PassArguments

struct Viewer {
    /// Nil if the viewer opens an address that has it.
    let code: String?
    /// The address that the TV shows, if the viewer goes there instead of the sandbox's own page.
    let address: String?
    let provider: String?
    let user: String
    let password: String

    private static let mostPages = 12

    private static let endPage = "/activated"

    /// Returns how it ended, with the text of the last page.
    func logIn(_ client: HTTPClient) throws(Failure) -> String {
        var done: Set<Step> = code == nil ? [.code] : []
        let isOwnPage = address == nil
        var address = address ?? client.server.origin + "/activate"
        var answer = try client.get(address)
        // The service itself, whose pages are elsewhere, answers in JSON.
        if isOwnPage, answer.status == 404, answer.body.first == UInt8(ascii: "{") {
            throw Failure(
                .failed,
                "there is no page for codes at \(address); give the address that the TV shows in place of the code")
        }
        for _ in 0..<Self.mostPages {
            if let redirect = answer.redirect {
                let goesOn =
                    done.contains(.password) ? client.server.owns(redirect) : client.server.mayLead(to: redirect)
                guard goesOn else {
                    // A redirect to the app's own address: there are no more pages for the viewer.
                    if done.contains(.password) { return "logged in: back to the app" }
                    throw Failure(.failed, "no login form was shown; \(address) redirects to \(redirect)")
                }
                address = redirect
                answer = try client.get(address)
                continue
            }
            let page = WebPage(String(decoding: answer.body, as: UTF8.self))
            guard ExitCode(status: answer.status) != .tryLater, let (step, form) = nextStep(on: page, done) else {
                guard !done.isEmpty, answer.status < 400, page.alert.isEmpty || done.contains(.password) else {
                    throw refusal(page, answer: answer, client: client, isOwn: !done.isEmpty && !page.alert.isEmpty)
                }
                let isLogin = done.contains(.password) || address.path(on: client.server).hasSuffix(Self.endPage)
                let words = page.heading.isEmpty ? page.title : page.heading
                return (isLogin ? "logged in: " : "no password was needed: ") + words
            }
            // The first page has to ask for the code; the password goes only to the pages that follow it.
            guard !done.isEmpty || step == .code else {
                throw refusal(page, answer: answer, client: client, isOwn: false)
            }
            guard done.insert(step).inserted else { throw refusal(page, answer: answer, client: client, isOwn: true) }
            try checkProvider(form, for: step)
            guard let target = ServerURL.resolve(form.action, against: address) else {
                throw Failure(.failed, "the form on \(address) has an invalid address: \"\(form.action)\"")
            }
            let fields = try fill(form, for: step)
            address = target
            answer = try send(fields, form: form, to: &address, client: client)
        }
        throw Failure(.failed, "the login did not end after \(Self.mostPages) pages")
    }

    enum Step: Hashable { case code, provider, password, consent }

    /// The step that the page's most specific form stands for. After the password, the only step left is to enter it
    /// again.
    func nextStep(on page: WebPage, _ done: Set<Step>) -> (Step, WebPage.Form)? {
        func form(_ asks: (WebPage.Field) -> Bool) -> WebPage.Form? {
            page.forms.first { $0.fields.contains(where: asks) }
        }
        if let form = form({ $0.kind == "password" }) { return (.password, form) }
        if done.contains(.password) { return nil }
        if done.contains(.code), let form = choice(on: page) ?? form(Self.isChoice) { return (.provider, form) }
        if let form = form({ $0.name == "code" && $0.kind != "hidden" }) { return (.code, form) }
        if let form = choice(on: page) ?? form(Self.isChoice) { return (.provider, form) }
        let plain = page.forms.filter { $0.isPost && !$0.fields.contains { $0.kind == "text" } }
        return done.contains(.code) && !done.contains(.consent) ? plain.first.map { (.consent, $0) } : nil
    }

    private static func isChoice(_ field: WebPage.Field) -> Bool { field.name == "mvpd" && field.kind != "text" }

    private func choice(on page: WebPage) -> WebPage.Form? {
        page.forms.first { $0.fields.contains { Self.isChoice($0) && $0.value == provider } }
    }

    /// The provider may have been chosen on the TV: then a login at another one is not what the caller wants.
    private func checkProvider(_ form: WebPage.Form, for step: Step) throws(Failure) {
        guard step == .password, let provider,
            let chosen = form.fields.first(where: { $0.name == "mvpd" && $0.kind == "hidden" })?.value,
            chosen != provider
        else { return }
        throw Failure(.no, "--provider \(provider): this code is for a login at \(chosen), which was chosen on the TV")
    }

    /// The form's own values, with the viewer's filled in.
    func fill(_ form: WebPage.Form, for step: Step) throws(Failure) -> [(String, String)] {
        var fields = form.fields.filter(\.isSentAnyway)
        func write(_ value: String, _ place: Int?) {
            if let place { fields[place].value = value }
        }
        switch step {
        case .code: write(code ?? "", fields.firstIndex { $0.name == "code" })
        case .password:
            let places = fields.indices
            write(password, places.first { fields[$0].kind == "password" })
            write(
                user,
                places.first { fields[$0].autocomplete.contains("username") }
                    ?? places.first { ["text", "email", "tel"].contains(fields[$0].kind) })
        case .provider:
            let offered = form.fields.filter(Self.isChoice)
            guard let wanted = offered.first(where: { $0.value == provider }) else {
                let names = offered.map(\.value).filter { !$0.isEmpty }.joined(separator: ", ")
                throw Failure(
                    provider == nil ? .usage : .no,
                    (provider.map { "provider \"\($0)\" is not offered" } ?? "--provider is missing")
                        + "; the page offers \(names)")
            }
            fields.removeAll { $0.name == "mvpd" }
            fields.append(wanted)
        case .consent: break
        }
        return fields.map { ($0.name, $0.value) }
    }

    private func send(
        _ fields: [(String, String)], form: WebPage.Form, to address: inout String, client: HTTPClient
    ) throws(Failure) -> HTTPClient.Answer {
        let body = fields.map { "\(escaped($0))=\(escaped($1))" }.joined(separator: "&")
        if form.isPost {
            return try client.post(address, type: "application/x-www-form-urlencoded", body)
        }
        address = String(address.prefix { $0 != "?" && $0 != "#" }) + "?" + body
        return try client.get(address)
    }

    /// `isOwn` says whether the page is the sandbox's own; only such pages can refuse a login.
    private func refusal(
        _ page: WebPage, answer: HTTPClient.Answer, client: HTTPClient, isOwn: Bool
    ) -> Failure {
        let code = ExitCode(status: answer.status)
        let words = [page.alert, page.heading, page.title].first { !$0.isEmpty }
        if isOwn || code == .tryLater || answer.reason != nil {
            let isNo = isOwn && code != .tryLater && answer.status < 500
            return Failure(
                isNo ? .no : code,
                answer.reason ?? words ?? "\(client.server.origin) answered \(answer.status)")
        }
        return Failure(
            .failed,
            "\(client.server.origin) does not look like a pass-sandbox: \(answer.url) answered \(answer.status)"
                + (words.map { " and says \"\($0)\"" } ?? ""))
    }
}

extension String {
    /// The part of an address after the server, up to the query.
    fileprivate func path(on server: ServerURL) -> Substring {
        dropFirst(server.origin.count).prefix { $0 != "?" && $0 != "#" }
    }
}

private func escaped(_ text: String) -> String {
    var out = ""
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            out.append(Character(Unicode.Scalar(byte)))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            out += "%" + (digits.count == 1 ? "0" : "") + digits
        }
    }
    return out
}
