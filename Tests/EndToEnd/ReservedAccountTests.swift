// Tests that no instance can use another account of passd. An instance with the name of another account would get that
// account. operations.md §3.

import FoundationEssentials
import PassProtocol
import PassTestTools
import Testing

@Suite struct ReservedAccountTests {
    /// The names of accounts after `passd-`, from the lines `u NAME …` and `g NAME …` of the shipped files.
    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: repository + "systemd")) ?? []
        let lines = files.filter { $0.hasSuffix(".sysusers") }.flatMap { file in
            ((try? String(contentsOfFile: repository + "systemd/" + file, encoding: .utf8)) ?? "")
                .split(separator: "\n").map { $0.split(separator: " ") }
        }
        let accounts = lines.filter { ["u", "u!", "g"].contains($0.first) && $0.count > 1 }.map { $0[1] }
        return accounts.filter { $0.hasPrefix("passd-") }.map { String($0.dropFirst("passd-".count)) }
    }()

    @Test func `the shipped files have more accounts than the daemon's`() {
        #expect(Self.names.sorted() == ["metrics", "web"])
    }

    @Test(arguments: names)
    func `no instance can have the account of another program`(name: String) throws {
        #expect(InstanceName(name) == nil)
        #expect(InstanceName.form.contains(name))
        let ending = try ChildProcess.run(["systemd/passd-setup", "--instance", name, "status"], folder: repository)
        #expect(ending.status == 64)
        #expect(
            ending.errors == """
                passd-setup: no instance can be called \(name), because the account passd-\(name) has another purpose

                """)
    }
}
