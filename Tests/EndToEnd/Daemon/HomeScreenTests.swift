// Tests a home screen at a real daemon: what it sees of other apps' logins, and its sign-out.

import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("rpc.md §6: home screens") struct HomeScreenTests {
    @Test func `a home screen sees the login and the code of another app, and signs out for all`() throws {
        let box = try RunningBox()
        let home = try box.app()
        for method in ["passd.household", "passd.signOut"] {
            #expect(try home.errorName(method) == "DENIED")
            #expect(becomesTrue { box.daemon.errors.contains("method=\(method)") })
        }
        box.scratch.write(
            "[app home]\nallow = user:\(geteuid())\nmay = household observe\n", to: "apps.d/home.conf")
        _ = try box.reload(app: "lumen-tv", adding: "title = Lumen TV")
        try home.call("passd.subscribe", ["types": ["authentication", "login.opened"]])

        let tv = try box.app("LUMENTV")
        let code = try tv.openLogin()
        try home.hear("event") { $0["type"] == "login.opened" }
        let open = try home.call("passd.household")
        #expect(open["signedIn"] == false && open["openCodes"]?.array?.first?["title"] == "Lumen TV")
        let text = String(decoding: JSONWriter.bytes(open), as: UTF8.self)
        #expect(!text.contains(code) && !text.contains("http"), "\(text)")

        try box.logIn(code)
        try tv.hearLogin()
        try home.hear("event") { $0["data"]?["authenticated"] == true }
        let household = try home.call("passd.household")
        let login = household["logins"]?.array?.first
        #expect(household["signedIn"] == true && household["openCodes"] == [])
        #expect(login?["provider"]?["displayName"] == "North Cable" && login?["kind"] == "regular")
        let now = household["logins"]?.array?.first?["apps"]?.array?.first { $0["title"] == "Lumen TV" }
        #expect(now?["lastUsed"]?.int64 ?? 0 > login?["since"]?.int64 ?? .max)

        #expect(try home.call("passd.signOut")["untold"] == nil)
        let status = try tv.hear("setAuthenticationStatus") { $0["status"] == 0 }
        #expect(status["reason"] == "logout")
        try home.hear("event") { $0["data"]?["authenticated"] == false && $0["data"]?["by"] == "home" }
        #expect(try home.call("passd.household")["signedIn"] == false)
        // The service knows of the sign-out, too.
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
        #expect(becomesTrue { box.daemon.errors.contains("by=home") })
    }
}
