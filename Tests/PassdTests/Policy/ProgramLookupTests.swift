// Tests that a file system that does not answer delays only the client whose program is on it.

import AccessEnabler
import Dispatch
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Synchronization
import Testing

@testable import PassConfiguration
@testable import PassServer
@testable import PassSystem

@Suite("ruling 55: programs are looked up only for rules, on a separate thread, for a second")
struct ProgramLookupTests {
    /// A file system that answers when the test says so.
    private final class FileSystem: Sendable {
        let asked = Mutex<[String]>([])
        let answers = DispatchSemaphore(value: 0)

        var lookups: ProgramLookups {
            ProgramLookups { [self] claim in
                asked.withLock { $0.append(claim.path) }
                answers.wait()
                return true
            }
        }
    }

    private static let own = ProgramClaim(of: getpid())?.path ?? ""

    private func household(_ files: FileSystem, naming path: String?) async throws -> Household {
        var stanza = AppStanza.sample()
        if let path {
            stanza.allow = [
                AllowRule(text: "user+executable", conditions: [.user(geteuid()), .executable(path)])
            ]
        }
        return try await Household(apps: [stanza], programs: files.lookups)
    }

    @EngineActor private func knock(_ household: Household) throws -> Visitor {
        let (ours, theirs) = try Descriptor.pair()
        household.server.letIn(Descriptor(adopting: ours), on: .api)
        return Visitor(Descriptor(adopting: theirs))
    }

    @Test(arguments: [nil, "/usr/bin/another-program"])
    func `a program that no rule names is not looked up`(named: String?) async throws {
        let files = FileSystem()
        let household = try await household(files, naming: named)
        _ = try await knock(household).call("passd.hello")
        #expect(files.asked.withLock(\.self) == [])
    }

    @Test func `a client with the program in a rule is admitted after its file system has answered`()
        async throws
    {
        let files = FileSystem()
        let household = try await household(files, naming: Self.own)
        let visitor = try await knock(household)
        files.answers.signal()
        let me: JSONValue? = try await visitor.call("passd.whoami")
        #expect(me?["identity"]?["executable"] == .string(Self.own))
        #expect(me?["requestors"] == ["NEWS24"])
    }

    @Test func `without an answer within a second the program stays unknown, and other clients do not wait`()
        async throws
    {
        let files = FileSystem()
        let household = try await household(files, naming: Self.own)
        let visitor = try await knock(household)
        await eventually { files.asked.withLock(\.count) == 1 }
        await household.clock.advance(by: .seconds(1))
        let me: JSONValue? = try await visitor.call("passd.whoami")
        #expect(me?["identity"]?["executable"] == nil && me?["requestors"] == [])
        // The file system still does not answer, and is not asked again.
        let second: JSONValue? = try await knock(household).call("passd.whoami")
        #expect(second?["requestors"] == [])
        #expect(files.asked.withLock(\.count) == 1)
        // Now the file system has answered.
        for _ in 0..<2 { files.answers.signal() }
        await eventually { await !household.daemon.programs.isStuck }
        let third: JSONValue? = try await knock(household).call("passd.whoami")
        #expect(third?["requestors"] == ["NEWS24"])
    }
}
