// Tests completion that asks a running daemon, in real shells.

import FoundationEssentials
import Glibc
import PassCompletion
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@Suite("rpc.md §6: completion asks the daemon") struct KnownWordTests {
    private static let scripts: KeyValuePairs = [
        Shell.bash: """
        source completions/bash/passd-cli
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
        _passd_cli
        printf '%s\\n' "${COMPREPLY[@]}"
        """,
        // These replace zsh's own functions and its line editor.
        .zsh: """
        compdef() { : }
        compadd() { shift; print -rl -- ${(P)1} }
        source completions/zsh/_passd-cli
        before=("${@[1,-2]}")
        case $before[-1] in
            --requestor) _passd_cli_ask requestors ;;
            --provider) _passd_cli_ask providers ;;
            *) _passd_cli_ask resources ;;
        esac
        """,
        .fish: "source completions/fish/passd-cli.fish; complete --do-complete \"$argv\"",
    ]

    private func complete(_ words: [String], in shell: Shell, _ box: RunningBox) throws -> [String] {
        let script = Self.scripts.first { $0.key == shell }?.value ?? ""
        let start =
            switch shell {
            case .bash: ["bash", "--norc", "-c", script, "bash"]
            case .zsh: ["zsh", "-f", "-c", script, "zsh"]
            case .fish: ["fish", "--no-config", "-c", script]
            }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let ending = try ChildProcess.run(
            start + words, folder: repository,
            environment: [
                "PATH": RunningBox.builds + ":" + path, "PASSD_SOCKET": box.socket,
                "PASSD_ADMIN_SOCKET": box.adminSocket, "PASSD_REQUESTOR": "",
            ])
        #expect(ending.errors.isEmpty, "\(ending.errors)")
        return ending.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test func `requestors, providers and resources that the daemon remembers, in every shell`() throws {
        let box = try RunningBox()
        let (app, news) = (try box.app("LUMENTV"), try box.app("NEWS24"))
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        // The shell must not expand or run any part of a resource's name.
        let odd = "urn:tv:$(touch\u{A0}x);'`y`\""
        for resource in ["lumen-sports-1", "lumen-sports-2", odd, "two words"] {
            _ = try? app.call("checkAuthorization", ["resource": .string(resource)])
        }
        _ = try? news.call("checkAuthorization", ["resource": "news-1"])
        for shell in Shell.allCases {
            // If the daemon needs over 200 ms, the shell offers nothing.
            func offers(_ line: String..., where areRight: ([String]) -> Bool) throws -> Bool {
                try becomesTrue { areRight(try complete(["passd-cli"] + line, in: shell, box).sorted()) }
            }
            let requestors = ["LUMENKIDS", "LUMENTV"] + (shell == .zsh ? ["NEWS24", "SUMMITTV"] : [])
            #expect(try offers("login", "--requestor", shell == .zsh ? "" : "LUM") { $0 == requestors }, "\(shell)")
            #expect(try offers("login", "--provider", "") { $0.contains("NorthCable") }, "\(shell)")
            #expect(
                try complete(["passd-cli", "--requestor", "SUMMITTV", "login", "--provider", ""], in: shell, box)
                    .isEmpty, "\(shell)")
            // If the named instance is not running, the default daemon is not asked instead.
            for instance in [["--instance", "room1"], ["--instance=room1"]] {
                let line = ["passd-cli"] + instance + ["login", "--provider", ""]
                #expect(try complete(line, in: shell, box).isEmpty, "\(shell)")
            }
            let areRight = try offers("--requestor=LUMENTV", "authorize", shell == .zsh ? "" : "lumen-") {
                $0.contains("lumen-sports-1") && $0.contains("lumen-sports-2") && !$0.contains("news-1")
                    && !$0.contains("two words")
            }
            #expect(areRight, "\(shell)")
            #expect(try offers("preauthorize", "one", "") { $0.contains("news-1") }, "\(shell)")
        }
        // Bash reads the completion back as the same word. The beginning of the word is already on the line.
        let quoted = try complete(["passd-cli", "authorize", "urn", ":", "tv", ":"], in: .bash, box)
        #expect(quoted.isEmpty, "a name with a blank cannot be typed: \(quoted)")
        try? _ = app.call("checkAuthorization", ["resource": "urn:tv:$(touch-x);'`y`"])
        #expect(
            try becomesTrue {
                try complete(["passd-cli", "authorize", "urn", ":", "tv", ":"], in: .bash, box)
                    == [#"\$\(touch-x\)\;\'\`y\`"#]
            })
    }

    @Test func `without a daemon the shell offers nothing and prints nothing, at once`() throws {
        let box = try RunningBox()
        try box.kill()
        for shell in Shell.allCases {
            #expect(try complete(["passd-cli", "login", "--provider", ""], in: shell, box).isEmpty)
        }
        // A daemon that is stopped by a signal does not answer.
        try box.start()
        box.daemon.signal(SIGSTOP)
        let beforeStart = ContinuousClock.now
        _ = try box.cli(["--version"])
        let began = ContinuousClock.now
        let ending = try box.cli(["complete", "providers"])
        let (usual, time) = (beforeStart.duration(to: began), began.duration(to: .now))
        box.daemon.signal(SIGCONT)
        #expect(ending.status == 0 && ending.output.isEmpty && ending.errors.isEmpty)
        // On a busy machine, each program starts slowly.
        #expect(time < .seconds(3) + usual * 10)
    }
}
