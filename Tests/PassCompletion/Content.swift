// What a shell can offer for a value: the words of a list, files, or nothing.

import PassArguments

/// The kind of a value, if it is known.
enum Content {
    case anything, files, folders
    case words([String])
    /// The values are in a list with this name. The script asks the program for this list.
    case known(String)

    init(_ placeholder: String, known: String?) {
        self =
            switch placeholder {
            case _ where known != nil: .known(known ?? "")
            case "FILE", "PATH": .files
            case "DIR": .folders
            default: listedValues(in: placeholder).map(Self.words) ?? .anything
            }
    }
}

extension Option {
    /// The kind of the value; nil for a switch.
    var content: Content? { value.map { Content($0, known: known) } }
}

extension Operand {
    var content: Content { words.isEmpty ? Content(name, known: known) : .words(words) }
}
