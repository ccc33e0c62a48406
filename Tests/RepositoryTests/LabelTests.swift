// Tests that no function takes three or more arguments without a label, so that calls read as sentences. Operators
// cannot have labels.

import FoundationEssentials
import Testing

private let sources = String(#filePath.dropLast("Tests/RepositoryTests/LabelTests.swift".count)) + "Sources"

@Suite struct LabelTests {
    @Test func `no function takes more than two arguments without a label`() throws {
        var functions = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: sources + "/" + path, encoding: .utf8)
            for parameters in Self.parameterLists(of: text) {
                functions += 1
                let unlabelled = parameters.count { $0.hasPrefix("_ ") }
                #expect(unlabelled <= 2, "\(path): (\(parameters.joined(separator: ", ")))")
            }
        }
        #expect(functions > 2000)
    }

    @Test(
        arguments: [
            ("func f(_ a: Int, b: String)", ["_ a: Int", "b: String"]),
            ("init(_ a: [Int: (Int, Int)]) {", ["_ a: [Int: (Int, Int)]"]),
            ("init?<T>(_ a: T,\n  _ b: () -> Void)", ["_ a: T", "_ b: () -> Void"]), ("func f() {", []),
            ("func `a name`<T: P>(_ a: Set<T>, _ b: Int = 1)", ["_ a: Set<T>", "_ b: Int = 1"]),
            ("self.init(a, b)", nil),
            ("let a = .init(b)", nil), ("func + (_ a: Int, _ b: Int)", ["_ a: Int", "_ b: Int"]),
        ] as [(String, [String]?)])
    func `parameters are found`(text: String, parameters: [String]?) {
        #expect(Self.parameterLists(of: text).first == parameters)
    }

    /// The parameters of each declaration of a function or an initialiser, as written.
    private static func parameterLists(of text: String) -> [[String]] {
        var lists: [[String]] = []
        for line in text.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            guard !code.hasPrefix("//"), let name = declaredName(in: code),
                let opening = text[name.endIndex...].firstIndex(of: "(")
            else { continue }
            lists.append(parameters(of: text, from: text.index(after: opening)))
        }
        return lists
    }

    /// The name after `func`, or `init` if it is declared and not called.
    private static func declaredName(in code: Substring) -> Substring? {
        let words = code.split(separator: " ")
        if let keyword = words.firstIndex(of: "func"), keyword + 1 < words.count, !words[..<keyword].contains("=") {
            return words[keyword + 1].prefix { $0 != "(" && $0 != "<" }
        }
        let modifiers: Set<Substring> = [
            "public", "package", "private", "fileprivate", "convenience", "required", "nonisolated", "@EngineActor",
        ]
        guard let word = words.first(where: { !modifiers.contains($0) }),
            ["init(", "init?(", "init<", "init?<"].contains(where: word.hasPrefix)
        else { return nil }
        return word.prefix(4)
    }

    private static func parameters(of text: String, from start: String.Index) -> [String] {
        var (found, current, depth, last): ([String], String, Int, Character) = ([], "", 0, " ")
        for character in text[start...] {
            switch character {
            case "(", "[", "<", "{": depth += 1
            case ">" where last == "-": break
            case ")" where depth == 0:
                found.append(current)
                return found.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter {
                    !$0.isEmpty
                }
            case ")", "]", ">", "}": depth -= 1
            default: break
            }
            if character == ",", depth == 0 {
                found.append(current)
                current = ""
            } else {
                current.append(character)
            }
            last = character
        }
        return found
    }
}
