// One box and its viewers, in chapters. The story measures each wait on the daemon's clock and collects each sentence
// that a viewer reads. It compares both with the expectations of the chapter.

import AccessEnabler
import FoundationEssentials
import Glibc
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

final class Story {
    struct Row {
        let chapter: String
        let what: String
        let wait: Duration?
        let sentence: Sentence?
    }

    /// The longest wait that viewers do not notice.
    static let noticed = Duration.seconds(2)
    /// The evening on which the story begins.
    static let evening: Int64 = 1_798_225_200_000  // 2026-12-25 19:00 UTC
    private static let catalogue = repository + "Tests/EndToEnd/Resources/story-catalog.json"
    private static let channels = [
        ("Lumen TV", "lumen-tv", "LUMENTV", "lumen-sports-1"), ("News 24", "news24", "NEWS24", "news24-live"),
        ("Summit TV", "summit", "SUMMITTV", "summit-live"), ("Harbour", "harbour", "HARBOUR", "harbour-films"),
        ("Orchard", "orchard", "ORCHARD", "orchard-cooking"),
    ]

    let interface: Interface
    let time: VirtualTime
    let socket: String
    private let adminSocket: String
    private let folder = TemporaryDirectory()
    private let state = TemporaryDirectory()
    private(set) var service: RunningSandbox
    private var daemon: ChildProcess?
    private(set) var apps: [StoryApp] = []
    private(set) var rows: [Row] = []
    /// When an app wants to do something next.
    private var alarm: Duration?
    private var chapter = ""
    private var sentences: [Sentence] = []
    private var waits: [(what: String, time: Duration)] = []

    init(_ interface: Interface) throws {
        self.interface = interface
        time = try VirtualTime(date: Self.evening)
        socket = folder.file("passd.sock")
        adminSocket = folder.file("admin.sock")
        service = try RunningSandbox(
            ["--seed", "1", "--state", state.file("service")], throttled: true, catalogue: Self.catalogue,
            environment: time.environment(.service))
        time.processes[.service] = service.child
        mkdir(folder.file("apps.d"), 0o700)
        for (_, app, requestor, _) in Self.channels {
            folder.write(
                try service.control("/sandbox/statement", ["app": .string(app)])["statement"], to: "\(app).jwt")
            folder.write(
                """
                [app \(app)]
                requestors = \(requestor)
                software-statement = file:\(folder.file("\(app).jwt"))
                allow = user:\(geteuid())
                may = entitlement observe

                """, to: "apps.d/\(app).conf")
        }
        folder.write(
            """
            [backend]
            origin = \(service.origin)
            activation-url = \(service.origin)/activate
            protocol = \(interface.rawValue)

            """, to: "passd.conf")
        apps = Self.channels.map { StoryApp($0.0, $0.2, plays: $0.3, in: self) }
    }

    // MARK: The box

    func powerOn() throws {
        let daemon = try ChildProcess(
            [
                RunningBox.builds + "passd", "--config", folder.file("passd.conf"), "--socket", socket, "--state-dir",
                folder.file("state"),
            ], environment: time.environment(.daemon))
        guard becomesTrue(within: 60, { daemon.errors.contains("passd is ready") || daemon.hasEnded }),
            !daemon.hasEnded
        else { throw TestFailure("passd does not start: \(daemon.errors)") }
        self.daemon = daemon
        time.processes[.daemon] = daemon
    }

    /// Kills the daemon. All data that it has not stored are lost.
    func cutPower() throws { try end(SIGKILL) }

    /// Restarts the daemon as the service manager does for an update.
    func stop() throws { try end(SIGTERM) }

    private func end(_ signal: Int32) throws {
        guard let daemon else { return }
        daemon.signal(signal)
        let begin = time.now
        if signal == SIGKILL { _ = try daemon.wait() } else { try until("the daemon ends") { daemon.hasEnded } }
        waited("box", "end", since: begin)
        time.processes[.daemon] = nil
        for app in apps { app.disconnect() }
    }

    func admin(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        let operatorsView = try TestApp(adminSocket, isChecked: false)
        return try operatorsView.call(method, params)
    }

    // MARK: The service

    func faults(_ faults: JSONValue...) throws { try control("faults", ["faults": .array(faults)]) }

    /// Every call of the service, on either interface.
    func fail(with effect: JSONValue) throws {
        guard let members = effect.object?.members else { return }
        try faults(.object([.init("match", "* /**")] + members))
    }

    /// The number of requests that the service has received.
    func requests() throws -> Int {
        try service.request("GET", "/sandbox/journal").json["requests"]?.array?.count ?? 0
    }

    /// Blocks all connections, old and new.
    func cutNetwork() { service.child.signal(SIGSTOP) }

    func endFaults() throws { _ = try service.request("DELETE", "/sandbox/faults") }

    /// Returns the operator's view of what does not work.
    func warnings() throws -> [String] {
        try admin("passd.status")["warnings"]?.array?.compactMap { $0["code"]?.string } ?? []
    }

    func control(_ path: String, _ body: JSONValue) throws {
        let reply = try service.control("/sandbox/" + path, body)
        guard reply.status == 200 else { throw TestFailure("\(path): \(reply)") }
    }

    /// Keeps the service's address, but every connection to it is dead, as after a move to another network.
    func restartService() throws {
        try service.crash()
        service = try RunningSandbox(
            ["--state", state.file("service")], throttled: true, listen: "127.0.0.1:\(service.port)",
            catalogue: Self.catalogue, environment: time.environment(.service))
        time.processes[.service] = service.child
    }

    /// Types the code on a phone, as the viewer does.
    func phone(_ code: String, _ user: String, _ password: String, at provider: String = "NorthCable") throws {
        let outcome = try passSandbox([
            "log-in", code, "--provider", provider, "--user", user, "--password", password, "--server", service.origin,
        ])
        guard outcome.status == 0 else { throw TestFailure("log-in: \(outcome)") }
    }

    /// Starts a chapter: everything works, the apps run, and this viewer of North Cable is signed in, or no viewer is.
    func begin(signedIn viewer: StoryViewer?) {
        do {
            if service.child.hasEnded { try restartService() }
            service.child.signal(SIGCONT)
            try endFaults()
            if daemon?.hasEnded != false { try powerOn() }
            try pass(.seconds(30))
            // Ends open codes, so that the service hears of all logouts.
            for app in apps {
                try app.start()
                try app.get("setSelectedProvider", ["providerID": .null], as: "cancel")
            }
            _ = try admin("passd.logoutAll")
            try pass(.seconds(60))
            for app in apps { try app.start() }
            guard let viewer else { return try pass(.seconds(60)) }
            try apps[0].showCode()
            try logIn(apps[0], viewer)
            try pass(.seconds(90))
            for app in apps where try app.get("checkAuthentication", as: "check")["authenticated"] != true {
                try app.start()
                if try app.get("checkAuthentication", as: "check")["authenticated"] != true {
                    throw TestFailure("\(app.name) is not signed in")
                }
            }
            for app in apps { app.forgetCallbacks() }
        } catch { Issue.record("\(interface.testDescription), before a chapter: \(error)") }
    }

    // MARK: Time

    /// Moves the time until the condition holds.
    func until(_ what: String, within limit: Duration = .seconds(120), _ fact: () throws -> Bool) throws {
        let end = time.now + limit
        let deadline = ContinuousClock.now + .seconds(300)
        while try !listenAndCheck(fact) {
            guard time.now < end else { throw TestFailure("\(what): not within \(limit)") }
            guard ContinuousClock.now < deadline else { throw TestFailure("\(what): the box does not come to rest") }
            // Reads all output of the programs before time moves. They are at rest now.
            guard time.isQuiet, try !listen(), try !fact() else { continue }
            time.step(until: min(end, alarm ?? end))
        }
    }

    func pass(_ duration: Duration) throws {
        let end = time.now + duration
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            guard ContinuousClock.now < deadline else { throw TestFailure("the box does not come to rest") }
            guard time.isQuiet, try !listen() else { continue }
            if time.now >= end { return }
            time.step(until: end)
        }
    }

    private func listenAndCheck(_ fact: () throws -> Bool) throws -> Bool {
        while try listen() {}
        return try fact()
    }

    /// Returns whether an app has received something.
    private func listen() throws -> Bool { try apps.reduce(false) { try $1.listen() || $0 } }

    /// Lets all apps make these calls: each app in order, all apps at the same time. A call that is refused because of
    /// the crowd is repeated at the time in its error, as in the client libraries. The waits begin with the first call.
    /// Returns the last answers.
    func together(
        as deed: String, _ calls: [(method: String, params: (StoryApp) -> JSONValue)]
    ) throws -> [(app: StoryApp, reply: StoryApp.Reply)] {
        let begin = time.now
        var turns = try apps.map {
            (app: $0, call: 0, number: try $0.ask(calls[0].method, calls[0].params($0)), again: Duration?.none)
        }
        defer { alarm = nil }
        try until("\(deed) of all apps") {
            for (place, turn) in turns.enumerated() where turn.call < calls.count {
                var next = turn.call
                if let again = turn.again {
                    guard again <= time.now else { continue }
                } else {
                    guard turn.app.isAnswered(turn.number) else { continue }
                    if let seconds = try turn.app.answer(turn.number).retryAfter {
                        turns[place].again = time.now + .seconds(seconds)
                        continue
                    }
                    next += 1
                    turns[place].call = next
                    guard next < calls.count else {
                        waited(turn.app.name, deed, since: begin)
                        continue
                    }
                }
                turns[place].number = try turn.app.ask(calls[next].method, calls[next].params(turn.app))
                turns[place].again = nil
            }
            alarm = turns.compactMap(\.again).min()
            return turns.allSatisfy { $0.call == calls.count }
        }
        return try turns.map { ($0.app, try $0.app.answer($0.number)) }
    }

    // MARK: Telling

    func waited(_ app: String, _ deed: String, since moment: Duration) {
        waits.append(("\(app) · \(deed)", time.now - moment))
    }

    func reads(_ sentence: Sentence) {
        if !sentences.contains(sentence) { sentences.append(sentence) }
    }

    /// Runs a chapter. `waits` has the waits that its viewers notice, in seconds; any other wait has at most two.
    /// `reads` has the sentences on the screens, each with its app and with "provider" or the box's code for it.
    func tell(
        _ chapter: String, waits expectedWaits: [String: ClosedRange<Double>] = [:], reads expected: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        self.chapter = chapter
        (sentences, waits) = ([], [])
        do { try body() } catch {
            Issue.record("\(interface.testDescription), \(chapter): \(error)", sourceLocation: sourceLocation)
        }
        for (what, wait) in waits where wait > Self.noticed {
            rows.append(Row(chapter: chapter, what: what, wait: wait, sentence: nil))
            let isExpected = expectedWaits[what]?.contains(wait / .seconds(1)) == true
            if !isExpected {
                Issue.record(
                    "\(interface.testDescription), \(chapter): \(what) takes \(Self.text(wait))",
                    sourceLocation: sourceLocation)
            }
        }
        for sentence in sentences {
            rows.append(Row(chapter: chapter, what: sentence.app, wait: nil, sentence: sentence))
        }
        let read = sentences.map {
            "\($0.app): \($0.text) (\($0.source == "provider" ? "provider" : $0.code ?? "no code"))"
        }
        if Set(read) != Set(expected) {
            Issue.record(
                """
                \(interface.testDescription), \(chapter): the viewers read
                  \(read.joined(separator: "\n  "))
                and should read
                  \(expected.joined(separator: "\n  "))
                """, sourceLocation: sourceLocation)
        }
    }

    private static func text(_ wait: Duration) -> String {
        let tenths = Int(wait / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// A table of what viewers noticed.
    var table: String {
        var lines = ["A story over \(interface.testDescription), in seconds of the daemon's clock"]
        let wide = rows.map { $0.chapter.count }.max() ?? 0
        let wider = rows.map { $0.what.count }.max() ?? 0
        for row in rows {
            let what = row.chapter.padded(to: wide) + "  " + row.what.padded(to: wider) + "  "
            if let wait = row.wait { lines.append(what + Self.text(wait)) }
            if let sentence = row.sentence {
                lines.append(what + "“\(sentence.text)” [\(sentence.source ?? "?") \(sentence.code ?? "")]")
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
