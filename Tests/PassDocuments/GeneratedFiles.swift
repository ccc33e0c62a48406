// The table of all generated files, except for those of the client libraries.

import PassArguments
import PassCLI
import PassCompletion
import PassConfiguration
import PassDaemon
import PassDescription
import PassJSON
import PassProtocol
import PassSandboxCLI
import PassServer

extension GeneratedFile {
    package static let all: [GeneratedFile] =
        manuals + [ProgramSyntax.passd, .passdCLI, .passSandbox].flatMap(completions) + [
            GeneratedFile("Sources/CLibraries/CDescription/openrpc.json", is: description),
            GeneratedFile(DefaultFile.path, is: DefaultFile.text),
            GeneratedFile("docs/monitoring/README.md", parts: ["metrics": Markdown.metrics]),
            GeneratedFile("docs/storage-layouts.md", parts: ["tables": Markdown.tables]),
            GeneratedFile("docs/troubleshooting.md", parts: ["reasons": Markdown.reasons]),
        ]

    private static let manuals = [
        GeneratedFile(
            "docs/man/passd.7",
            parts: [
                "methods": SocketManual.methods, "callbacks": SocketManual.callbacks, "events": SocketManual.events,
                "types": SocketManual.types, "errors": SocketManual.errors, "status codes": SocketManual.statuses,
                "sentences": SocketManual.sentences, "limits": LimitManual.limits, "calls": LimitManual.calls,
            ]),
        GeneratedFile(
            "docs/man/passd.8", parts: ["options": ProgramManual.daemonOptions, "records": JournalManual.records]),
        GeneratedFile(
            "docs/man/passd.conf.5", parts: ["settings": SettingManual.settings]),
        GeneratedFile(
            "docs/man/passd-cli.1",
            parts: [
                "options": ProgramManual.options(ProgramSyntax.passdCLI.options),
                "verbs": ProgramManual.verbs(.passdCLI, withOptions: true),
                "exit status": ProgramManual.exitCodes(.passdCLI),
            ]),
        GeneratedFile(
            "docs/man/pass-sandbox.1",
            parts: [
                "verbs": ProgramManual.verbs(.passSandbox, withOptions: false),
                "options": ProgramManual.sandboxOptions,
                "exit status": ProgramManual.exitCodes(.passSandbox),
            ]),
    ]

    private static var description: String {
        let document = OpenRPCDocument.json(version: PassdVersion.text, denial: Denial.example)
        return String(decoding: JSONWriter.bytes(document), as: UTF8.self) + "\n"
    }

    private static func completions(_ program: ProgramSyntax) -> [GeneratedFile] {
        Shell.allCases.map { shell in
            let file =
                switch shell {
                case .bash: "bash/\(program.name)"
                case .zsh: "zsh/_\(program.name)"
                case .fish: "fish/\(program.name).fish"
                }
            return GeneratedFile("completions/\(file)", is: shell.script(program))
        }
    }
}

extension ProgramManual {
    /// A flag of the daemon names the setting that it overrides. passd.conf(5) has the default.
    fileprivate static var daemonOptions: String {
        options(ProgramSyntax.passd.options) { option in
            let setting = Flag.all.first { $0.option == option }?.setting
            return setting.map { "Overrides \(Roff.bold($0.key)) in [\(Roff.text($0.section))]." } ?? ""
        }
    }

    /// An option means the same for every verb, so it is explained once.
    fileprivate static var sandboxOptions: String {
        let program = ProgramSyntax.passSandbox
        let all = program.verbs.flatMap(\.options) + program.options
        let names = all.map(\.name)
        return options(all.indices.filter { names.firstIndex(of: names[$0]) == $0 }.map { all[$0] })
    }
}
