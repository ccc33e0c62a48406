// Tests many clients at once: the service sees no more requests than the device's budget, and every client is answered.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §15; architecture §5") struct CrowdTests {
    @Test func `1,000 calls for one resource stay inside the budget, and each ends with a token or a named error`()
        throws
    {
        let box = try RunningBox(isThrottled: true)
        let first = try box.app("LUMENTV")
        try box.logIn(try first.openLogin())
        try first.hearLogin()
        let apps = try (0..<20).map { _ in try box.app() }
        // Setup asks the service too, but identical questions in flight are joined.
        let setups = try apps.map { try $0.send("setRequestor", ["requestorID": "LUMENTV"]) }
        for (app, setup) in zip(apps, setups) { _ = try app.answer(to: setup) }
        let began = ContinuousClock.now
        let calls = try apps.map { app in
            try (0..<50).map { _ in try app.send("getAuthorization", ["resource": "lumen-sports-1"]) }
        }
        var tokens: Set<String> = []
        var errors: [String: Int] = [:]
        for (app, numbers) in zip(apps, calls) {
            for number in numbers {
                do {
                    let answer = try app.answer(to: number, seconds: 120)
                    let isNew = tokens.insert(answer["token"]?.string ?? "").inserted
                    #expect(isNew, "no media token is used for two plays")
                } catch let error as RPCError {
                    errors[error.name.text, default: 0] += 1
                    #expect(error.action == .retry)
                }
            }
        }
        let seconds = Int((ContinuousClock.now - began).components.seconds) + 1
        // An app may have 192 calls waiting, each for 15 seconds, so a thousand take six rounds.
        #expect(seconds < 115, "\(seconds) s, \(tokens.count) tokens, \(errors)")
        #expect(tokens.count + errors.values.reduce(0, +) == 1000)
        #expect(Set(errors.keys).isSubset(of: ["Z500", "LIMIT"]), "\(errors)")
        let requests = try box.sandbox.request("GET", "/sandbox/journal").json["requests"]?.array ?? []
        let authorizations = requests.filter { $0["path"]?.string?.contains("/decisions/authorize/") == true }
        // Only a request that was under way when the calls timed out has no answer.
        let unheard = authorizations.count - tokens.count
        #expect((0...1).contains(unheard), "one request for each token: \(authorizations.count), \(tokens.count)")
        #expect(tokens.count >= 10 && tokens.count <= seconds + 10, "\(tokens.count) tokens in \(seconds) s")
        #expect(!requests.contains { $0["status"]?.int == 429 })
    }

    @Test(arguments: Interface.allCases)
    func `an app whose calls all wait for a hanging service does not delay another app of the same user`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(interface: interface)
        let flooding = try box.app("LUMENTV")
        try box.logIn(try flooding.openLogin())
        try flooding.hearLogin()
        let other = try box.app("NEWS24")
        let floods = try (0..<20).map { _ in try box.app("LUMENTV") }
        _ = try box.sandbox.control("/sandbox/faults", ["faults": [["match": "* /**", "delay": "9m"]]])
        for (number, flood) in floods.enumerated() {
            for call in 0..<60 {
                _ = try flood.send("checkAuthorization", ["resource": .string("r\(number).\(call)")])
            }
        }
        // The app has reached its limit of pending calls.
        let view = try box.operatorsView()
        let isFull = try becomesTrue(within: 60) {
            let sessions = try view.call("passd.sessions")["sessions"]?.array ?? []
            return sessions.reduce(0) { $0 + ($1["pendingCalls"]?.int64 ?? 0) } >= 192
        }
        #expect(isFull)
        let began = ContinuousClock.now
        for _ in 0..<3 {
            _ = try other.call("checkAuthentication")
            _ = try other.call("getSelectedProvider")
            _ = try other.call("passd.whoami")
            // A new connection is not delayed either.
            _ = try TestApp(box.socket, isChecked: false).call("passd.whoami")
        }
        #expect(ContinuousClock.now - began < .seconds(12), "a round of waiting calls takes fifteen")
    }

    @Test func `ten thousand connections that open and close leak no descriptor`() throws {
        let box = try RunningBox()
        let descriptors = { try unixSockets(of: box.daemon.id) }
        let app = try box.app("LUMENTV")
        // While other programs open and close sockets, a read of the kernel's table may miss some.
        var (before, reads) = (0, 0)
        let areSeen = try becomesTrue {
            before = try max(before, descriptors())
            reads += 1
            return before >= 3 && reads >= 20
        }
        #expect(areSeen, "two listening sockets, and one app")
        for round in 0..<10_000 {
            let peer = try RawPeer.connect(to: box.socket)
            // Some clients send nothing, some half a message, some send without waiting, some wait.
            switch round % 4 {
            case 0: break
            case 1: try peer.send(#"{"jsonrpc":"2.0","#)
            case 2: try peer.send(#"{"jsonrpc":"2.0","id":1,"method":"passd.whoami"}"# + "\n")
            default:
                try peer.send(#"{"jsonrpc":"2.0","id":1,"method":"passd.whoami"}"# + "\n")
                _ = try peer.message()
            }
            peer.close()
        }
        // The daemon may have opened the journal's socket in the meantime.
        let areClosed = try becomesTrue { try descriptors() <= before + 1 }
        let now = try descriptors()
        #expect(areClosed, "\(now) now, \(before) before")
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
    }

    @Test func `a client that does not read is disconnected, and the log has the reason`() throws {
        let box = try RunningBox()
        let peer = try RawPeer.connect(to: box.socket)
        let line = Array((#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"# + "\n").utf8)
        var sent = 0
        // The daemon stops reading from the client once enough answers wait.
        let isCutOff = becomesTrue(within: 90) {
            sent += peer.sendSome(line)
            return box.daemon.errors.contains("does not read")
        }
        #expect(isCutOff && sent < 8 << 20)
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
    }

    /// The number of the process's Unix sockets. Sockets to the service are not counted, since they come and go.
    private func unixSockets(of process: Int32) throws -> Int {
        let table = try String(decoding: Data(contentsOf: URL(filePath: "/proc/\(process)/net/unix")), as: UTF8.self)
        let inodes = Set(table.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst(6).first })
        let folder = "/proc/\(process)/fd/"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name) else {
                return false
            }
            return link.hasPrefix("socket:[") && inodes.contains(link.dropFirst(8).dropLast())
        }
    }
}
