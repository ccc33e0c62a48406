// Tests the languages of the viewer's pages: the choice by the browser, and the sentences of each language.

import PassJSON
import Testing

@testable import PassSandbox

@Suite struct LanguageTests {
    private static let languages = Language.allCases.map(\.rawValue)

    private func visit(_ path: String, _ language: String?) throws -> Response {
        try PageFixture().send(.get(path, language.map { [Field("Accept-Language", $0)] } ?? []))
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("DE-at", "de"), ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
            ("en;q=0.5, fr;q=0.9", "fr"), ("it;q=0.7,es;q=0.7", "it"), ("ja,es;q=0.1", "es"), ("ja, ko", "en"),
            ("*", "en"), ("*;q=0.9, de;q=0.2", "en"), ("de;q=0", "en"), ("de;q=0, it;q=0.001", "it"),
            (" fr-CA ; q=1.0 , de;Q=0.3", "fr"), ("deutsch", "en"), ("en-US,de;q=1", "en"),
            ("de;q=2", "en"), ("de;q=-1", "en"), ("de;q=nan", "en"), ("de;q=1e0", "en"), ("de;q=", "en"),
            ("de;q=.,", "en"),
            (";;;===,,,q=1;q", "en"), ("\u{0}", "en"), ("de;level=1", "en"),
            (String(repeating: "fr,", count: 1000), "en"), ("de," + String(repeating: "x", count: 100_000), "en"),
        ] as [(String?, String)])
    func `the browser's header chooses the language, and the fallback is English`(header: String?, language: String) {
        #expect(Language(accepting: header).rawValue == language)
    }

    @Test(arguments: languages)
    func `a page says in which language it is, and that the header has chosen it`(language: String) throws {
        for (path, accept) in [("/activate", "text/html"), ("/login/x", "text/html"), ("/nothing", "text/html")] {
            let page = try PageFixture().send(
                .get(path, [Field("Accept-Language", language), Field("Accept", accept)]))
            #expect(page.text.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language)\""))
            #expect(page.header("Content-Language") == language)
            #expect(page.header("Vary") == "Accept, Accept-Language")
        }
    }

    @Test func `pages for developers, and programs that ask for no language, get English`() throws {
        for path in ["/", "/errors"] {
            let page = try visit(path, "de")
            #expect(page.header("Content-Language") == "en" && page.text.contains("<html lang=\"en\""))
        }
        let fixture = try PageFixture()
        let json = Field("Accept", "application/json")
        #expect(fixture.send(.get("/activate", [json])).json["heading"] == "Enter the code your TV shows")
        let german = fixture.send(.get("/activate", [json, Field("Accept-Language", "de")]))
        #expect(german.json["heading"] == "Code vom Fernseher eingeben")
    }

    @Test func `a viewer signs in with pages in German`() throws {
        let fixture = try PageFixture()
        let german = [Field("Accept-Language", "de-DE,de;q=0.9,en;q=0.5")]
        let code = fixture.code()
        let choice = fixture.activate(code, german)
        #expect(choice.heading == "Wer ist Ihr TV-Anbieter?")
        #expect(
            choice.text.contains("<strong>Lumen TV</strong> auf <strong>LTV-200 von Lumen Devices</strong> zu sehen."))
        let login = fixture.login(code)
        let wrong = login.submit("ada", "no", nil, german)
        #expect(wrong.title == "Fehler: Benutzername oder Passwort ist falsch – Anmelden – North Cable")
        #expect(wrong.text.contains("Sie haben noch 4 Versuche."))
        for _ in 1...2 { _ = login.submit("ada", "no") }
        #expect(login.submit("ada", "no", nil, german).text.contains("Sie haben noch 1 Versuch."))
        let end = login.submit("ada", "lovelace", nil, german).location
        let last = fixture.send(
            .get("/activated", query: [Field("login", String(end.split(separator: "=")[1]))], german))
        #expect(last.heading == "Sie sind angemeldet")
        #expect(last.text.contains("Weiter am Fernseher: Lumen TV ist angemeldet und macht automatisch weiter."))
    }

    /// The forms of a sentence: itself, or one for each count.
    private func forms(_ value: JSONValue?) -> [String: String] {
        if let text = value?.string { return ["": text] }
        return Dictionary(uniqueKeysWithValues: (value?.members ?? []).map { ($0.name, $0.value.string ?? "") })
    }

    @Test func `every sentence is there in every language, with the same placeholders`() throws {
        let sentences = try #require(Language.sentences.members)
        #expect(sentences.count > 80)
        for sentence in sentences {
            #expect(sentence.value.members?.map(\.name) == Self.languages, "\(sentence.name)")
            let english = forms(sentence.value["en"])
            for language in Self.languages {
                let translated = forms(sentence.value[language])
                #expect(translated.keys.sorted() == english.keys.sorted(), "\(sentence.name) in \(language)")
                for (form, text) in translated {
                    #expect(!text.isEmpty && text == text.trimmed, "\(sentence.name) in \(language)")
                    #expect(!text.contains("<") && !text.contains("'"), "\(sentence.name) in \(language)")
                    #expect(
                        Set(text.pieces("{", "}")) == Set((english[form] ?? "").pieces("{", "}")),
                        "\(sentence.name) in \(language)")
                }
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `a count has the right form`(language: Language) {
        for (count, form) in [(1, "one"), (2, "other"), (4, "other")] {
            let expected = Language.sentences["wrong.advice"]?[language.rawValue]?[form]?.string
            #expect(language.sentence("wrong.advice", count: count) == expected)
        }
        let zero = language == .french ? "one" : "other"
        #expect(
            language.sentence("wrong.advice", count: 0)
                == Language.sentences["wrong.advice"]?[language.rawValue]?[zero]?.string)
    }

    /// A missing sentence would show as its key.
    @Test(arguments: Language.allCases)
    func `no page shows the key of a sentence or a placeholder`(language: Language) throws {
        let fixture = try PageFixture()
        let accept = [Field("Accept-Language", language.rawValue), Field("Accept", "text/html")]
        let keys = (Language.sentences.members ?? []).map(\.name).filter { $0.contains(".") }
        let code = fixture.code("LUMENTV", [Field("mvpd", "NorthCable")])
        let login = fixture.login(fixture.code())
        let pages = [
            fixture.send(.get("/activate", accept)), fixture.activate("?", accept), fixture.activate("K0Q2M4X", accept),
            fixture.activate("ZZZZZZZ", accept), fixture.activate(fixture.code(), accept),
            fixture.send(.get("/activate", query: [Field("code", code)], accept)),
            fixture.send(.get(login.path, accept)), login.submit("ada", "", nil, accept),
            login.submit("ada", "x", nil, accept), login.submit("ada", "x", "guessed", accept),
            fixture.send(.get(login.path + "/cancel", accept)), fixture.send(.get("/login/x", accept)),
            fixture.send(.get("/activated", accept)), fixture.send(.get("/nothing", accept)),
            fixture.send(Request(method: "PUT", path: "/activate", headers: accept)),
            fixture.send(.get("/adobe-services/logout", accept)),
        ]
        for page in pages {
            let words = page.text.replacing("&amp;", with: "&")
            for key in keys { #expect(!words.contains(">\(key)<") && !words.contains("\"\(key)\""), "\(key)") }
            #expect(!words.contains("{") && !words.contains("[["))
            #expect(words.contains("lang=\"\(language.rawValue)\""))
        }
    }
}
