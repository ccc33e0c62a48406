// Tests the library with a server in this process: results, errors with their remedy, callbacks, and all cases without
// an answer.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Testing

@testable import PassClient

@Suite("rpc.md §2: a client")
struct ClientTests {
    @Test func `a typed call sends its params by name and returns the result unchanged`() async throws {
        let served = try ServedPeer()
        let client = Client(served.client())
        let result = try await client.call(CheckAuthorization.self, .init(resource: "NEWS24"))
        #expect(result == ["method": "checkAuthorization", "params": ["resource": "NEWS24"]])
        #expect(try await client.call(WhoAmI.self)["method"] == "passd.whoami")
        #expect(try await client.call("later.method", ["a": 1])["params"] == ["a": 1])
        client.close()
    }

    @Test func `an error of the daemon keeps name, message and remedy`() async throws {
        let served = try ServedPeer { $0.answer(.failure(.unanswered(.CFG429, retryAfter: 3))) }
        let client = Client(served.client())
        do throws(ClientFault) {
            _ = try await client.call(Logout.self)
            Issue.record("answered")
        } catch {
            #expect(error == .refused(.unanswered(.CFG429, retryAfter: 3)))
            #expect(error.name == "CFG429")
            #expect(error.remedy == SDKStatus.CFG429.remedy)
            #expect(error.json == RPCError.unanswered(.CFG429, retryAfter: 3).json)
        }
        client.close()
    }

    @Test func `callbacks come in order and end with the connection, and the end has a reason`() async throws {
        let served = try ServedPeer { call in
            call.connection.notify(.setRequestorComplete(status: 1))
            call.connection.notify(.setToken("t", resource: "r"))
            call.answer(.success([:]))
            call.connection.finish(.requested("test"))
        }
        let client = Client(served.client())
        _ = try await client.call("m")
        var names: [String] = []
        for await callback in client.callbacks { names.append(callback.method) }
        #expect(names == ["setRequestorComplete", "setToken"])
        guard case .gone? = await client.ending else {
            Issue.record("not told")
            return
        }
    }

    @Test func `a program that does not read its callbacks is disconnected with the reason`() async throws {
        let limit = ClientLimits().notifications
        let served = try ServedPeer { call in
            for _ in 0...limit { call.connection.notify(.setRequestorComplete(status: 1)) }
        }
        let client = Client(served.client())
        await #expect(throws: ClientFault.overrun(limit: limit)) { try await client.call("m") }
        let ending = try #require(await client.ending)
        #expect(ending.name == "OVERRUN" && ending.remedy == "Read callbacks faster.")
    }

    @Test func `the error for a daemon that does not answer has the waiting time`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let client = Client(served.client(), within: .milliseconds(20))
        await #expect(throws: ClientFault.timedOut(.milliseconds(20))) { try await client.call("m") }
        #expect(ClientFault.timedOut(.milliseconds(20)).message == "passd did not answer within 20 ms.")
        #expect(ClientFault.timedOut(.seconds(30)).message == "passd did not answer within 30 seconds.")
        client.close()
    }

    @Test func `a daemon that dies during a call is reported as gone`() async throws {
        let served = try ServedPeer { $0.connection.close(.requested("test")) }
        let client = Client(served.client())
        await #expect(throws: ClientFault.gone(reason: "the connection to passd was lost: closed by the daemon")) {
            try await client.call("m")
        }
    }

    @Test func `a path without a listener is reported as unreachable, with the path in the message`() async throws {
        let directory = TemporaryDirectory()
        do throws(ClientFault) {
            _ = try await Client.connect(to: directory.file("nobody.sock"))
            Issue.record("connected")
        } catch {
            #expect(error.name == "UNREACHABLE")
            #expect(error.message.contains(directory.file("nobody.sock")))
            #expect(error.json["data"]?["remedy"]?.string?.contains("PASSD_SOCKET") == true)
        }
    }

    @Test(arguments: [
        ("/run/passd/passd.sock", "systemctl status passd)"), ("/run/passd/admin.sock", "systemctl status passd)"),
        ("/run/passd@room1/passd.sock", "systemctl status passd@room1)"), ("/tmp/box/passd.sock", "pass-sandbox box"),
    ])
    func `only an installed daemon has a unit`(path: String, words: String) {
        let remedy = ClientFault.unreachable(path: path, reason: "x").remedy
        #expect(remedy.contains(words) && remedy.contains("PASSD_SOCKET"))
        #expect(remedy.contains("systemctl") == path.hasPrefix("/run/"))
    }

    @Test func `a directory that keeps the user out is named, and not the group of the socket`() {
        var asked: [String] = []
        let closed = ClientFault.closedDirectory(on: "/a/b/c/passd.sock") { directory in
            asked.append(directory)
            return directory != "/a/b"
        }
        #expect(closed == "/a/b" && asked == ["/", "/a", "/a/b"])
        #expect(ClientFault.closedDirectory(on: "/a/passd.sock") { _ in true } == nil)
        let fault = ClientFault.forbidden(path: "/a/b/c/passd.sock", directory: "/a/b")
        #expect(fault.message == "This user may not enter /a/b, so /a/b/c/passd.sock cannot be reached.")
        #expect(fault.remedy.contains("chmod o+x /a/b") && !fault.remedy.contains("group"))
        #expect(
            fault.remedy.hasPrefix("Run this as the owner of the directory: a developer's box serves no other user."))
        let installed = ClientFault.forbidden(path: "/run/passd/admin.sock", directory: "/run/passd")
        #expect(installed.remedy == "Let this user enter the directory, for example with chmod o+x /run/passd.")
        #expect(ClientFault.forbidden(path: "/a/passd.sock").remedy.contains("group"))
    }
}
