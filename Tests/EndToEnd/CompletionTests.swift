// Tests the completion scripts of all programs in their shells.

import PassTestTools
import Testing

@Suite struct CompletionTests {
    static let words: [(line: String, wanted: [String])] = [
        ("passd-cli st", ["status"]),
        ("passd-cli pre", ["preauthorize"]),
        ("passd-cli pro", ["profiles", "providers"]),
        ("passd-cli xyz", []),
        ("passd-cli --json --requestor status ch", ["check"]),
        ("passd-cli --js", ["--json"]),
        ("passd-cli --no", ["--no-color"]),
        ("passd-cli login --no", ["--no-color", "--no-qr", "--no-wait"]),
        ("passd-cli check --no", ["--no-color"]),
        ("passd-cli login --json --p", ["--provider"]),
        ("passd-cli login --provider ", []),
        ("passd-cli login --provider st", []),
        ("passd-cli login --provider NorthCable --no-q", ["--no-qr"]),
        ("passd-cli authorize st", []),
        ("passd-cli preauthorize lumen-sports-1 st", []),
        ("passd-cli policy ", ["explain"]),
        (
            "passd-cli config show --",
            [
                "--changed", "--help", "--instance", "--json", "--no-color", "--requestor", "--socket",
                "--timeout", "--version",
            ]
        ),
        ("passd-cli why st", []),
        ("passd-cli complete re", ["requestors", "resources"]),
        ("passd-cli policy explain --u", ["--uid", "--unit"]),
        ("passd-cli policy --json explain getAuthori", ["getAuthorization"]),
        ("passd-cli call passd.rel", ["passd.reload"]),
        ("passd-cli call passd.reload passd.re", []),
        ("passd-cli describe rpc", ["rpc.discover"]),
        ("passd-cli describe rpc.discover rpc", []),
        ("passd-cli metadata ", ["authentication", "authorization", "device-id"]),
        ("passd-cli completion ", ["bash", "fish", "zsh"]),
        ("passd-cli login --qr l", ["light"]),
        ("passd-cli help des", ["describe"]),
        ("passd-cli --socket completions/ba", ["completions/bash"]),
        ("passd-cli import Config/passd.c", ["Config/passd.conf"]),
        ("passd-cli import --y", ["--yes"]),
        ("passd-cli -- ", []),
        ("passd-cli login -- --", []),
        ("passd-cli call -- passd.re", []),
        ("passd --ch", ["--check-config"]),
        ("passd --protocol ", ["v1", "v2"]),
        ("passd --log-level w", ["warning"]),
        ("passd --config Config/passd.c", ["Config/passd.conf"]),
        ("passd --state-dir Config/", ["Config/apps.d", "Config/sandbox"]),
        ("passd --backend ", []),
        ("passd se", []),
        ("pass-sandbox ", ["box", "help", "log-in", "serve", "service-token", "statement", "verify"]),
        ("pass-sandbox serve --tls", ["--tls-cert", "--tls-key"]),
        ("pass-sandbox serve --catalog Config/sandbox/c", ["Config/sandbox/catalog.json"]),
        ("pass-sandbox log-in --p", ["--password", "--provider"]),
        ("pass-sandbox statement ", []),
        ("pass-sandbox verify --server http://127.0.0.1:8642 --re", ["--resource"]),
        ("pass-sandbox help ver", ["verify"]),
        ("pass-sandbox box --p", ["--passd", "--protocol", "--public-url"]),
        ("pass-sandbox box --protocol ", ["v1", "v2"]),
        ("pass-sandbox box --directory Config/", ["Config/apps.d", "Config/sandbox"]),
    ]

    /// Completes a line that is split as in bash, where `=` and `:` are separate words.
    private func complete(inBash line: String) throws -> [String] {
        let script = """
            source completions/bash/$1
            COMP_WORDS=("${@:3}") COMP_CWORD=$(($# - 3)) COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
            $2
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let words = line.split(separator: " ", omittingEmptySubsequences: false).flatMap { word in
            word.split(separator: ":").flatMap { [":", String($0)] }.dropFirst() + (word.isEmpty ? [""] : [])
        }
        let ending = try ChildProcess.run(
            [
                "bash", "--norc", "-c", script, "bash", words[0],
                "_" + words[0].split(separator: "-").joined(separator: "_"),
            ]
                + words, folder: repository)
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
        return ending.output.split(separator: "\n").map(String.init).sorted()
    }

    @Test(arguments: words)
    func `bash completes what the command accepts, and guesses nothing else`(line: String, wanted: [String]) throws {
        let found = try complete(inBash: line)
        #expect(found == wanted)
    }

    @Test(arguments: [
        (["passd-cli", "login", ""], ["--json", "--no-wait", "--provider"]),
        (["passd-cli", "metadata", "zip", ""], ["--resource"]), (["passd", ""], ["--config", "--help"]),
    ])
    func `bash shows the options where only options are valid`(words: [String], wanted: [String]) throws {
        let found = try complete(inBash: words.joined(separator: " "))
        #expect(Set(wanted).isSubset(of: found))
        #expect(found.allSatisfy { $0.hasPrefix("--") })
    }

    @Test(arguments: [
        (" =:", ["passd-cli", "--socket", "=", "completions/ba"], ["completions/bash"]),
        (" =:", ["passd", "--protocol", "="], ["v1", "v2"]),
        (" :", ["passd", "--protocol=v"], ["--protocol=v1", "--protocol=v2"]),
        (" =:", ["passd-cli", "--json", "=", "x"], []), (" =:", ["passd", "--bogus", "=", "x"], []),
    ])
    func `bash completes a value behind an equals sign, also where bash makes the sign a separate word`(
        breaks: String, words: [String], wanted: [String]
    ) throws {
        let script = """
            source completions/bash/$1
            COMP_WORDBREAKS=$3 COMP_WORDS=("${@:4}") COMP_CWORD=$(($# - 4))
            $2
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let function = "_" + words[0].split(separator: "-").joined(separator: "_")
        let ending = try ChildProcess.run(
            ["bash", "--norc", "-c", script, "bash", words[0], function, breaks] + words, folder: repository)
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
        #expect(ending.output.split(separator: "\n").map(String.init).sorted() == wanted)
    }

    @Test(arguments: words)
    func `fish offers the same completions`(line: String, wanted: [String]) throws {
        let program = String(line.prefix { $0 != " " })
        let ending = try ChildProcess.run(
            ["fish", "--no-config", "-c", "source completions/fish/$argv[1].fish; complete --do-complete $argv[2]"]
                + [program, line], folder: repository)
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
        let found = ending.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        // The shell marks folders with a slash.
        #expect(found.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.sorted() == wanted)
    }

    @Test(arguments: ["passd-cli", "passd", "passd-setup", "pass-sandbox"])
    func `every shell can read its script`(program: String) throws {
        for words in [
            ["bash", "-n", "completions/bash/\(program)"], ["zsh", "-n", "completions/zsh/_\(program)"],
            ["fish", "--no-config", "--no-execute", "completions/fish/\(program).fish"],
        ] {
            let ending = try ChildProcess.run(words, folder: repository)
            #expect(ending.status == 0 && ending.output.isEmpty && ending.errors.isEmpty, "\(ending.errors)")
        }
    }
}
