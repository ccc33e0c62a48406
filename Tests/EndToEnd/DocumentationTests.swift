// Tests the documentation: the printed sessions run, and no page names an option that does not exist.

import FoundationEssentials
import PassArguments
import PassTestTools
import Testing

@testable import PassSandbox
@testable import PassSandboxCLI

@Suite struct DocumentationTests {
    private func page(_ path: String) throws -> String {
        try String(contentsOfFile: repository + path, encoding: .utf8)
    }

    /// The fenced blocks between the markers, in order.
    private func script(_ path: String, _ name: String) throws -> String {
        var script: [Substring] = []
        var isInside = false
        var isCode = false
        for line in try page(path).split(separator: "\n", omittingEmptySubsequences: false) {
            switch line {
            case "<!-- \(name):begin -->": isInside = true
            case "<!-- \(name):end -->": isInside = false
            case "```sh", "   ```sh": isCode = isInside
            case "```", "   ```": isCode = false
            default: if isCode { script.append(line) }
            }
        }
        return script.joined(separator: "\n")
    }

    @Test func `the curl commands of the page lead from the software statement to a verified media token`() throws {
        let script = try script("docs/rest-walk.md", "walk")
        #expect(script.split(separator: "\n").count > 20)
        // The throttle is on, because a client that follows the page must not be slowed down.
        let sandbox = try RunningSandbox(throttled: true)
        let ending = try ChildProcess.run(
            ["bash", "-euo", "pipefail", "-c", script], environment: ["SANDBOX": sandbox.origin])
        #expect(ending.status == 0, "\(ending.errors)")
        let lines = ending.output.split(separator: "\n")
        #expect(lines.count == 4, "\(ending.output)")
        #expect(lines.first?.hasPrefix("The TV shows ") == true)
        #expect(lines.dropFirst().first == "The page says: You are signed in")
        #expect(lines.dropFirst(2).first == "Logged in at NorthCable")
        #expect(lines.last == "VALID_TOKEN")
    }

    @Test func `a media token is checked with openssl as the page says`() throws {
        let walk = try script("docs/rest-walk.md", "walk").split(separator: "RESULT=").first.map(String.init) ?? ""
        let check = try script("docs/sandbox.md", "media")
        #expect(check.contains("openssl dgst"))
        let sandbox = try RunningSandbox()
        for (spoil, verdict) in [
            ("", "Verified OK"), ("MEDIA=$(printf '%s' \"$MEDIA\" | base64 -d | ", "Verification failure"),
        ] {
            let bend = spoil.isEmpty ? "" : spoil + "sed 's/lumen-sports-1/lumen-sports-2/' | base64 -w0)\n"
            let ending = try ChildProcess.run(
                ["bash", "-euo", "pipefail", "-c", walk + "\n" + bend + check],
                environment: ["SANDBOX": sandbox.origin])
            #expect(ending.output.split(separator: "\n").contains { $0 == verdict }, "\(ending)")
            #expect((ending.status == 0) == spoil.isEmpty)
        }
    }

    @Test func `the session with socat and jq leads to a media token`() throws {
        let script = try script("docs/write-an-app.md", "session")
        let box = try DeveloperBox()
        let ending = try ChildProcess.run(
            ["env", "bash", "-euo", "pipefail", "-c", script], folder: repository, environment: box.variables)
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
        #expect(ending.output.contains(#""authenticated":false"#))
        #expect(ending.output.contains(#""authorized":true,"resource":"lumen-sports-1","token":""#))
        #expect(ending.output.hasSuffix("passd.hello\npassd.whoami\npassd.subscribe\n"), "\(ending.output)")
        // The viewer is still signed in, so there is no code.
        let again = try ChildProcess.run(
            ["env", "timeout", "60", "bash", "-euo", "pipefail", "-c", script], folder: repository,
            environment: box.variables)
        #expect(again.status == 0 && again.output.contains(#""authorized":true"#), "\(again.output) \(again.errors)")
    }

    @Test(arguments: ["README.md", "docs/write-an-app.md", "docs/sandbox.md"])
    func `the pages name only options that exist`(path: String) throws {
        let known = Set(ProgramSyntax.passSandbox.allOptions.map(\.name)).union(["--help", "--version"])
        var named: Set<String> = []
        for line in try page(path).split(separator: "\n") where !line.contains("curl") && !line.hasPrefix("    -d") {
            for word in line.split(whereSeparator: { !($0.isLetter || $0 == "-") }) {
                if word.hasPrefix("--"), word.dropFirst(2).first?.isLetter == true { named.insert(String(word)) }
            }
        }
        // Options of other programs on the pages.
        let others: Set = [
            "--data-urlencode", "--arg", "--argjson", "--backend", "--socket", "--state-dir", "--allow-same-user",
            "--config", "--check-config", "--requestor", "--instance",
        ]
        #expect(named.subtracting(known).subtracting(others).isEmpty)
        if path == "docs/sandbox.md" { #expect(known.subtracting(named).isEmpty, "not described") }
    }

    @Test func `the reference names every switch of the catalogue`() throws {
        let reference = try page("docs/sandbox.md")
        #expect(Settings.names.count > 10)
        for name in Settings.names { #expect(reference.contains("`\(name)`"), "\(name)") }
    }

    @Test func `the reference names every control`() throws {
        let reference = try page("docs/sandbox.md")
        for path in Set(controlEndpoints.map { "/" + $0.path.map(\.text).joined(separator: "/") }) {
            #expect(reference.contains(path), "\(path)")
        }
    }

    @Test func `the reference names every exit code`() throws {
        let reference = try page("docs/sandbox.md")
        for (code, meaning) in ProgramSyntax.passSandbox.exitCodes {
            #expect(reference.contains("| \(code) | \(meaning) |"), "\(code)")
        }
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md", "docs/README.md", "docs/write-an-app.md", "docs/sandbox.md"])
    func `links within the repository have a target`(path: String) throws {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        for piece in try page(path).split(separator: "](").dropFirst() {
            let target = piece.prefix { $0 != ")" && $0 != "#" }
            guard !target.isEmpty, !target.contains("://") else { continue }
            #expect(FileManager.default.fileExists(atPath: repository + folder + "/" + target), "\(target)")
        }
    }
}

extension Endpoint.Part {
    fileprivate var text: String {
        switch self {
        case .word(let word): word
        case .name(let name): "{\(name)}"
        }
    }
}
