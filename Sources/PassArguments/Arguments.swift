// The operands and options of a command line, as the program's syntax defines them.

import PassJSON

package struct Arguments: Sendable {
    package internal(set) var operands: [String] = []
    var values: [String: String] = [:]
    /// The usage of the verb.
    var usage = ""

    /// The value of an option; empty for a switch.
    package subscript(_ option: Option) -> String? { values[option.name] }

    package func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The value of an option, as a number.
    package func number<Number: FixedWidthInteger>(
        _ option: Option, in range: ClosedRange<Number>
    ) throws(Mistake) -> Number? {
        guard let text = self[option] else { return nil }
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Number(text),
            range.contains(number)
        else {
            throw mistake(
                "\(option.name) \(text) is not a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Makes a mistake. The remedy is the usage of the verb.
    package func mistake(_ message: String) -> Mistake { Mistake(message, remedy: "Usage: \(usage).") }
}

/// A wrong command line: a sentence about the mistake, and a sentence with the correct form.
package struct Mistake: Error, Equatable, CustomStringConvertible {
    package let message: String
    package let remedy: String

    package init(_ message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// Makes a mistake about an unknown word. If there is a similar known word, the remedy suggests it.
    package init(_ message: String, _ word: String, among known: [String], else remedy: String) {
        self.init(message, remedy: Spelling.nearest(to: word, among: known).map { "Did you mean \($0)?" } ?? remedy)
    }

    package var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}
