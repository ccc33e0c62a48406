// Tests a reset of the service passd on boxes with unusual units, keys and file systems. Programs of the test take the place
// of systemd's.

import Glibc
import PassTestTools
import Testing

@Suite("passd-setup(8): reset of the service", .enabled(if: geteuid() == 0, "only root can mount file systems"))
struct ResetServiceTests {
    private let folder = TemporaryDirectory()
    private static let starts = [
        "start passd.socket", "start passd-admin.socket", "restart passd.service",
    ]

    @Test func `a reset replaces the key and starts the service`() throws {
        let ending = try reset()
        #expect(ending.status == 0 && ending.errors == "", "\(ending)")
        #expect(ending.output.contains("passd is reset."))
        #expect(starts == Self.starts && key == .replaced)
    }

    @Test(arguments: ["passd.service", "passd-admin.socket"])
    func `a unit that an operator has masked stays masked`(unit: String) throws {
        folder.write(unit, to: "masked")
        let ending = try reset()
        #expect(ending.status == 0 && ending.errors == "", "\(ending)")
        #expect(ending.output.contains("\(unit) stays masked."))
        let others = Self.starts.filter { !$0.hasSuffix(unit) }
        #expect(starts == (unit == "passd.service" ? [] : others) && key == .replaced)
    }

    @Test func `a service that does not start is reported`() throws {
        folder.write("", to: "broken")
        let ending = try reset()
        #expect(ending.status == 1 && ending.errors.contains("passd failed to start"), "\(ending)")
    }

    @Test func `a key that is a link is replaced, and the command names the former key`() throws {
        let ending = try reset(
            "mv /etc/passd/sealing-key.cred /run/former && ln -s /run/former /etc/passd/sealing-key.cred")
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.errors.contains("was a link; delete the former key, /run/former"))
        #expect(starts == Self.starts && key == .replaced)
        #expect(folder.read("run/former") == Array("former key".utf8))
    }

    @Test func `on a read-only file system the key stays, and everything else is reset`() throws {
        let ending = try reset("mount -o remount,ro /etc")
        #expect(ending.status == 0 && ending.errors.contains("sealing-key.cred could not be replaced"), "\(ending)")
        #expect(starts == Self.starts && key == .kept)
    }

    @Test func `a reset is complete although nothing reads its output`() throws {
        // The reader is gone before the reset begins, and the command has much to say.
        folder.write("", to: "lonely")
        let ending = try reset(
            "mv /etc/passd/sealing-key.cred /run/former && ln -s /run/former /etc/passd/sealing-key.cred;"
                + "mkfifo /run/pipe; true < /run/pipe & exec > /run/pipe 2>&1; wait")
        #expect(ending.status == 0, "\(ending)")
        #expect(starts == Self.starts && key == .replaced)
    }

    private enum Key { case replaced, kept }

    private var key: Key? {
        switch folder.read("etc/passd/sealing-key.cred") {
        case Array("former key".utf8): .kept
        case let other where other.count == 32: .replaced
        default: nil
        }
    }

    /// The units that were started in the end.
    private var starts: [String] {
        String(decoding: folder.read("calls"), as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("start ") || $0.hasPrefix("restart ") }
    }

    /// Resets a box on small file systems, which only the command sees.
    private func reset(_ preparation: String = ":") throws -> ChildProcess.Ending {
        let programs = [
            "systemctl": """
            echo "$*" >> \(folder.path)/calls
            case $* in
                "is-enabled $(cat \(folder.path)/masked 2> /dev/null)") echo masked && exit 1 ;;
                *is-enabled*) exit 1 ;;
                restart*) [ ! -e \(folder.path)/broken ] ;;
            esac
            """,
            "systemd-detect-virt": "exit 1", "passd-cli": "[ $1 != --no-color ] && [ ! -e \(folder.path)/lonely ]",
            "systemd-creds": "exec cat",
        ]
        for (name, text) in programs {
            folder.write("#!/bin/sh\n\(text)\n", to: name)
            folder.setMode(of: name, to: 0o755)
        }
        let script = """
            set -e
            for each in run etc var; do mount -t tmpfs none /$each; done
            mkdir -p /run/systemd/system /etc/passd /var/lib/passd
            printf 'former key' > /etc/passd/sealing-key.cred
            for each in passd.lock passd.db salt; do echo former > /var/lib/passd/$each; done
            \(preparation)
            status=0
            PATH=\(folder.path):$PATH systemd/passd-setup reset --yes || status=$?
            [ "$(find /var/lib/passd -type f)" = /var/lib/passd/imported/forgotten ] || status=99
            cp -a /etc /run \(folder.path)
            exit $status
            """
        return try ChildProcess.run(["unshare", "--mount", "sh", "-c", script], folder: repository)
    }
}
