// `passd --check-config`. operations.md §1, §2.

import Testing

@testable import passd

@Suite struct ConfigurationCheckTests {
    @Test func `a good configuration is called good`() throws {
        let check = ConfigurationCheck(try Workspace().load("[backend]\nburst = 3\n"))
        #expect(check.text == "configuration is good\n" && check.status == .done)
    }

    @Test func `either protocol is spoken`() throws {
        for text in ["v1", "v2", "v1\nregcode-origin = https://codes.example"] {
            let check = ConfigurationCheck(try Workspace().load("[backend]\nprotocol = \(text)\n"))
            #expect(check.text == "configuration is good\n" && check.status == .done)
        }
        #expect(
            ConfigurationCheck(try Workspace().load("[backend]\nregcode-origin = http://codes.example\n")).status
                == .configuration)
    }

    @Test func `warnings are told, and the configuration is still good`() throws {
        let workspace = try Workspace()
        let check = ConfigurationCheck(try workspace.load(apps: "[app a]\nrequestors = A\n"))
        #expect(
            check.text == """
                \(workspace.file("etc/passd/apps.d/test.conf")):1: warning: app a has no allow: nobody may be this app
                configuration is good

                """)
        #expect(check.status == .done)
    }

    @Test(arguments: [
        ("[backend]\nburst = many\n", "2: burst = many: expected a number, 1 to 1000"),
        ("[backend]\nbrust = 3\n", "2: unknown key \"brust\" in [backend], nearest known key: burst"),
    ])
    func `a mistake ends it with 78`(text: String, line: String) throws {
        let workspace = try Workspace()
        let check = ConfigurationCheck(try workspace.load(text))
        #expect(check.text == "\(workspace.file("etc/passd/passd.conf")):\(line)\n")
        #expect(check.status == .configuration && check.status.rawValue == 78)
    }

    @Test func `a mistake in a stanza ends it with 78, too`() throws {
        let check = ConfigurationCheck(try Workspace().load(apps: "[app a]\nallow = usr:kodi\n"))
        #expect(check.status == .configuration)
    }
}
