// What an app shows its viewer: the provider's own words, or a sentence of the box. rpc.md §2, §4; ruling 45.

import PassJSON

public struct ViewerWords: Sendable, Equatable {
    public let display: String
    /// The name of the sentence, if it is the box's. A later release may have more of them.
    public let code: String?

    public init(_ sentence: BoxSentence) {
        display = sentence.text
        code = sentence.rawValue
    }

    public init(provider text: String) {
        display = text
        code = nil
    }

    /// The provider's words if it has any, else the box's.
    public init(provider text: String?, else sentence: BoxSentence) {
        if let text, !text.isEmpty { self.init(provider: text) } else { self.init(sentence) }
    }

    /// Reads what a daemon has sent.
    init?(json: JSONValue?) {
        guard let text = json?["display"]?.string else { return nil }
        display = text
        code = json?["displayCode"]?.string
    }

    /// `when` is the beginning of a sentence that says when the words are present.
    static func members(_ when: String) -> [Member] {
        [
            .optional(
                "display", .string,
                summary: "\(when), for the viewer: the provider's words if it has any, else an English sentence."),
            .optional(
                "displaySource", .enumeration(Source.allCases.map(\.rawValue)),
                summary: "With display: whose words they are."),
            .optional(
                "displayCode", .component(codeComponent),
                summary: "With words of the box: their name, for translations."),
        ]
    }

    public static let codeComponent = Component(
        "DisplayCode", summary: "The name of a sentence that the box has for viewers.",
        schema: .enumeration(BoxSentence.allCases.map(\.rawValue)))

    private enum Source: String, CaseIterable { case provider, box }

    var json: [(String, JSONValue)] {
        let source = code == nil ? Source.provider : .box
        return [("display", .string(display)), ("displaySource", .string(source.rawValue))]
            + (code.map { [("displayCode", .string($0))] } ?? [])
    }
}
