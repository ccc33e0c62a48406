// `sessions`: lists the connected apps, in columns that fit the screen.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let sessions = Verb(
        name: "sessions", summary: "list the connected apps",
        details: """
            Shows of each its app or program, the origin of a web app, user and process, the requestor, the provider that the viewer is signed in with, \
            since when it is connected, and what is open: choice is the list of providers, code a code on the screen, platform \
            the dialog of the box's TV account, events a subscription, and calls are those that wait for an answer. Cells that \
            are too long end with ~; --json has all of them, and more. What several stanzas name is the app with its requestor, \
            and the first by name before it has one.
            """
    ) { invocation in
        let result = try await invocation.connect(.admin).call(Sessions.self)
        let rows = (result["sessions"]?.array ?? []).map { row($0, now: invocation.console.now) }
        return Outcome(
            data: result,
            text: Table.fitted(
                header: ["app", "user", "pid", "requestor", "signed in with", "since", "open"], rows,
                to: invocation.console.output.columns, paint: invocation.paint))
    }

    private static func row(_ session: JSONValue, now: Int64) -> [String] {
        let identity = session["identity"] ?? [:]
        let program = identity["executable"]?.string?.split(separator: "/").last.map(String.init)
        let name = identity["app"]?.string ?? session["client"]?.string ?? program
        let app = [name, identity["origin"]?.string].compactMap(\.self).joined(separator: " ")
        let calls = session["pendingCalls"]?.int64 ?? 0
        let open =
            (session["open"]?.array ?? []).compactMap(\.string)
            + (calls > 0 ? [calls == 1 ? "1 call" : "\(calls) calls"] : [])
        let user = identity["uid"]?.int64.map { Account.name(UInt32(exactly: $0)) ?? "\($0)" }
        let process = identity["pid"]?.int64.flatMap { $0 > 0 ? "\($0)" : nil }
        let provider = session["providerName"]?.string ?? session["provider"]?.string
        let since = session["since"]?.int64.map { Moment.brief($0, now: now) }
        let cells: [String?] = [
            app, user, process, session["requestorID"]?.string, provider, since, open.joined(separator: ", "),
        ]
        return cells.map { cell in cell.map(\.onOneLine).flatMap { $0.isEmpty ? nil : $0 } ?? "-" }
    }
}
