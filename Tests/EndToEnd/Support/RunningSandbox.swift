// A pass-sandbox as a user starts it, on its own port.

import FoundationEssentials
import Glibc
import PassTestTools

let repository = String(#filePath.dropLast("Tests/EndToEnd/Support/RunningSandbox.swift".count))

let shippedCatalogue = repository + "Config/sandbox/catalog.json"

/// The program is in the same folder as the tests' own program.
let program: String = {
    guard let path = realpath("/proc/self/exe", nil) else { return "pass-sandbox" }
    defer { free(path) }
    let folders = String(cString: path).split(separator: "/").dropLast()
    let beside = "/" + folders.joined(separator: "/") + "/pass-sandbox"
    // With `swift test`, the tests' program is SwiftPM's helper, and the bundle names the folder.
    guard access(beside, X_OK) != 0,
        let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") })
    else { return beside }
    let folder = bundle.split(separator: "/").prefix { !$0.hasSuffix(".xctest") }
    return (bundle.hasPrefix("/") ? "/" : "") + folder.joined(separator: "/") + "/pass-sandbox"
}()

final class RunningSandbox {
    let child: ChildProcess
    let origin: String
    let port: UInt16

    init(
        _ options: [String] = ["--seed", "1"], throttled: Bool = false, listen: String = "127.0.0.1:0",
        catalogue: String = shippedCatalogue, environment: [String: String] = [:]
    ) throws {
        let child = try ChildProcess(
            [program, "serve", "--listen", listen, "--catalog", catalogue] + options
                + (throttled ? [] : ["--no-throttle"]), environment: environment)
        var origin: String?
        _ = becomesTrue {
            origin = child.output.split(separator: "\n").first { $0.contains("listens on ") }
                .flatMap { $0.split(separator: " ").last.map(String.init) }
            return origin != nil || child.hasEnded
        }
        guard let origin, let port = origin.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw TestFailure("the sandbox does not start: \(child.errors)")
        }
        self.child = child
        self.origin = origin
        self.port = port
    }

    /// The place of the pages of a foreign service.
    var pages: String {
        get throws {
            let words = child.output.split(separator: "\n").first { $0.contains("viewers log in at") }?.split(
                separator: " ")
            guard let page = words?.last, page.hasSuffix("/link") else {
                throw TestFailure("no page: \(child.output)")
            }
            return String(page.dropLast("/link".count))
        }
    }

    /// Stops the sandbox as a service manager does.
    func stop() throws -> ChildProcess.Ending {
        child.signal(SIGTERM)
        return try child.wait()
    }

    /// Kills the sandbox, as in a power failure.
    func crash() throws {
        child.signal(SIGKILL)
        _ = try child.wait()
    }
}

/// Runs the program to its end.
func passSandbox(_ words: [String], input: String = "", folder: String? = nil) throws -> ChildProcess.Ending {
    try ChildProcess.run([program] + words, input: input, folder: folder ?? repository)
}
