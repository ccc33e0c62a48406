// The frame of every page: head, landmarks and headers. The headers allow browsers only the features that the pages need.

import PassJSON

struct Page: Sendable {
    /// The look of the page.
    enum Style: Sendable {
        /// The style for viewers: large type that grows on a television.
        case viewer
        /// The style for viewers, with a provider's own look.
        case provider(Provider)
        /// The style for developers.
        case developer
    }

    /// What a notice says about the login.
    enum Mood: String, Sendable { case neutral, good, problem }

    /// A problem with a form, and advice. The page shows both with the form.
    struct Problem: Sendable {
        let title: HTML
        let advice: HTML

        init(_ key: String, count: Int? = nil) {
            title = .say(key + ".title")
            advice = .say(key + ".advice", count: count)
        }
    }

    /// The title of the browser's tab.
    var title: HTML
    var heading: HTML
    /// The problem with the form. The title of the tab begins with the problem's title, so that a screen reader reads it first.
    var problem: Problem?
    var isFailure = false
    var style = Style.viewer
    var form: PageForm?
    var main: HTML
    /// Another address, besides the sandbox itself, for the redirect after a form.
    var formTarget: String?
    /// A switch for testers. The page shows it apart from the viewer's choices.
    var testSwitch = HTML.none

    /// The answer with this page. The server writes the body when it knows the language.
    func response(status: Int = 200, headers: [Field] = []) -> Response {
        var response = Response.html(
            "", status: status, headers: Self.headers(formTarget: formTarget, connects: isForDevelopers) + headers)
        response.page = self
        return response
    }

    /// The page in JSON, for a program that acts for the viewer: heading, problem, and the form.
    func json(in language: Language) -> JSONValue {
        func plain(_ text: HTML) -> JSONValue { .string(text.text(in: language, isMarkup: false)) }
        return .members([
            "heading": plain(heading),
            "problem": problem.map { plain("\($0.title). \($0.advice)") }
                ?? (isFailure ? plain(heading) : JSONValue?.none),
            "form": form?.json,
        ])
    }

    fileprivate func document(in language: Language) -> HTML {
        let tab: HTML = problem.map { .say("errorTitle", ["problem": $0.title, "title": title]) } ?? title
        let startScript: HTML =
            isForDevelopers ? "<script src=\"\(Asset.startScript.address)\" defer></script>\n" : .none
        return HTML(
            file: PackageResources.page_html,
            [
                "language": "\(language.rawValue)", "class": "\(styleClass)", "title": tab,
                "style": "\(Asset.style.address)",
                "providerStyle": providerStyle, "script": "\(Asset.script.address)", "startScript": startScript,
                "header": header, "heading": heading, "main": main, "footer": footer,
            ])
    }

    /// The notice above the form that the page shows again.
    var explanation: HTML {
        guard let problem else { return .none }
        return """
            <div class="notice problem" role="alert" id="problem"><p><strong>\(problem.title).</strong> \
            \(problem.advice)</p></div>
            """
    }

    fileprivate var isForDevelopers: Bool { if case .developer = style { true } else { false } }

    private var styleClass: String {
        switch style {
        case .viewer: "viewer"
        case .provider(let provider): "viewer branded \(provider.look.shape.rawValue)"
        case .developer: "developer"
        }
    }

    private var providerStyle: HTML {
        guard case .provider(let provider) = style else { return .none }
        return """
            <link rel="stylesheet" href="\(provider.look.styleAddress(of: provider))">

            """
    }

    private var header: HTML {
        switch style {
        case .viewer:
            """
            <header><a class="wordmark" href="/activate"><img src="/favicon.svg" alt="" width="32" height="32">\
            <span>\(say: "activate")</span></a></header>
            """
        case .provider(let provider):
            """
            <header><img class="logo" src="\(providerLogoPath(provider))" alt="" width="96" height="96">\
            <p class="provider"><strong>\(provider.name)</strong> <span>\(provider.look.slogan)</span></p></header>
            """
        case .developer:
            """
            <header><a class="wordmark" href="/"><img src="/favicon.svg" alt="" width="32" height="32">\
            <span>pass-sandbox</span></a> <nav aria-label="Pages"><a href="/activate">Activate a TV</a> \
            <a href="/errors">Error codes</a></nav></header>
            """
        }
    }

    private var footer: HTML {
        switch style {
        case .developer: "<footer><p>pass-sandbox: a stand-in for testing. Nothing here is a real account.</p></footer>"
        default:
            """
            <footer><div class="test"><p><strong>\(say: "test.title")</strong> \(say: "test.warning")</p>
            <p><a href="/#providers">\(say: "test.names")</a> \(testSwitch)</p></div></footer>
            """
        }
    }

    /// The headers of each page. The referrer policy is not `no-referrer`, because browsers would then send forms with the
    /// origin `null`. Browsers also omit `Sec-Fetch-Site` if the address is neither https nor loopback. If both headers are
    /// unusable, the sandbox cannot recognise its own forms (Fetch, "append a request Origin header").
    static func headers(formTarget: String? = nil, connects: Bool = false) -> [Field] {
        let targets = (["'self'"] + (formTarget.map { [$0] } ?? [])).joined(separator: " ")
        return [
            Field(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; form-action \(targets); "
                    + "base-uri 'none'; frame-ancestors 'none'" + (connects ? "; connect-src 'self'" : "")),
            Field("X-Content-Type-Options", "nosniff"), Field("Referrer-Policy", "same-origin"),
            Field("Cache-Control", "no-store"),
        ]
    }
}

/// A form, without the viewer's input.
struct PageForm: Sendable {
    var action: String
    var hidden: [Field] = []
    /// The fields that the viewer types.
    var asks: [String] = []
    /// The providers for the viewer's choice. The field is `mvpd`.
    var providers: [String] = []

    /// The attributes of the form's element, and the hidden fields.
    var opening: HTML {
        let fields = hidden.map { field -> HTML in
            """

            <input type="hidden" name="\(field.name)" value="\(field.value)">
            """
        }
        return """
            method="post" action="\(action)">\(fields)
            """
    }

    fileprivate var json: JSONValue {
        .members([
            "action": .string(action), "fields": .object(hidden.map { .init($0.name, .string($0.value)) }),
            "asks": .array(asks.map(JSONValue.string)),
            "providers": providers.isEmpty ? nil : .array(providers.map(JSONValue.string)),
        ])
    }
}

extension Page {
    /// A page with only a message and a way to continue. The sentences are `KEY.title`, and `KEY.1` and so on.
    static func notice(
        _ key: String, _ values: [String: HTML] = [:], heading: HTML? = nil, mood: Mood = .neutral,
        style: Style = .viewer, paragraphs: Int = 1, _ more: HTML = .none, onward: HTML = .none
    ) -> Page {
        let title = HTML.say(key + ".title", values)
        let texts = (0..<paragraphs).map { "<p>\(say: "\(key).\($0 + 1)", values)</p>\n" as HTML }
        let role: HTML = mood == .problem ? " role=\"alert\"" : .none
        return Page(
            title: title, heading: heading ?? title, isFailure: mood == .problem, style: style,
            main: """
                <div class="notice \(mood.rawValue)"\(role)>
                \(texts)\(more)
                </div>
                \(onward)
                """)
    }

    /// A link with the sentence of this key.
    static func link(_ address: String, _ key: String, isMain: Bool = true) -> HTML {
        "<p class=\"onward\"><a class=\"\(isMain ? "button" : "quiet")\" href=\"\(address)\">\(say: key)</a></p>"
    }
}

extension Response {
    /// Writes the page in the language that the browser asks for. Returns other answers unchanged.
    func written(for request: Request) -> Response {
        guard let page else { return self }
        let language = page.language(for: request)
        var response = self
        response.body = Array(page.document(in: language).text(in: language).utf8)
        response.headers += [
            Field("Content-Language", language.rawValue), Field("Vary", "Accept, Accept-Language"),
        ]
        return response
    }
}

extension Page {
    func language(for request: Request) -> Language {
        isForDevelopers ? .english : Language(accepting: request.header("Accept-Language"))
    }
}

/// A redirect that hides the present address from the next site.
func browserRedirect(to location: String, status: Int) -> Response {
    .redirect(
        to: location, status: status,
        headers: [Field("Referrer-Policy", "same-origin"), Field("Cache-Control", "no-store")])
}

// The text of a page. The language is chosen when the page is written. Interpolated values are escaped, except values of the
// type HTML, so that escaping cannot be forgotten: `"<h1>\(name)</h1>" as HTML`. `\(say: "key")` is a sentence in the viewer's
// language.

struct HTML: ExpressibleByStringInterpolation, Sendable {
    private enum Piece: Sendable {
        case markup(String)
        case plain(String)
        case sentence(String, [String: HTML], count: Int?)
    }

    private var pieces: [Piece] = []

    static let none: HTML = ""

    /// Makes markup from a literal in the source. Only literals become markup.
    init(stringLiteral text: StaticString) { pieces = [.markup(text.description)] }

    init(stringInterpolation interpolation: StringInterpolation) { pieces = interpolation.html.pieces }

    static func plain(_ text: String) -> HTML { "\(text)" }

    static func say(_ key: String, _ values: [String: HTML] = [:], count: Int? = nil) -> HTML {
        var html = HTML.none
        html.pieces = [.sentence(key, values, count: count)]
        return html
    }

    /// The text in a language: with markup, or as plain text without escapes.
    func text(in language: Language = .english, isMarkup: Bool = true) -> String {
        func shown(_ text: String) -> String { isMarkup ? escaped(text) : text }
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .markup(let markup): if isMarkup || markup.utf8.first != UInt8(ascii: "<") { text += markup }
            case .plain(let words): text += shown(words)
            case .sentence(let key, let values, let count):
                var rest = language.sentence(key, count: count)
                while !rest.isEmpty {
                    let (before, after) = rest.cut(at: "{")
                    let (name, end) = after.cut(at: "}")
                    let value = name == "count" ? count.map { "\($0)" as HTML } : values[name]
                    text += shown(before) + (value?.text(in: language, isMarkup: isMarkup) ?? "")
                    rest = end
                }
            }
        }
    }

    /// Makes markup from a file of the package. Each name in double brackets stands for a part. A name that begins with a dot
    /// stands for a sentence. `other` makes the parts that are not in the dictionary.
    init(file: [UInt8], _ parts: [String: HTML], other: (String) -> HTML = { _ in .none }) {
        var (html, rest) = (HTML.none, String(decoding: file, as: UTF8.self))
        while !rest.isEmpty {
            let (before, after) = rest.cut(at: "[[")
            let (name, end) = after.cut(at: "]]")
            html.pieces.append(.markup(before))
            if name.hasPrefix(".") {
                html.pieces.append(.sentence(String(name.dropFirst()), [:], count: nil))
            } else if !name.isEmpty {
                html.pieces += (parts[name] ?? other(name)).pieces
            }
            rest = end
        }
        self = html
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = HTML.none

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: StaticString) { html.pieces.append(.markup(literal.description)) }

        mutating func appendInterpolation(_ text: String) { html.pieces.append(.plain(text)) }

        mutating func appendInterpolation(_ number: Int) { html.pieces.append(.plain(String(number))) }

        mutating func appendInterpolation(_ html: HTML) { self.html.pieces += html.pieces }

        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { html.pieces += part.pieces } }

        mutating func appendInterpolation(say key: String, _ values: [String: HTML] = [:]) {
            html.pieces += HTML.say(key, values).pieces
        }
    }
}

/// Escapes text for use between tags and in quoted attributes. Replaces control characters, and characters that change the
/// writing direction. Otherwise a device's name could change the order of words in a sentence.
private func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&", "<", ">", "\"": out += escapedXML(String(scalar))
        case "'": out += "&#39;"
        case "\n", "\t": out.unicodeScalars.append(scalar)
        default:
            let turnsAround = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            let isControl = scalar.properties.generalCategory == .control
            out.unicodeScalars.append(turnsAround || isControl ? "\u{FFFD}" : scalar)
        }
    }
    return out
}
