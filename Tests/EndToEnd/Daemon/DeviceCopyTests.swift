// Tests boxes with a copied disk: the logins of one box must not be valid on the other.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("access-enabler.md §10, ruling 30: copies of a disk") struct DeviceCopyTests {
    @Test(arguments: Interface.allCases)
    func `a box that starts with a copied disk is a stranger, also for single sign-on`(
        interface: Interface
    ) throws {
        let factory = TemporaryDirectory()
        let identity = factory.write("box-1\n", to: "identity")
        let box = try RunningBox("[device]\nidentity = file:\(identity)", interface: interface)
        for name in ["box-1", "box-2", "box-3"] {
            factory.write("\(name)\n", to: "identity")
            if name != "box-1" {
                try box.kill()
                try box.start()
            }
            let app = try box.app()
            let setup = try app.call("setRequestor", ["requestorID": "LUMENTV"])
            #expect(setup["authenticated"] == false, "\(name)")
            #expect(app.told().contains("SEC412") == (name != "box-1"), "\(name): its app hears why")
            let other = try box.app("NEWS24")
            #expect(try other.call("checkAuthentication")["authenticated"] == false, "\(name)")
            try box.logIn(try app.openLogin())
            try app.hearLogin()
        }
    }
}
