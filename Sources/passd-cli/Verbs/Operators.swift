// The verbs for operators that make one call and print its result.

import Glibc
import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let all = Option(
        "--all", help: "remove the logins of every requestor and provider", excludes: ["--requestor", "--provider"])
    static let limit = Option("--limit", "COUNT", help: "show at most this many decisions; default: 10")
    static let uid = Option("--uid", "UID", help: "the user of the process; default: your user", excludes: ["--pid"])
    static let pid = Option("--pid", "PID", help: "take user and unit from this running process")
    static let unit = Option("--unit", "UNIT", help: "the systemd unit of the process")
    static let origin = Option(
        "--origin", "ORIGIN", help: "the origin of a web app, such as https://news24.example")
    static let appSocket = Option(
        "--app-socket", "NAME", help: "the NAME of the rule socket:NAME, for an app in a container",
        excludes: ["--origin"])
}

extension Operand {
    static let method = Operand("METHOD", words: MethodTable.all.map { $0.definition.name })
}

extension Verb {
    static let status = Verb("status", "show the state of the daemon") {
        let result = try await $0.ask(Status.self)
        return Outcome(data: result, text: Report.status(result, $0.paint), isProse: true)
    }

    static let why = Verb(
        "why", "explain why something was not permitted, and what to do",
        operands: [Operand("RESOURCE|APP|REQUESTOR", .optional, known: "resources")], options: [.limit],
        details: """
            Shows the last decisions; the newest comes last. The list has all plays. It also has menu entries \
            that are not permitted, logins that ended, refused logouts, calls that policy denied, and apps and logins \
            that could not start. Equal \
            decisions are shown once, with the time of the newest. After a restart of the daemon, the list still has the \
            refusals and ended logins of the last seven days, at most 50. For decisions from before the restart, passd \
            has only hashes of the resources, and shows the name of a resource only if you give it as RESOURCE. Instead \
            of a name, you can give the PASSD_RESOURCE_HASH of a journal record. With --requestor, shows only decisions \
            about this requestor. Exits with 3 if there are no decisions to show.
            """
    ) { invocation in
        let (name, requestor) = (invocation.arguments.operands.first, invocation.arguments[.requestor])
        let about = name ?? requestor
        guard about?.isEmpty != true else { throw invocation.arguments.mistake("The name is empty.") }
        let limit = try invocation.arguments.number(.limit, in: 1...Decisions.maxLimit) ?? 10
        // The daemon can search for only one name. If the command line has both a name and a requestor, the requestor is
        // compared here.
        let isNarrowed = name != nil && requestor != nil
        let found = try await invocation.ask(
            Decisions.self, .init(about: about, limit: isNarrowed ? Decisions.maxLimit : limit))
        let ofRequestor = found.list("decisions").filter { !isNarrowed || $0["requestorID"]?.string == requestor }
        let result: JSONValue = isNarrowed ? ["decisions": .array(ofRequestor.suffix(limit))] : found
        guard ofRequestor.isEmpty else {
            return Outcome(data: result, text: Report.decisions(result, invocation.paint), isProse: true)
        }
        return Outcome(
            exit: .no, data: result,
            notes: [
                "passd has no decisions\(about.map { " about \($0)" } ?? "")\(isNarrowed ? " for \(requestor ?? "")" : ""). "
                    + "Earlier decisions are in "
                    + (invocation.sockets.unit.map { "the journal: journalctl -u \($0) PASSD_EVENT=AUTHORIZATION" }
                        ?? "its log, such as passd.log of a developer's box.")
            ])
    }

    static let sessions = Verb(
        "sessions", "list the connected apps",
        details: """
            For each connection, shows the app, the origin of a web app, the client with its version, the user and \
            process, the requestor, the viewer's provider, and the time when the app connected. The last column shows what the app \
            has open: choice (the list of providers), code (a code on the screen), platform (the dialog of the box's \
            TV account), events (a subscription to events), or calls without an answer. Shortened cells end with ~; \
            --json shows everything in full.
            """
    ) {
        let result = try await $0.ask(Sessions.self)
        return Outcome(data: result, text: Report.sessions(result, on: $0.console, $0.paint))
    }

    static let tokens = Verb("tokens", "list the stored logins, without secrets") {
        let result = try await $0.ask(Tokens.self)
        return .table(result, result.list("tokens"), ifNone: "Nothing is stored.", $0.paint)
    }

    static let forget = Verb(
        "forget", "remove logins from this device, but not from the service", options: [.provider, .all],
        details: """
            Select logins with --requestor, --provider or both, or with --all. passd still reports \
            earlier logouts that the service has not accepted yet. Such a report may also end the removed logins at the \
            service.
            """
    ) { invocation in
        let arguments = invocation.arguments
        let params =
            arguments.has(.all)
            ? Forget.Params() : .init(requestorID: invocation.requestor, provider: arguments[.provider])
        guard arguments.has(.all) || params != Forget.Params() else {
            throw Mistake("No logins are selected.", remedy: "Use --requestor ID, --provider ID or --all.")
        }
        let result = try await invocation.ask(Forget.self, params)
        let count = result["forgotten"]?.int64 ?? 0
        let warning = "The service may give this login back; use logout or passd-setup reset."
        return Outcome(
            data: result, text: "Removed \(counted(count, "login")).",
            notes: (count > 0 ? [warning] : []) + undurable(result))
    }

    static let reload = Verb(
        "reload", "reload the configuration",
        details: "If the new configuration has errors, the old one stays in force, and the exit code is 78."
    ) {
        let result = try await $0.ask(Reload.self)
        guard result.holds("applied") else {
            return Outcome(
                exit: .configuration, data: result,
                notes: result.texts("problems") + ["The old configuration stays in force."])
        }
        let (changed, waiting) = (result.texts("changed"), result.texts("waiting"))
        let end = changed.isEmpty ? waiting.isEmpty ? "; nothing has changed." : "; nothing takes effect yet." : "."
        let lines =
            ["The configuration was reloaded\(end)"] + changed.map { "changed  \($0)" }
            + waiting.map { "waits for a restart  \($0)" }
        return Outcome(
            data: result, text: lines.joined(separator: "\n"), isProse: true, notes: result.texts("problems"))
    }

    static let policyExplain = Verb(
        "policy explain", "show whether policy allows a process to make a call, and by which rule", operands: [.method],
        options: [.uid, .pid, .unit, .appSocket, .origin],
        details: """
            With --requestor, the call is for that requestor. If policy allows the call, the answer lists all apps \
            that match. If policy denies the call, the exit code is 3. The answer then names the app that lists the \
            requestor, and says why the rules of this app do not match. Run as root, the command also says if the process is \
            in another mount namespace, as apps in containers are.
            """
    ) { invocation in
        let arguments = invocation.arguments
        let pid = try arguments.number(.pid, in: 0...Int32.max)
        let uid = try arguments.number(.uid, in: 0...UInt32.max) ?? (pid == nil ? getuid() : nil)
        let result = try await invocation.ask(
            PolicyExplain.self,
            .init(
                uid: uid, pid: pid, unit: arguments[.unit], origin: arguments[.origin], socket: arguments[.appSocket],
                method: arguments.operands[0], requestorID: invocation.requestor))
        let paint = invocation.paint
        let user = result["uid"]?.int64.map { number in
            "user \(Account.name(UInt32(exactly: number)).map { "\($0.onOneLine) (\(number))" } ?? "\(number)")"
        }
        let facts = [("unit", "unit"), ("origin", "web app")].compactMap { name, word in
            result.text(name).map { "\(word) \($0)" }
        }
        let isAllowed = result.holds("allowed")
        let rows = [
            ("decision", isAllowed ? paint.good("allowed") : paint.bad("denied")),
            ("process", ([user].compactMap(\.self) + facts).joined(separator: ", ")), ("app", result.word("app")),
            ("rule", result.word("rule")),
        ].filter { !$0.1.isEmpty }
        let mounts = pid.flatMap {
            invocation.console.output(of: ["readlink", "/proc/\($0)/ns/mnt", "/proc/1/ns/mnt"])
        }?.split(separator: "\n")
        let isElsewhere = !isAllowed && mounts?.count == 2 && mounts?.first != mounts?.last
        let notes =
            isElsewhere ? ["This process is in another mount namespace. For an app in a container, use socket:."] : []
        let lines =
            rows.map { "\($0.padded(to: 8))  \($1)" }
            + (result.texts("notes") + notes).map { "\(paint.doubtful("note"))      \($0)" }
        return Outcome(
            exit: isAllowed ? .done : .no, data: result, text: lines.joined(separator: "\n"), isProse: true)
    }
}
