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

    /// A problem with a form, and advice. The page shows both with the form.
    struct Problem: Sendable {
        let title: String
        let advice: String

        init(_ title: String, _ advice: String) {
            self.title = title
            self.advice = advice
        }
    }

    /// The title of the browser's tab.
    var title: String
    var heading: String
    /// The problem with the form. The title of the tab begins with the problem's title, so that a screen reader reads it first.
    var problem: Problem?
    var isFailure = false
    var style = Style.viewer
    var form: PageForm?
    var main: HTML
    /// Another address, besides the sandbox itself, for the redirect after a form.
    var formTarget: String?

    func response(status: Int = 200, headers: [Field] = []) -> Response {
        var response = Response.html(
            document.text, status: status,
            headers: Self.headers(formTarget: formTarget, connects: isForDevelopers) + headers)
        response.page = self
        return response
    }

    /// The page in JSON, for a program that acts for the viewer: heading, problem, and the form.
    var json: JSONValue {
        .members([
            "heading": .string(heading),
            "problem": problem.map { .string("\($0.title). \($0.advice)") } ?? (isFailure ? .string(heading) : nil),
            "form": form?.json,
        ])
    }

    private var document: HTML {
        let error: HTML = problem.map { "Error: \($0.title) – " } ?? .none
        let startScript: HTML =
            isForDevelopers ? "<script src=\"\(Asset.startScript.address)\" defer></script>\n" : .none
        return HTML(
            file: PackageResources.page_html,
            [
                "class": "\(styleClass)", "error": error, "title": "\(title)", "style": "\(Asset.style.address)",
                "providerStyle": providerStyle, "script": "\(Asset.script.address)", "startScript": startScript,
                "header": header, "heading": "\(heading)", "main": main, "footer": footer,
            ])
    }

    /// The notice above the form that the page shows again.
    var explanation: HTML {
        guard let problem else { return .none }
        return """
            <div class="notice problem" role="alert" id="problem"><p><strong>\(problem.title).</strong> \(problem.advice)</p></div>
            """
    }

    private var isForDevelopers: Bool { if case .developer = style { true } else { false } }

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
            <span>Activate your TV</span></a></header>
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
            <footer><p>This is a test service. Never type a real password here. \
            <a href="/">Names and passwords for testing</a></p></footer>
            """
        }
    }

    /// The headers of each page. The referrer policy is not `no-referrer`, because browsers would then send forms with the
    /// origin `null`. Browsers also omit `Sec-Fetch-Site` if the address is neither https nor loopback. Without both headers,
    /// the sandbox could not recognise its own forms (Fetch, "append a request Origin header").
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
    /// A page with only a message and a way to continue.
    static func notice(
        _ title: String, heading: String? = nil, problem: Bool = false, style: Style = .viewer, _ text: HTML,
        onward: HTML = .none
    ) -> Page {
        Page(
            title: title, heading: heading ?? title, isFailure: problem, style: style,
            main: """
                <div class="notice\(problem ? " problem" : "")"\(problem ? " role=\"alert\"" as HTML : .none)>
                \(text)
                </div>
                \(onward)
                """)
    }

    static func link(_ address: String, _ words: HTML, isMain: Bool = true) -> HTML {
        "<p class=\"onward\"><a class=\"\(isMain ? "button" : "quiet")\" href=\"\(address)\">\(words)</a></p>"
    }
}

/// A redirect that hides the present address from the next site.
func browserRedirect(to location: String, status: Int) -> Response {
    .redirect(
        to: location, status: status,
        headers: [Field("Referrer-Policy", "same-origin"), Field("Cache-Control", "no-store")])
}

// The text of a page. Interpolated values are escaped, except values of the type HTML, so that escaping cannot be forgotten:
// `"<h1>\(name)</h1>" as HTML`.

struct HTML: ExpressibleByStringInterpolation, Equatable, Sendable {
    let text: String

    static let none: HTML = ""

    /// Makes markup from a literal in the source. Only literals become markup.
    init(stringLiteral text: StaticString) { self.text = text.description }

    init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

    /// Makes markup from a file of the package. Each name in double brackets stands for a part. `other` makes the parts that
    /// are not in the dictionary.
    init(file: [UInt8], _ parts: [String: HTML], other: (String) -> HTML = { _ in .none }) {
        var (text, rest) = ("", String(decoding: file, as: UTF8.self))
        while !rest.isEmpty {
            let (before, after) = rest.cut(at: "[[")
            let (name, end) = after.cut(at: "]]")
            text += before
            if !name.isEmpty { text += (parts[name] ?? other(name)).text }
            rest = end
        }
        self.text = text
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        mutating func appendInterpolation(_ text: String) { self.text += escaped(text) }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
    }
}

/// Escapes text for use between tags and in quoted attributes. Control characters and changes of the writing direction are
/// replaced, because otherwise a device's name could reorder its sentence.
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
