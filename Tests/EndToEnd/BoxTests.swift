// Tests `pass-sandbox box`: what developers can do with a box, how a box ends, and what is refused.

import FoundationEssentials
import Glibc
import PassTestTools
import Testing

@Suite struct BoxTests {
    @Test(arguments: [[], ["--protocol", "v1"], ["--foreign"], ["--foreign", "--protocol", "v1"]])
    func `a login, a play and a second app work with the printed settings`(options: [String]) throws {
        let box = try DeveloperBox(options + ["--seed", "1", "--no-throttle"])
        #expect(try box.run("passd-cli", "--requestor", "LUMENTV", "check").status == 3)
        try box.logIn(isForeign: options.contains("--foreign"))
        let token = try box.run("passd-cli", "--requestor", "LUMENTV", "authorize", "lumen-sports-1")
        #expect(token.status == 0, "\(token)")
        let verdict = try box.run(
            "pass-sandbox", "verify", String(token.output.prefix { !$0.isNewline }), "--server", box.origin)
        #expect(verdict.output.hasPrefix("VALID_TOKEN\nresource: lumen-sports-1\n"), "\(verdict)")
        #expect(try box.run("passd-cli", "--requestor", "NEWS24", "check").status == 0)
        // Each app has its stanza, and the operator's side is open as well.
        #expect(try box.run("passd-cli", "--requestor", "SUMMITTV", "check").status == 3)
        #expect(try box.run("passd-cli", "config", "show").status == 0)
        try box.stop().requireSuccess()
    }

    @Test func `the printed commands lead through a login and a play`() throws {
        let box = try DeveloperBox()
        let said = box.child.errors
        #expect(said.hasPrefix("pass-sandbox: the box is ready; Ctrl-C ends it.\n"))
        for part in [
            "page       \(box.origin)/ ", "lumen-tv (LUMENTV LUMENKIDS), news24 (NEWS24), summit (SUMMITTV)",
            "\(box.directory) (deleted at the end", "`. \(box.directory)/exports`",
            "  passd-cli --requestor LUMENTV login --provider NorthCable\n",
            "  pass-sandbox log-in CODE --user ada --password lovelace\n",
            "  passd-cli --requestor LUMENTV authorize lumen-sports-1\n", "Only this machine can open the pages",
        ] { #expect(said.contains(part), "\(part) is not in \(said)") }
        let page = try ChildProcess.run(["curl", "-fsS", box.origin + "/"])
        #expect(page.output.contains("<code>ada</code> with password <code>lovelace</code>"))
    }

    @Test(arguments: ["sh", "bash", "zsh"])
    func `a shell can evaluate the exports, even with special characters in the directory`(shell: String) throws {
        let scratch = TemporaryDirectory()
        let strange = scratch.file("it's a $HOME")
        let box = try DeveloperBox(["--directory", strange])
        let variables = try DeveloperBox.evaluate(box.child.output, in: shell)
        #expect(variables["PASSD_SOCKET"] == strange + "/passd.sock")
        #expect(variables["PASSD_ADMIN_SOCKET"] == strange + "/admin.sock")
        #expect(variables["SANDBOX"] == box.origin)
        #expect(variables["PATH"]?.hasSuffix(":/usr/bin:/bin") == true)
        #expect(try String(contentsOfFile: strange + "/exports", encoding: .utf8) == box.child.output)
        #expect(try box.run("passd-cli", "--requestor", "LUMENTV", "check").status == 3)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func `a signal ends the daemon and the service, and leaves no files`(
        number: Int32
    ) throws {
        let box = try DeveloperBox()
        let daemon = try box.daemon()
        #expect(DeveloperBox.isRunning(daemon) && access(box.directory, F_OK) == 0)
        box.child.signal(number)
        #expect(try box.child.wait().status == 0)
        #expect(!DeveloperBox.isRunning(daemon))
        #expect(access(box.directory, F_OK) != 0)
    }

    @Test func `a daemon that dies is restarted and keeps the viewer's login`() throws {
        let box = try DeveloperBox()
        try box.logIn()
        let daemon = try box.daemon()
        kill(daemon, SIGKILL)
        #expect(
            becomesTrue {
                box.child.errors.contains("pass-sandbox: passd has ended (signal 9), and was restarted as process ")
            })
        #expect(becomesTrue { (try? box.run("passd-cli", "--requestor", "LUMENTV", "check").status) == 0 })
        #expect(try box.daemon() != daemon)
        try box.stop().requireSuccess()
    }

    @Test func `if the daemon dies again and again, the box ends and prints how the daemon died`() throws {
        let box = try DeveloperBox()
        var killed: Set<pid_t> = []
        #expect(
            becomesTrue {
                if let daemon = try? box.daemon(), killed.insert(daemon).inserted { kill(daemon, SIGKILL) }
                return box.child.hasEnded
            })
        let ending = try box.child.wait()
        #expect(ending.status == 1 && killed.count >= 10)
        #expect(
            ending.errors.split(separator: "\n").last?
                .hasPrefix("pass-sandbox: passd has ended 10 times in 10 seconds (signal 9)") == true, "\(ending)")
        #expect(access(box.directory, F_OK) != 0)
        #expect(try ChildProcess.run(["curl", "-sS", box.origin + "/"]).status == 7)
    }

    @Test func `settings that the daemon refuses at a restart end the box, and only the reason is printed`() throws {
        let scratch = TemporaryDirectory()
        let box = try DeveloperBox(["--directory", scratch.file("tv")])
        scratch.write("[storage]\nintegrity-check = perhaps\n", to: "tv/passd.conf.d/own.conf")
        kill(try box.daemon(), SIGKILL)
        let ending = try box.child.wait()
        #expect(ending.status == 1)
        let last = ending.errors.split(separator: "\n").last ?? ""
        #expect(
            last.hasPrefix("pass-sandbox: passd does not start (exit code 78): ") && last.contains("perhaps"), "\(last)"
        )
        #expect(last.count < 700)
    }

    @Test func `if the service dies, the daemon ends`() throws {
        let scratch = TemporaryDirectory()
        let box = try DeveloperBox(["--directory", scratch.file("tv")])
        let daemon = try box.daemon()
        box.child.signal(SIGKILL)
        #expect(try box.child.wait().status == -SIGKILL)
        #expect(becomesTrue { !DeveloperBox.isRunning(daemon) })
        #expect(try String(contentsOfFile: scratch.file("tv/passd.log"), encoding: .utf8).contains("passd has stopped"))
        // The leftovers do not stop the next box.
        try DeveloperBox(["--directory", scratch.file("tv")]).stop().requireSuccess()
    }

    @Test func `a kept box knows its viewer and the developer's settings after a restart`() throws {
        let scratch = TemporaryDirectory()
        let directory = ["--directory", scratch.file("tv"), "--no-throttle"]
        let first = try DeveloperBox(directory)
        #expect(first.child.errors.contains("\(scratch.file("tv")) (kept;"))
        try first.logIn()
        scratch.write("[device]\nmodel = Box One\n", to: "tv/passd.conf.d/own.conf")
        try first.stop().requireSuccess()
        #expect(scratch.mode(of: "tv") == 0o700 && scratch.mode(of: "tv/sandbox.state") == 0o600)

        let again = try DeveloperBox(directory, listen: String(first.origin.dropFirst("http://".count)))
        let check = try again.run("passd-cli", "--requestor", "LUMENTV", "check")
        #expect(check.status == 0 && check.output.hasPrefix("Signed in with NorthCable"), "\(check)")
        #expect(try again.run("passd-cli", "--requestor", "LUMENTV", "authorize", "lumen-sports-1").status == 0)
        #expect(try again.run("passd-cli", "config", "show", "--changed").output.contains("Box One"))
    }

    @Test func `a second box in the same directory is refused, and the first box continues`() throws {
        let scratch = TemporaryDirectory()
        let box = try DeveloperBox(["--directory", scratch.file("tv")])
        let second = try passSandbox(["box", "--directory", scratch.file("tv"), "--listen", "127.0.0.1:0"])
        #expect(second.status == 1 && second.output.isEmpty)
        #expect(second.errors == "pass-sandbox: \(scratch.file("tv")) is in use by another box\n")
        #expect(try box.run("passd-cli", "--requestor", "LUMENTV", "check").status == 3)
    }

    @Test func `a port in use is named, and no daemon is left`() throws {
        let box = try DeveloperBox()
        let place = String(box.origin.dropFirst("http://".count))
        let second = try passSandbox(["box", "--listen", place])
        #expect(second.status == 1 && second.output.isEmpty)
        #expect(second.errors.hasPrefix("pass-sandbox: \(place) is in use: another program listens there"))
    }

    @Test(arguments: [
        (["--protocol", "v3"], 64, "--protocol v3 is not one of v2, v1"),
        (["--public-url", "http://tv.example", "--foreign"], 64, "--public-url and --foreign cannot be combined"),
        (["--public-url", "http://0.0.0.0:8642"], 64, "no browser can open 0.0.0.0"),
        (["--public-url", "http://[::]:8642"], 64, "name an address of this machine"),
        (["--listen", "192.0.2.1:8642"], 64, "for other machines, listen on 0.0.0.0:8642"),
        (["--passd", "/nowhere/passd"], 1, "--passd /nowhere/passd: there is no program"),
        (["--passd", "/usr"], 1, "--passd /usr: there is no program"),
        (["--passd", "/bin/false"], 1, "passd does not start (exit code 1)"),
        (["--directory", "SCRATCH/none/tv"], 1, "SCRATCH/none/tv cannot be created: No such file or directory"),
        (["--directory", "SCRATCH/file"], 1, "SCRATCH/file is not a directory"),
        (["--directory", "SCRATCH/open"], 1, "SCRATCH/open is not private"),
        (
            ["--directory", "SCRATCH/other"], 1,
            "SCRATCH/other/passd.conf does not belong to a box, so it is not replaced"
        ),
        (["--directory", "SCRATCH/wrong"], 1, "passd.conf.d/own.conf:2: "),
        (["--directory", "SCRATCH/" + String(repeating: "x", count: 100)], 64, "the path is too long for the sockets"),
    ])
    func `an option that cannot work is reported in one line`(options: [String], status: Int32, says: String) throws {
        let scratch = TemporaryDirectory()
        scratch.write("", to: "file")
        for (folder, file, text) in [
            ("open", "x", ""), ("other", "passd.conf", "[backend]\n"),
            ("wrong/passd.conf.d", "own.conf", "[backend]\nprotocol = v9\n"),
        ] {
            try FileManager.default.createDirectory(
                atPath: scratch.file(folder), withIntermediateDirectories: true)
            scratch.write(text, to: folder + "/" + file)
        }
        for name in ["other", "wrong"] { scratch.setMode(of: name, to: 0o700) }
        scratch.setMode(of: "open", to: 0o750)
        let words = options.map { $0.replacing("SCRATCH", with: scratch.path) }
        // Each option is given once; a later one would override it.
        let listen = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        let ending = try passSandbox(["box"] + listen + words)
        #expect(ending.status == status && ending.output.isEmpty)
        #expect(ending.errors.contains(says.replacing("SCRATCH", with: scratch.path)), "\(ending.errors)")
        #expect(ending.errors.hasPrefix("pass-sandbox: ") && ending.errors.filter(\.isNewline).count == 1)
    }

    @Test func `without a daemon the box says where it looked`() throws {
        let scratch = TemporaryDirectory()
        // Runs a copy in another directory, with a short PATH.
        let copy = scratch.write(Array(try Data(contentsOf: URL(filePath: program))), to: "pass-sandbox")
        chmod(copy, 0o700)
        let ending = try ChildProcess.run(
            [copy, "box", "--catalog", shippedCatalogue, "--listen", "127.0.0.1:0"], environment: ["PATH": "/bin"])
        if access("/usr/sbin/passd", X_OK) != 0, access("/usr/local/sbin/passd", X_OK) != 0 {
            #expect(ending.status == 1)
            #expect(ending.errors.contains("there is no passd in \(scratch.path) or on the PATH"), "\(ending)")
        }
    }

    @Test func `with a public URL the code has an address for phones, and the service listens on all addresses`() throws
    {
        let free = try RunningSandbox()
        _ = try free.stop()
        let url = "http://198.51.100.7:\(free.port)"
        let box = try DeveloperBox(["--public-url", url], listen: nil)
        #expect(box.origin == "http://127.0.0.1:\(free.port)", "the daemon uses this machine's address")
        #expect(box.child.errors.contains("page       \(url)/ "))
        #expect(box.child.errors.contains("Other machines can reach the service at port \(free.port)"))
        let login = try box.run("passd-cli", "--requestor", "LUMENTV", "login", "--provider", "NorthCable", "--no-wait")
        #expect(login.output.contains("Address  \(url)/activate?code="), "\(login)")
        #expect(!login.output.contains("phone"))
    }

    @Test(arguments: [("localhost", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("[::1]", "[::1]")])
    func `with a public URL of this machine, only this machine can connect, and the box says so`(
        name: String, place: String
    ) throws {
        let free = try RunningSandbox()
        _ = try free.stop()
        let box = try DeveloperBox(["--public-url", "http://\(name):\(free.port)"], listen: nil)
        #expect(box.origin == "http://\(place):\(free.port)")
        #expect(box.child.errors.contains("page       http://\(name):\(free.port)/ "))
        #expect(box.child.errors.contains("Only this machine can open the pages"))
        let login = try box.run("passd-cli", "--requestor", "LUMENTV", "login", "--provider", "NorthCable", "--no-wait")
        let page = try #require(login.output.firstMatch(of: /Address +(\S+)/)?.1)
        #expect(try ChildProcess.run(["curl", "-fsS", "-o", "/dev/null", String(page)]).status == 0, "\(login)")
    }

    @Test func `with an https URL the box says which program must forward requests`() throws {
        let box = try DeveloperBox(["--public-url", "https://tv.example"])
        #expect(
            box.child.errors.contains(
                "The server at https://tv.example must forward requests to \(box.origin)."))
    }

    @Test func `the commands of the guide for apps work with the box`() throws {
        let page = try String(contentsOfFile: repository + "docs/write-an-app.md", encoding: .utf8)
        let chapter = try #require(page.split(separator: "\n## The same on the command line\n").last)
        let block = try #require(chapter.split(separator: "```").dropFirst().first)
        let commands = block.split(separator: "\n").dropFirst().map { line in
            String(line.prefix { $0 != "#" }).split(separator: " ").joined(separator: " ")
        }
        #expect(commands.count == 6)
        let box = try DeveloperBox()
        for command in commands {
            let child = try ChildProcess(["env", "bash", "-c", command], environment: box.variables)
            if command.hasSuffix("login") {
                // A user at a terminal would be asked for the provider.
                #expect(try child.wait().status == 64)
                try box.logIn()
            } else if command.hasSuffix("watch") {
                #expect(becomesTrue { child.output.contains("\n") || child.errors.contains("\n") || child.hasEnded })
                child.signal(SIGTERM)
                _ = try child.wait()
            } else {
                #expect(try child.wait().status == 0, "\(command): \(child.errors)")
            }
        }
    }

    @Test func `a program of Examples/sign-on gives its tokens to the box`() throws {
        let scratch = TemporaryDirectory()
        let free = try RunningSandbox()
        _ = try free.stop()
        let example = try String(contentsOfFile: repository + "Examples/sign-on/sandbox-service-token", encoding: .utf8)
        let script = example.replacing("http://127.0.0.1:8642", with: free.origin)
            .replacing("exec pass-sandbox", with: "exec \(program)")
        for folder in ["tv", "tv/passd.conf.d"] { mkdir(scratch.file(folder), 0o700) }
        chmod(scratch.write(script, to: "token"), 0o700)
        scratch.write(
            "[sign-on]\nplatform-identity = none\nservice-token = command:\(scratch.file("token"))\n",
            to: "tv/passd.conf.d/sign-on.conf")
        let place = String(free.origin.dropFirst("http://".count))
        let box = try DeveloperBox(["--directory", scratch.file("tv"), "--no-throttle"], listen: place)
        // For the first token, the service makes a key, which takes long on a busy machine.
        try ChildProcess.run([scratch.file("token")]).requireSuccess()
        try box.logIn()
        #expect(try box.run("passd-cli", "--requestor", "NEWS24", "check").status == 0)
        #expect(try box.run("passd-cli", "--requestor", "NEWS24", "profiles").output.contains("serviceToken"))
    }

    @Test(arguments: [("addon", "lumen-tv"), ("older_addon", "lumen-legacy")])
    func `a client of the service works with the box as well`(_ shape: String, _ app: String) throws {
        let box = try DeveloperBox(["--no-throttle"])
        let statement = try box.run("pass-sandbox", "statement", app, "--server", box.origin).output
        let ending = try box.run(
            "python3", "-B", repository + "Tests/Clients/\(shape).py", box.origin,
            String(statement.prefix { !$0.isNewline }))
        #expect(ending.output == "done\n", "\(ending)")
    }
}
