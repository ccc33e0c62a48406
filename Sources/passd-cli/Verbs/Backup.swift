// `export` and `import`: the store as a sealed file that only this device can open.

import Glibc
import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let yes = Option("--yes", help: "do not ask for confirmation")
}

extension Verb {
    static let export = Verb(
        "export", "write all logins to a sealed file that only this device can open",
        operands: [Operand("FILE", .optional)],
        details: """
            The default FILE is passd-backup-DATE; - is standard output. passd-cli does not overwrite an existing \
            file. The file has the logins, the apps' registrations, the selected providers, the device's key, and the \
            logouts that passd still has to report to the service. The file is sealed with a key of this device. If an \
            operator makes a new key with the command "passd-setup seal", this device cannot open older files any more.
            """
    ) { invocation in
        let path = invocation.arguments.operands.first ?? "passd-backup-\(Moment.stamp(invocation.console.now))"
        let result = try await invocation.ask(Export.self)
        let text = result["backup"]?.string ?? ""
        if path == "-" {
            try invocation.console.write(invocation.console.output.isTerminal ? text.onTheirLines : text)
            return Outcome()
        }
        try OutputFile.create(path, with: text)
        let (logins, apps) = (result["logins"]?.int64 ?? 0, result["apps"]?.int64 ?? 0)
        return Outcome(
            data: ["file": .string(path), "logins": .int(logins), "apps": .int(apps)],
            text: "Written to \(path.onOneLine): \(counted(logins, "login")), \(counted(apps, "app")).")
    }

    static let importBackup = Verb(
        "import", "replace all logins with the logins in a file that export has written",
        operands: [Operand("FILE")], options: [.yes],
        details: """
            If FILE is -, reads standard input. Changes since the export are lost. Logins from after the export are removed \
            from this device. Logins that ended after the export come back, unless the service rejects them. passd \
            still reports pending logouts to the service. After an import, passd restarts, and apps have to connect again. \
            If FILE is damaged, from another device, or sealed with another key, nothing changes. On a terminal, passd-cli \
            asks first, unless --yes is given.
            """
    ) { invocation in
        let path = invocation.arguments.operands[0]
        let text = try read(path)
        guard await isMeant(invocation, path) else {
            throw Failure(.failed, name: "CANCELLED", "Nothing was changed.", remedy: "")
        }
        let result = try await invocation.ask(Import.self, .init(backup: text))
        let logins = result["logins"]?.int64 ?? 0
        return Outcome(
            data: result, text: "There \(logins == 1 ? "is" : "are") now \(counted(logins, "login")).",
            notes: [
                result.holds("restarts") ? "passd restarts with these logins." : "passd has ended: start it again."
            ])
    }

    private static func isMeant(_ invocation: Invocation, _ path: String) async -> Bool {
        let console = invocation.console
        guard !invocation.arguments.has(.yes), console.canAsk, path != "-" else { return true }
        console.warn("Replace all logins of this device by those of \(path.onOneLine)? [y/N] ")
        let answer = await console.readLine()
        return ["y", "yes"].contains((answer ?? "").lowercased())
    }

    private static func read(_ path: String) throws(Failure) -> String {
        func unreadable(_ reason: String) -> Failure {
            Failure(
                .failed, name: "READ", "\(path.onOneLine) cannot be read: \(reason).",
                remedy: "Give a file that passd-cli export has written.")
        }
        // The max size of a message. The backup is sent in one message.
        let limit = 64 << 20
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(String(cString: strerror(errno))) }
        defer { close(file) }
        let (bytes, problem) = Descriptor.read(file, limit: limit + 1)
        if let problem { throw unreadable(String(cString: strerror(problem))) }
        guard bytes.count <= limit else { throw unreadable("it is too large for a backup") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw unreadable("it is not text, so it is not a backup, or it is damaged")
        }
        return text
    }
}
