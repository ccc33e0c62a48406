// `export` and `import`: the store as a sealed file that only this device can open.

import Glibc
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let yes = Option(name: "--yes", help: "do not ask whether it is meant")
}

extension Verb {
    static let export = Verb(
        name: "export", summary: "write all logins to a sealed file that only this device can open",
        operands: [Operand("FILE", .optional)],
        details: """
            The default is passd-backup-DATE; - is standard output. An existing file is not overwritten. The file has the \
            logins, the apps' registrations, the selected providers, the key of the device and the logouts that the service \
            has yet to hear of. It is sealed for this device under its present key: another device cannot open it, nor this \
            one once passd-setup seal has given it another key, for the first time or again; export anew then. The \
            configuration is not in it.
            """
    ) { invocation in
        let path = invocation.arguments.operands.first ?? "passd-backup-\(Moment.stamp(invocation.console.now))"
        let result = try await invocation.connect(.admin).call(Export.self)
        let text = result["backup"]?.string ?? ""
        if path == "-" {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let isShown = invocation.console.output.isTerminal
            try invocation.console.write(isShown ? lines.map { String($0).onOneLine }.joined(separator: "\n") : text)
            return Outcome()
        }
        if let fault = NewFile.write(text, to: path) {
            throw Failure(
                .failed, name: "WRITE", "\(path.onOneLine) cannot be written: \(fault).", remedy: "Name another file.")
        }
        let (logins, apps) = (result["logins"]?.int64 ?? 0, result["apps"]?.int64 ?? 0)
        return Outcome(
            data: ["file": .string(path), "logins": .int(logins), "apps": .int(apps)],
            text: "Written to \(path.onOneLine): \(counted(logins, "login")), \(counted(apps, "app")).")
    }

    static let importBackup = Verb(
        name: "import", summary: "replace all logins by those of a file that export has written",
        operands: [Operand("FILE")], options: [.yes],
        details: """
            - is standard input. What was stored since the export is lost: a login that was made since then ends here, and one \
            that was ended since then is back, unless the service knows better. Codes on screens end. Logouts that the \
            service has yet to hear of stay. A file that is damaged, of another device or sealed under another key is refused \
            and changes nothing. Afterwards passd starts anew, and apps have to connect again. On a terminal it asks \
            first; --yes does not ask.
            """
    ) { invocation in
        let path = invocation.arguments.operands[0]
        let text = try BackupFile.read(path)
        guard await isMeant(invocation, path) else {
            throw Failure(.failed, name: "CANCELLED", "Nothing was changed.", remedy: "")
        }
        let result = try await invocation.connect(.admin).call(Import.self, .init(backup: text))
        let isAgain = result["restarts"]?.bool == true
        return Outcome(
            data: result, text: "There \(now(result["logins"]?.int64 ?? 0)).",
            notes: [isAgain ? "passd starts anew with them." : "passd has ended: start it again."])
    }

    private static func isMeant(_ invocation: Invocation, _ path: String) async -> Bool {
        let console = invocation.console
        guard !invocation.arguments.has(.yes), console.canAsk, path != "-" else { return true }
        console.warn("Replace all logins of this device by those of \(path.onOneLine)? [y/N] ")
        let answer = await console.readLine()
        return ["y", "yes"].contains((answer ?? "").lowercased())
    }

    private static func now(_ logins: Int64) -> String {
        (logins == 1 ? "is now " : "are now ") + counted(logins, "login")
    }

    static func counted(_ count: Int64, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}

enum BackupFile {
    /// As much as the largest message can carry.
    private static let most = 64 << 20

    static func read(_ path: String) throws(Failure) -> String {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
            if count == 0 { break }
            bytes += part.prefix(count)
            guard bytes.count <= most else { throw unreadable(path, "it is too large for a backup") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw unreadable(path, "it is not text, so it is no backup or damaged")
        }
        return text
    }

    private static func unreadable(_ path: String, _ reason: String) -> Failure {
        Failure(
            .failed, name: "READ", "\(path.onOneLine) cannot be read: \(reason).",
            remedy: "Give a file that passd-cli export has written.")
    }
}
