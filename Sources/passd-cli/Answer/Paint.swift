// Adds colours to text if colours are wanted. The width of a text has to be measured before colouring.

struct Paint: Sendable {
    let isOn: Bool

    func good(_ text: String) -> String { painted(text, "32") }
    func doubtful(_ text: String) -> String { painted(text, "33") }
    func bad(_ text: String) -> String { painted(text, "31") }
    func strong(_ text: String) -> String { painted(text, "1") }

    private func painted(_ text: String, _ code: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
