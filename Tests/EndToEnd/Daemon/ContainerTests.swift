// Tests the page about apps in containers with bubblewrap: sandboxes of one user, each with its own socket. docs/containers.md,
// docs/decisions/0023.

import FoundationEssentials
import Glibc
import PassTestTools
import Testing

private let bubblewrap = "bwrap --ro-bind / / --dev /dev --proc /proc --unshare-pid --tmpfs /tmp --tmpfs /run"
private let canContain = (try? ChildProcess.run(["sh", "-c", "\(bubblewrap) true"]).status) == 0

@Suite("ruling 55", .enabled(if: canContain || getenv("CI") != nil, "some kernels let only root make sandboxes"))
struct ContainerTests {
    private let box: RunningBox
    private var apps: String { box.scratch.file("apps") }
    private var path: String { "\(RunningBox.builds):/usr/bin:/bin" }

    /// Two apps of this user, told apart by their sockets.
    init() throws {
        box = try RunningBox()
        for (app, requestor) in [("news24", "NEWS24"), ("summit", "SUMMITTV")] {
            box.scratch.write(
                """
                [app \(app)]
                requestors = \(requestor)
                software-statement = file:\(box.scratch.file("\(app).jwt"))
                allow = socket:\(app)+user:\(geteuid())

                """, to: "apps.d/\(app).conf")
        }
        _ = try box.reload()
    }

    private func run(_ script: String) throws -> ChildProcess.Ending {
        try ChildProcess.run(["sh", "-euc", script], environment: ["APPS": apps, "PATH": path])
    }

    /// Runs a command in a sandbox with the socket of this app.
    private func contain(_ app: String?, _ command: String) throws -> ChildProcess.Ending {
        let mount = app.map { "--ro-bind \"$APPS/\($0)\" /run/passd " } ?? ""
        return try run("\(bubblewrap) \(mount)sh -c '\(command)'")
    }

    @Test func `the commands of the page show the app of each sandbox`() throws {
        let page = try String(contentsOfFile: repository + "docs/containers.md", encoding: .utf8)
        var (lines, isInside, isCode): ([Substring], Bool, Bool) = ([], false, false)
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            switch line {
            case "<!-- bubblewrap:begin -->": isInside = true
            case "<!-- bubblewrap:end -->": isInside = false
            case "```sh": isCode = isInside
            case "```": isCode = false
            default: if isCode { lines.append(line) }
            }
        }
        #expect(lines.count == 9)
        let ending = try run(lines.joined(separator: "\n"))
        #expect(ending.status == 0, "\(ending.errors)")
        for app in ["news24", "summit"] { #expect(ending.output.contains("socket:\(app)"), "\(ending.output)") }
    }

    @Test func `no sandbox can be another app, an operator, or a peer without a socket`() throws {
        for (app, own, other) in [("news24", "NEWS24", "SUMMITTV"), ("summit", "SUMMITTV", "NEWS24")] {
            #expect(try contain(app, "passd-cli --requestor \(own) check").status == 3)
            #expect(try contain(app, "passd-cli --requestor \(other) check").status == 77)
            #expect(try contain(app, "passd-cli status").status == 69)
            #expect(try contain(app, "ls /run/passd").output == "passd.sock\n")
        }
        #expect(try contain(nil, "passd-cli call passd.whoami").status == 69)
        // The socket of all apps gives none of these rights.
        let outside = try box.cli(["--requestor", "NEWS24", "check"])
        #expect(outside.status == 77, "\(outside)")
    }

    @Test(arguments: [
        ("", "/sandbox/journal", "200"), ("", "/sandbox/journal -H \"Host: tv.example\"", "403"),
        ("", "/sandbox/journal -H \"Sec-Fetch-Site: cross-site\"", "403"),
        ("", "/sandbox/reset -X POST -H \"Origin: http://tv.example\"", "403"),
        ("", "/press -d \"press=POST /sandbox/reset\"", "403"), ("--unshare-net ", "/sandbox/journal", "000"),
    ]) func `a sandbox with the network of the host is a program of this machine for pass-sandbox, and no page`(
        network: String, request: String, status: String
    ) throws {
        let origin = box.sandbox.origin
        let ending = try run(
            "\(bubblewrap) \(network)sh -c 'curl -s -o /dev/null -w \"%{http_code}\" \(origin)\(request)' || true")
        #expect(ending.output == status, "\(ending)")
    }

    @Test func `a sandbox that runs sees the socket of the next daemon`() throws {
        let signal = TemporaryDirectory()
        let child = try ChildProcess(
            [
                "sh", "-euc",
                "\(bubblewrap) --ro-bind \"$APPS/news24\" /run/passd --ro-bind \(signal.path) /tmp/signal sh -c "
                    + "'passd-cli call passd.whoami; until [ -e /tmp/signal/go ]; do sleep 0.05; done; "
                    + "passd-cli call passd.whoami'",
            ], environment: ["APPS": apps, "PATH": path])
        #expect(becomesTrue { child.output.contains("socket:news24") })
        _ = try box.stop()
        try box.start()
        signal.write("", to: "go")
        let ending = try child.wait()
        #expect(ending.output.split(separator: "\n").filter { $0.contains("socket:news24") }.count == 2, "\(ending)")
    }

    @Test func `the reason of a denial says that the process is in a container`() throws {
        let mount = "--ro-bind \(box.scratch.path) /run/passd"
        _ = try run("\(bubblewrap) \(mount) passd-cli --requestor NEWS24 check || true")
        let why = try box.cli(["why", "--json"])
        #expect(why.output.contains("process is in a container"), "\(why)")
    }

    @Test func `a command of the operator explains what a rule with a socket decides`() throws {
        for (socket, status) in [("news24", Int32(0)), ("summit", 3)] {
            let ending = try box.cli([
                "--requestor", "NEWS24", "policy", "explain", "getAuthorization", "--uid", "\(geteuid())",
                "--app-socket",
                socket,
            ])
            #expect(ending.status == status, "\(ending)")
        }
    }

    /// A mount namespace alone is not called a container, because many services of systemd have one.
    @Test(arguments: [
        ("--unshare-pid", true), ("--unshare-user", true), ("--unshare-user --unshare-pid", true), ("", geteuid() != 0),
    ]) func `a process is in a container if it has process IDs or user IDs of its own`(
        _ namespaces: String, _ isContained: Bool
    ) throws {
        // The shell finds its number outside of the container, because it sees the /proc of the box.
        let child = try ChildProcess([
            "sh", "-euc",
            "exec bwrap --ro-bind / / --dev /dev \(namespaces) sh -c 'read n rest < /proc/self/stat; echo $n.; sleep 60; true'",
        ])
        defer { child.signal(SIGKILL) }
        #expect(becomesTrue { child.output.contains(".") })
        let inner = child.output.prefix { $0 != "." }
        let explained = try box.cli([
            "--requestor", "NEWS24", "policy", "explain", "getAuthorization", "--pid", "\(inner)",
        ])
        #expect(explained.output.contains("process is in a container") == isContained, "\(explained)")
        // Root can compare mount namespaces, if this machine itself is no container.
        let canCompare = try run("readlink /proc/1/ns/mnt").status == 0
        #expect(explained.output.contains("in another mount namespace") == canCompare, "\(explained)")
    }

    /// Two sandboxes of one user share the network and so the abstract names, but neither files nor processes.
    @Test func `an app in a sandbox finds no way to the socket of another app`() throws {
        let other = try ChildProcess(
            [
                "sh", "-euc",
                "\(bubblewrap) --ro-bind \"$APPS/summit\" /run/passd sh -c 'passd-cli call passd.whoami; sleep 60; true'",
            ], environment: ["APPS": apps, "PATH": path])
        defer { other.signal(SIGKILL) }
        #expect(becomesTrue { other.output.contains("socket:summit") })
        let processes = try run("pgrep -P \(other.id); pgrep -P $(pgrep -P \(other.id) | head -n 1)").output
            .split(separator: "\n")
        #expect(processes.count > 1)
        let places =
            ["/run/passd/../\(apps)/summit", "\(apps)/summit", "/proc/1/root/run/passd/../summit", "/run/passd/link"]
            + processes.map { "/proc/\($0)/root/run/passd" }
        // With a link of its own, an app sees only what its sandbox has.
        let attacks = places.map {
            "ln -sfn \($0) /tmp/link; for each in \($0) /tmp/link; do for name in passd.sock admin.sock; do "
                + "PASSD_SOCKET=$each/$name passd-cli call passd.whoami && echo REACHED $each; done; done; "
        }
        let ending = try contain(
            "news24",
            "exec 2> /dev/null; ln -s \(apps)/summit /run/passd/link && echo WRITTEN; rm -f /run/passd/passd.sock && echo REMOVED; "
                + attacks.joined() + "passd-cli call passd.whoami")
        #expect(ending.output.contains("socket:news24"), "\(ending)")
        for word in ["WRITTEN", "REMOVED", "REACHED", "summit"] { #expect(!ending.output.contains(word), "\(ending)") }
        // Sandboxes of the page share the names of the network, and passd has none there.
        #expect(try run("grep -c ' @.*passd' /proc/net/unix || true").output == "0\n")
    }
}
