// Tests the life of a login from the platform: the proof, logout, a withdrawn permission, a restart, and the end of
// both accounts. The real programs run on both interfaces.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassSandbox

@Suite("access-enabler.md §17.4, §17.7, §17.8: a login from the platform") struct PartnerLifeTests {
    /// The statuses of the service's answers to exchanges of a proof for a login.
    private func exchanges(_ tv: PartnerBox) throws -> [Int] {
        let requests = try tv.box.sandbox.request("GET", "/sandbox/journal").json["requests"]?.array ?? []
        return requests.compactMap { request in
            let path = request["path"]?.string ?? ""
            let isExchange = path == "/api/v1/tokens/authn" || path.contains("/profiles/sso/")
            guard request["method"] == "POST", isExchange else { return nil }
            return request["status"]?.int.map(Int.init)
        }
    }

    // MARK: The proof, OQ-51

    /// A box whose helper changes the text of the proof.
    private func box(_ interface: Interface, proof change: String) throws -> PartnerBox {
        let end = #"["SAMLResponse"]).decode()"#
        return try PartnerBox(interface, change: (end, end + change))
    }

    @Test(arguments: Interface.allCases)
    func `OQ-51: line breaks that spoil the proof cost the sign-on, and the ordinary login works`(
        interface: Interface
    ) throws {
        let tv = try box(interface, proof: #".replace("<saml:Assertion ", "<saml:Assertion\n")"#)
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == false)
        #expect(app.told() == ["AAPL", "setRequestorComplete"])
        #expect(try exchanges(tv) == [400])
        let mark = app.callbacks.count
        #expect(try app.call("getAuthentication")["state"] == "selectProvider")
        #expect(app.told(since: mark) == ["VSA503", "displayProviderDialog"])
        #expect(try exchanges(tv) == [400, 400])
        try tv.logInOrdinarily(app)
        #expect(try app.profileTypes == ["regular"])
        #expect(try tv.playsFine(app))
        // §17.8: only viewers who signed in through the platform are sent there.
        let last = app.callbacks.count
        #expect(try app.call("logout")["actions"]?.array?.first?["action"] == "none")
        #expect(app.told(since: last) == ["authenticated 0"])
    }

    @Test(
        arguments: Interface.allCases,
        [#".replace("><", ">\r\n<") + "\n""#, #".replace(" ", " \t ")"#, #".replace("", "\n", 1)"#])
    func `OQ-51: blanks and line breaks that the clean-up removes do no harm`(
        interface: Interface, change: String
    ) throws {
        let tv = try box(interface, proof: change)
        #expect(try tv.set(try tv.app())["authenticated"] == true)
    }

    @Test(arguments: Interface.allCases)
    func `a platform without a proof costs only the sign-on`(interface: Interface) throws {
        let tv = try box(interface, proof: #" and None"#)
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == false)
        #expect(app.told() == ["AAPL", "setRequestorComplete"])
        #expect(try exchanges(tv).isEmpty)
    }

    // MARK: Its end

    @Test(arguments: Interface.allCases)
    func `after a logout the platform signs the viewer on again, until the viewer has signed out there`(
        interface: Interface
    ) throws {
        let tv = try PartnerBox(interface)
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == true)
        let mark = app.callbacks.count
        let step = try app.call("logout")["actions"]?.array?.first
        #expect(step?["provider"] == "BeaconTV" && step?["action"] == "platformSettings")
        #expect(app.told(since: mark) == ["VSA203", "authenticated 0"])
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        #expect(try app.profileTypes.isEmpty)
        #expect(try tv.set(app)["authenticated"] == true)
        #expect(try tv.playsFine(app))
        try app.call("logout")
        try tv.write(["account": .null])
        #expect(try tv.set(app)["authenticated"] == false)
    }

    @Test(arguments: Interface.allCases)
    func `a withdrawn permission ends the login everywhere, and a new permission restores it`(
        interface: Interface
    ) throws {
        let tv = try PartnerBox(interface)
        let (app, other) = (try tv.app(), try tv.app())
        #expect(try tv.set(app)["authenticated"] == true)
        #expect(try tv.set(other)["authenticated"] == true)
        try tv.write(["consent": ["lumen-tv": "denied"]])
        let mark = other.callbacks.count
        #expect(try tv.set(other)["authenticated"] == false)
        #expect(other.told(since: mark).contains("VSA403"))
        try app.hear("setAuthenticationStatus") { $0["status"] == 0 && $0["reason"] == "logout" }
        for session in [app, other] {
            #expect(try session.call("checkAuthentication")["authenticated"] == false)
            #expect(try session.call("checkAuthorization", ["resource": "lumen-sports-1"])["authorized"] == false)
        }
        try tv.write([:])
        #expect(try tv.set(other)["authenticated"] == true)
    }

    @Test(arguments: Interface.allCases)
    func `without platform sign-on a viewer uses the normal login, also with the same provider`(
        interface: Interface
    ) throws {
        let tv = try PartnerBox(interface)
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == true)
        try tv.write(["consent": ["lumen-tv": "denied"]])
        #expect(try tv.set(app)["authenticated"] == false)
        let mark = app.callbacks.count
        #expect(try app.call("getAuthentication")["state"] == "selectProvider")
        #expect(app.told(since: mark) == ["VSA403", "displayProviderDialog"])
        let state = try app.call("setSelectedProvider", ["providerID": "BeaconTV"])
        try tv.box.logIn(state["code"]?.string ?? "", "BeaconTV", "omar", "lighthouse")
        try app.hearLogin()
        #expect(try app.profileTypes == ["regular"])
        #expect(try tv.playsFine(app))
    }

    @Test(arguments: Interface.allCases)
    func `the login survives a restart of the daemon, and needs no second proof`(interface: Interface) throws {
        let tv = try PartnerBox(interface)
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == true)
        try tv.restart()
        let later = try tv.app()
        #expect(try tv.set(later)["authenticated"] == true)
        #expect(try tv.playsFine(later))
        #expect(try exchanges(tv).count == 1)
    }

    @Test(arguments: Interface.allCases)
    func `§17.7: a login that ends at the service is silently renewed while the platform's account is valid`(
        interface: Interface
    ) throws {
        let tv = try PartnerBox(interface)
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == true)
        _ = try tv.box.sandbox.control("/sandbox/expire", ["kind": "login"])
        #expect(try tv.set(app)["authenticated"] == true)
        // The daemon asks the service after the answer.
        try app.hear("setAuthenticationStatus") { $0["status"] == 1 && $0["reason"] == "sso" }
        #expect(try exchanges(tv).count == 2)
        // Ruling 28: the login ends with the platform's account. No other account can sign the viewer in.
        _ = try tv.box.sandbox.control("/sandbox/expire", ["kind": "login"])
        try tv.write(["account": .null])
        try tv.restart()
        let later = try tv.app()
        #expect(try tv.set(later)["authenticated"] == false)
    }

    @Test(arguments: Interface.allCases)
    func `ruling 28, §17.7: a login from the platform ends with the platform's account`(
        interface: Interface
    ) throws {
        let tv = try PartnerBox(interface)
        let clock = try tv.box.sandbox.request("GET", "/sandbox/clock").json["now"]?.int ?? 0
        func account(until hours: Int64) -> [String: JSONValue] {
            let ends = JSONValue.int(Int(clock + hours * 3_600_000))
            return [
                "account": ["provider": "beacon-11", "user": "omar", "password": "lighthouse", "expires": ends]
            ]
        }
        try tv.write(account(until: 1))
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == true)
        _ = try tv.box.sandbox.control("/sandbox/clock", ["advance": "2h"])
        if interface == .v1 {
            // The service knows nothing of the account. The daemon learns the date from this answer.
            #expect(try tv.playsFine(app))
            #expect(try tv.set(app)["authenticated"] == false)
            #expect(try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["authorized"] == false)
            try tv.write(account(until: 9))
            #expect(try tv.set(app)["authenticated"] == true)
            #expect(try tv.playsFine(app))
            return
        }
        // The newer service requires a valid account for each use of its login: rest-v2.md §6.2, §12.3.
        let refusal = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        #expect(refusal["authorized"] == false && refusal["errorCode"] == "USER_NOT_AUTHENTICATED_ERROR")
        #expect(refusal["error"]?["code"] == "invalid_header_pfs_provider_info_expired")
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        // Once the viewer has renewed the account, everything works again without a dialog.
        try tv.write(account(until: 9))
        let mark = app.callbacks.count
        #expect(try app.call("getAuthentication")["state"] == "authenticated")
        #expect(app.told(since: mark) == ["authenticated 1"])
        #expect(try tv.playsFine(app))
    }
}
