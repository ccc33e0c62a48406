// Tests clients/sentences.json, which has the sentences of the daemon and the texts of the screens for signing in.

import FoundationEssentials
import PassJSON
import PassProtocol
import Testing

private let repository = String(#filePath.dropLast("Tests/PassProtocolTests/SentenceTests.swift".count))

@Suite struct SentenceTests {
    private static let document =
        (try? JSONReader.read([UInt8](Data(contentsOf: URL(filePath: repository + "clients/sentences.json"))))) ?? .null
    private static let languages = document["languages"]?.array?.compactMap(\.string) ?? []

    private func texts(_ group: String) -> [(name: String, texts: JSONValue)] {
        Self.document[group]?.object?.members.map { ($0.name, $0.value) } ?? []
    }

    private func names(_ list: String) -> Set<String> {
        Set(Self.document[list]?.array?.compactMap(\.string) ?? [])
    }

    private func placeholders(_ text: String) -> Set<Substring> {
        Set(text.matches(of: /\{\w+\}/).map(\.output))
    }

    /// How many characters a text may have. A button of Kodi's dialog is narrow, a title of Kodi's dialogs has room for forty
    /// letters, and 120 letters are two lines of a hint on the toy TV, which has 34 em.
    private func limit(_ name: String) -> Int {
        names("buttons").contains(name) ? 28 : names("titles").contains(name) ? 40 : 120
    }

    @Test(arguments: ["sentences", "screens", "kodiScreens"])
    func
        `every text is there in every language, is short, and has the placeholders and the punctuation of the English text`(
            group: String
        ) throws
    {
        #expect(Self.languages == ["en", "es", "fr", "de", "pt", "it"])
        #expect(!texts(group).isEmpty)
        for (name, texts) in texts(group) {
            #expect(texts.object?.members.map(\.name) == Self.languages, "\(name)")
            let english = try #require(texts["en"]?.string)
            for language in Self.languages {
                let text = try #require(texts[language]?.string)
                #expect((1...limit(name)).contains(text.count), "\(name) \(language): \(text.count)")
                #expect(placeholders(text) == placeholders(english), "\(name) \(language)")
                let ends = [text, english].map { $0.last.flatMap { ".,?…".contains($0) ? $0 : nil } }
                #expect(ends[0] == ends[1], "\(name) \(language)")
                #expect(
                    text.allSatisfy { !$0.isNewline } && text.first != " " && text.last != " ", "\(name) \(language)")
            }
        }
    }

    @Test func `ruling 45: the daemon has each sentence in each language`() {
        #expect(texts("sentences").map(\.name) == BoxSentence.allCases.map(\.rawValue))
        for (name, texts) in texts("sentences") {
            for language in Self.languages {
                #expect(
                    BoxSentence(rawValue: name)?.text(in: language) == texts[language]?.string, "\(name) \(language)")
            }
        }
    }

    @Test(
        arguments: [
            ("de-AT", "de"), ("DE", "de"), ("pt-BR", "pt"), ("zh-Hant-TW", "en"), ("", "en"), ("d", "en"),
            ("deu", "en"),
            ("-de", "en"), (nil, "en"),
        ] as [(String?, String)])
    func `a tag means the language of its first subtag, or else English`(tag: String?, language: String) {
        for sentence in BoxSentence.allCases { #expect(sentence.text(in: tag) == sentence.text(in: language)) }
    }

    @Test func `Kodi's numbers are different, and each has a text`() {
        let numbers = Self.document["kodi"]?.object?.members ?? []
        #expect(Set(numbers.map { $0.value.int64 }).count == numbers.count)
        let named = Set((texts("screens") + texts("kodiScreens")).map(\.name))
        #expect(numbers.allSatisfy { named.contains($0.name) } && !numbers.isEmpty)
    }
}
