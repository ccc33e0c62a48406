// The syntax of all configuration files: sections, `key = value`, comments. This parser does not know the meaning of the
// keys. operations.md §2.

import PassProtocol

struct INIText: Equatable, Sendable {
    struct Fault: Equatable, Sendable {
        let line: Int
        let message: String
        /// Whether a section may begin in the unreadable part.
        var mayHideSection = false
    }

    struct Entry: Equatable, Sendable {
        let key: String
        let value: String
        let line: Int
    }

    struct Section: Equatable, Sendable {
        /// The name; nil before the first header and after an unreadable header. Lines after an unreadable header do not belong
        /// to the previous section.
        let name: String?
        let line: Int
        var entries: [Entry] = []
        /// Whether a part of the section is unreadable. If so, the rest may not mean what the author wanted.
        var isDamaged = false
    }

    static let maxLineSize = 16 << 10
    static let maxFaults = 100

    private(set) var sections: [Section] = []
    private(set) var faults: [Fault] = []
    /// The last line at which an unreadable section may begin.
    private(set) var lastHidden: Int?
    private var unreported = 0
    private var hasCarriageReturn = false

    init(_ bytes: [UInt8]) {
        var content = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            content = content.dropFirst(3)
            refuse(1, "the file begins with a byte order mark; save it as UTF-8 without one")
        }
        var number = 0
        for bytes in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard let text = text(of: bytes, number) else { continue }
            let line = text.trimmed
            if line.isEmpty || INIValue.beginsComment(line) { continue }
            if line.utf8.first == UInt8(ascii: "[") { open(line, number) } else { take(line, number) }
        }
        if unreported > 0 { faults.append(Fault(line: number, message: "\(unreported) more lines have errors")) }
    }

    private mutating func text(of bytes: ArraySlice<UInt8>, _ number: Int) -> Substring? {
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\r") {
            bytes = bytes.dropLast()
            if !hasCarriageReturn {
                refuse(number, "the line ends in a carriage return; save the file with Unix line endings")
            }
            hasCarriageReturn = true
        }
        if bytes.count > Self.maxLineSize {
            refuse(number, "the line is longer than \(Self.maxLineSize) bytes", mayHideSection: true)
        } else if bytes.contains(0) {
            refuse(number, "the line contains a NUL byte", mayHideSection: true)
        } else if bytes.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            refuse(number, "the line contains a control character", mayHideSection: true)
        } else if let text = String(validating: bytes, as: UTF8.self) {
            return text[...]
        } else {
            refuse(number, "the line is not valid UTF-8", mayHideSection: true)
        }
        return nil
    }

    private mutating func open(_ line: Substring, _ number: Int) {
        let header = INIValue.withoutComment(Substring(line.unicodeScalars.dropFirst())).unicodeScalars
        guard header.last == "]", !header.dropLast().contains(where: { $0 == "]" || $0 == "[" }) else {
            sections.append(Section(name: nil, line: number))
            return refuse(
                number, "a section starts with [name] on a line of its own", mayHideSection: true)
        }
        let words = Substring(header.dropLast()).words
        guard !words.isEmpty else {
            sections.append(Section(name: nil, line: number))
            return refuse(number, "the section has no name", mayHideSection: true)
        }
        sections.append(Section(name: words.joined(separator: " "), line: number))
    }

    private mutating func take(_ line: Substring, _ number: Int) {
        let mayHideSection =
            sections.isEmpty || line.utf8.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        guard let (before, behind) = line.parted(at: "=") else {
            return refuse(
                number, "this is neither [section], nor key = value, nor a # comment", mayHideSection: mayHideSection)
        }
        let key = String(before.trimmed)
        guard !key.isEmpty, !key.unicodeScalars.contains(where: \.isBlank) else {
            return refuse(
                number, "the key before the = is \(key.isEmpty ? "missing" : "more than one word")",
                mayHideSection: mayHideSection)
        }
        guard let value = INIValue.read(behind.trimmed) else {
            return refuse(
                number, "the value has no closing \", or there is text after the closing \"",
                mayHideSection: mayHideSection)
        }
        if sections.isEmpty {
            sections.append(Section(name: nil, line: 1))
            refuse(number, "\"\(key)\" comes before the first [section]", mayHideSection: true)
        }
        sections[sections.count - 1].entries.append(Entry(key: key, value: value, line: number))
    }

    private mutating func refuse(_ line: Int, _ message: String, mayHideSection: Bool = false) {
        if mayHideSection { lastHidden = line }
        if faults.count < Self.maxFaults {
            faults.append(Fault(line: line, message: message, mayHideSection: mayHideSection))
        } else {
            unreported += 1
        }
        if !sections.isEmpty { sections[sections.count - 1].isDamaged = true }
    }
}
