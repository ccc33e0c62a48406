// Runs the clients of Tests/Clients against a sandbox. Clients that work with the real service must work here. A strict
// sandbox demands what the vendor's pages say.

import FoundationEssentials
import PassTestTools
import Testing

@Suite("clients that work with the real service") struct ClientShapeTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        var app = "lumen-tv"
        /// The refusal of a strict sandbox; nil for a client that follows the pages.
        var refused: String? = "registration: 400"
        var testDescription: String { name }
    }

    static let shapes: [Shape] = [
        .init(name: "set_top_box", refused: nil), .init(name: "tv_app"), .init(name: "addon"),
        .init(name: "link_login"),
        .init(name: "web_player", refused: nil), .init(name: "channel_menu"),
        .init(name: "older_addon", app: "lumen-legacy"), .init(name: "thin_client", app: "lumen-legacy"),
        .init(name: "signed_client", app: "lumen-legacy", refused: nil),
    ]

    private func play(_ shape: Shape, with sandbox: RunningSandbox) throws -> ChildProcess.Ending {
        let statement = try passSandbox(["statement", shape.app, "--server", sandbox.origin])
        #expect(statement.status == 0)
        // Without `-B`, the interpreter leaves compiled files in the repository.
        return try ChildProcess.run([
            "python3", "-B", repository + "Tests/Clients/\(shape.name).py", sandbox.origin,
            statement.output.split(separator: "\n").last.map(String.init) ?? "",
        ])
    }

    @Test(arguments: shapes) func `a client works as it does with the service`(shape: Shape) throws {
        let sandbox = try RunningSandbox()
        let ending = try play(shape, with: sandbox)
        #expect(ending.status == 0 && ending.output == "done\n", "\(ending)")
        _ = try sandbox.stop()
    }

    @Test(arguments: shapes) func `a strict sandbox demands what the vendor's pages say`(shape: Shape) throws {
        let directory = TemporaryDirectory()
        let catalogue = try String(contentsOfFile: shippedCatalogue, encoding: .utf8)
        let strict = catalogue.replacing("\"strict\": false", with: "\"strict\": true")
        #expect(strict != catalogue)
        let sandbox = try RunningSandbox(catalogue: directory.write(strict, to: "strict.json"))
        let ending = try play(shape, with: sandbox)
        if let refused = shape.refused {
            #expect(ending.status == 3 && ending.output.hasPrefix("refused: " + refused), "\(ending)")
        } else {
            #expect(ending.status == 0 && ending.output == "done\n", "\(ending)")
        }
        _ = try sandbox.stop()
    }

    @Test func `every client shape is run`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: repository + "Tests/Clients")
        let programs = files.filter { $0.hasSuffix(".py") && $0 != "client.py" }.map { String($0.dropLast(3)) }
        #expect(programs.sorted() == Self.shapes.map(\.name).sorted())
    }
}
