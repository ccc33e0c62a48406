// Tests that `describe` explains all parts of an answer to an app, not only the methods.

import PassArguments
import PassDescription
import PassJSON
import PassProtocol
import Testing

@testable import PassCLI

@Suite("operations.md §1: describe")
struct DescribeTests {
    private static let document = OpenRPCDocument.json(version: "9", denial: .denied("No", remedy: "Ask."))

    private func describe(_ words: String...) async throws -> Ran {
        let daemon = try ScriptedDaemon(["rpc.discover": .result(Self.document)])
        return await run(["describe"] + words, daemon)
    }

    @Test(arguments: ErrorName.named.map(\.text))
    func `describe explains every error, with its number and its remedy`(_ name: String) async throws {
        let page = try await describe(name)
        let error = Self.document["components"]?["errors"]?[name]
        #expect(page.exit == .done)
        #expect(page.out.hasPrefix("\(name) (error \(error?["code"]?.int64 ?? 0))\n  "))
        #expect(page.out.contains(error?["data"]?["remedy"]?.string ?? "?"))
    }

    @Test(arguments: SDKStatus.known + [.configurationServer(503)])
    func `describe explains every status`(_ status: SDKStatus) async throws {
        let page = try await describe(status.rawValue)
        #expect(
            page.out.hasPrefix("\(status.rawValue) (status, level \(status.level.rawValue))\n  \(status.meaning).\n"))
        #expect(page.out.contains(status.remedy))
    }

    @Test(arguments: FlowErrorCode.allCases.filter { $0 != .authenticated })
    func `describe explains every errorCode`(_ code: FlowErrorCode) async throws {
        #expect(try await describe(code.rawValue).out.contains(code.meaning))
    }

    @Test func `describe explains the codes of refusals`() async throws {
        for code in ReasonTable.codes {
            #expect(try await describe(code).out.contains(ReasonTable.reason(of: code)?.remedy ?? "?"), "\(code)")
        }
    }

    @Test(arguments: Component.all.map(\.name))
    func `describe explains every type of data`(_ name: String) async throws {
        let page = try await describe(name)
        #expect(page.exit == .done && page.out.hasPrefix("\(name) (type)\n  "))
        #expect(page.out.contains("members:\n") || page.out.contains("words:\n"))
    }

    @Test func `describe shows where a member or a word of an answer occurs`() async throws {
        let display = try await describe("display").out
        for place in [
            "checkAuthorization: result.display", "callback setAuthenticationStatus: display", "type Decision: display",
        ] {
            #expect(display.contains("\n  \(place) "), "\(place)")
        }
        let expired = try await describe("expired").out
        #expect(expired.contains("expired (word)\n") && expired.contains("the code expired"))
        #expect(try await describe("qr").out.contains("getAuthentication: result.qr"))
        #expect(try await describe("openlogin").out.hasPrefix("openLogin (member)\n"))
    }

    @Test func `describe names similar words, and prints its result as JSON`() async throws {
        for (mistyped, known) in [("DENYED", "denied"), ("dispaly", "display"), ("Desicion", "Decision")] {
            let page = try await describe(mistyped)
            #expect(page.exit == .usage && page.err.contains("Did you mean \(known)?"), "\(mistyped)")
        }
        let entry = try object(await describe("--json", "DENIED").out)["data"]?["entries"]?.array?.first
        #expect(entry?["kind"] == "error -32001")
    }

    @Test func `describe lists the names of errors, statuses and types`() async throws {
        let list = try await describe().out
        for word in ["errors:\n", "FLOW_CONFLICT", "statuses:\n", "N130", "types:\n", "QR"] {
            #expect(list.contains(word))
        }
        #expect(!list.contains(ErrorName.unansweredEntry))
    }
}
