// Tests `pass-sandbox box --web`: the gateway of the box, the origins that it accepts and refuses, and its end. The toy
// TV of Examples/tv uses it in a browser.

import FoundationEssentials
import Glibc
import PassTestTools
import Testing

@Suite struct BoxWebTests {
    static let one = "lumen-tv=http://127.0.0.1:5173"

    /// A program that acts as a page. It asks for a web socket with the page's origin, names a requestor, and prints the first message.
    static let page = """
        import json, os, sys
        from attackers import Page
        page = Page(int(os.environ["PASSD_WEB"].rpartition(":")[2]), [sys.argv[1]])
        try:
            page.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "setRequestor", "params": {"requestorID": sys.argv[2]}}).encode())
        except ConnectionError:
            pass
        said = json.loads(page.receive())
        print(said["method"] if "method" in said else said["error"]["data"]["code"])
        print(said.get("error", {}).get("data", {}).get("remedy", ""))
        """

    private func hears(_ box: DeveloperBox, _ origin: String, _ requestor: String) throws -> String {
        try hearsLines(box, origin, requestor)[0]
    }

    /// The name of the first message, with the remedy if the message is an error.
    private func hearsLines(_ box: DeveloperBox, _ origin: String, _ requestor: String) throws -> [String] {
        let ending = try ChildProcess.run(
            ["env", "PYTHONPATH=\(repository)Tests/Web", "python3", "-B", "-c", Self.page, origin, requestor],
            environment: box.variables)
        try ending.requireSuccess()
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        try #require(lines.count > 1)
        return lines
    }

    @Test func `each given origin is its app, and any other origin is no app`() throws {
        let box = try DeveloperBox(["--web", Self.one + ",http://localhost:5174", "--web-port", "0"])
        #expect(box.variables["PASSD_WEB"]?.hasPrefix("ws://127.0.0.1:") == true)
        #expect(
            box.child.errors.contains(
                "web        \(box.variables["PASSD_WEB"] ?? ""), for http://127.0.0.1:5173 (lumen-tv), "
                    + "http://localhost:5174 (each app)\n"))
        for (origin, requestor, heard) in [
            ("http://127.0.0.1:5173", "LUMENTV", "setRequestorComplete"),
            ("http://127.0.0.1:5173", "NEWS24", "DENIED"),
            ("http://localhost:5174", "LUMENTV", "setRequestorComplete"),
            ("http://localhost:5174", "NEWS24", "setRequestorComplete"),
            ("http://localhost:5173", "LUMENTV", "DENIED"),
        ] { #expect(try hears(box, origin, requestor) == heard, "\(origin) asks for \(requestor)") }
        #expect(
            try hearsLines(box, "http://localhost:5173", "LUMENTV")[1].contains(
                "with --web http://localhost:5173 to accept this page."))
        // Programs are still admitted as before.
        #expect(try box.run("passd-cli", "--requestor", "NEWS24", "check").status == 3)
    }

    @Test func `the gateway ends with the box`() throws {
        let box = try DeveloperBox(["--web", Self.one, "--web-port", "0"])
        let children = try box.children()
        #expect(children.count == 2 && children.allSatisfy(DeveloperBox.isRunning))
        try box.stop().requireSuccess()
        #expect(!children.contains(where: DeveloperBox.isRunning))
        #expect(access(box.directory, F_OK) != 0)
    }

    @Test func `if the gateway dies, it is restarted at the same address`() throws {
        let box = try DeveloperBox(["--web", Self.one, "--web-port", "0"])
        let children = try box.children()
        for _ in 0..<2 {
            let gateway = try #require(try box.children().first { $0 != children[0] })
            kill(gateway, SIGKILL)
            #expect(becomesTrue { (try? box.children())?.contains { ![children[0], gateway].contains($0) } == true })
            #expect(becomesTrue { (try? hears(box, "http://127.0.0.1:5173", "LUMENTV")) == "setRequestorComplete" })
        }
        #expect(
            box.child.errors.contains(
                "\npass-sandbox: passd-web has ended (signal 9), and was restarted as process "))
        #expect(DeveloperBox.isRunning(children[0]))
        try box.stop().requireSuccess()
    }

    @Test func `a port in use is named`() throws {
        let box = try DeveloperBox(["--web", Self.one, "--web-port", "0"])
        let port = String(box.variables["PASSD_WEB"]?.split(separator: ":").last ?? "")
        let second = try passSandbox(["box", "--listen", "127.0.0.1:0", "--web", Self.one, "--web-port", port])
        #expect(second.status == 1 && second.output.isEmpty)
        #expect(second.errors.contains("passd-web does not start (exit code 69): 127.0.0.1:\(port): "), "\(second)")
        #expect(second.errors.hasSuffix("; choose another port with --web-port\n"), "\(second)")
    }

    @Test(arguments: [
        (["--web", "localhost:5173"], 64, "--web localhost:5173: should be an origin as browsers send it"),
        (["--web", "http://localhost:5173,"], 64, "should be an origin"),
        (["--web", "nobody=http://localhost:5173"], 64, "the apps of the catalogue are lumen-tv, news24, summit"),
        (
            ["--web", "http://localhost:5173", "--web-port", "70000"], 64,
            "--web-port 70000 is not a number from 0 to 65535"
        ),
        (["--web-port", "8643"], 64, "--web-port needs --web"),
        (["--web", "http://localhost:5173/"], 64, "without a path, such as"),
        (["--web", "http://Localhost:5173"], 64, "as browsers send it"),
        (["--web", "http://localhost:80"], 64, "as browsers send it"),
    ])
    func `an option that cannot work is reported in one line`(options: [String], status: Int32, says: String) throws {
        let ending = try passSandbox(["box", "--listen", "127.0.0.1:0"] + options)
        #expect(ending.status == status && ending.output.isEmpty)
        #expect(ending.errors.contains(says), "\(ending.errors)")
        #expect(ending.errors.hasPrefix("pass-sandbox: ") && ending.errors.filter(\.isNewline).count == 1)
    }
}
