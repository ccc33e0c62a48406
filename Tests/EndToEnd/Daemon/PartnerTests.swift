// Tests logins by the box's own TV account: every branch, with the real programs on both interfaces.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassSandbox

@Suite("access-enabler.md §17: the platform's TV account, with the reference helper") struct PartnerTests {
    // MARK: setRequestor, §17.3

    @Test(arguments: Interface.allCases)
    func `a viewer who is signed in at the platform is signed in without a dialog, and can play`(
        interface: Interface
    ) throws {
        let tv = try PartnerBox(interface)
        let app = try tv.app()
        let setup = try tv.set(app)
        #expect(setup["authenticated"] == true && setup["provider"] == "BeaconTV")
        #expect(app.told() == ["setRequestorComplete"])
        #expect(try app.profileTypes == ["appleSSO"])
        #expect(try app.call("checkAuthentication")["authenticated"] == true)
        #expect(try tv.playsFine(app))
        let codes = try tv.box.journal().filter { $0.hasSuffix("/sessions") || $0.hasSuffix("/regcode") }
        #expect(codes.isEmpty, "nobody needed a code: \(codes)")
    }

    @Test(arguments: Interface.allCases)
    func `a second requestor is signed in too, but not a requestor without sign-on`(interface: Interface) throws {
        let tv = try PartnerBox(interface)
        let (lumen, kids, news) = (try tv.app(), try tv.app(), try tv.app())
        #expect(try tv.set(lumen)["authenticated"] == true)
        #expect(try tv.set(kids, "LUMENKIDS")["authenticated"] == true)
        #expect(try tv.playsFine(lumen) && tv.playsFine(kids, "lumen-kids"))
        if interface == .v2 {
            // The older service signs in the device's other requestors itself.
            #expect(try kids.profileTypes == ["appleSSO"])
            #expect(try tv.set(news, "NEWS24")["authenticated"] == false)
            #expect(news.told() == ["setRequestorComplete"])
            let mark = news.callbacks.count
            #expect(try news.call("getAuthentication")["state"] == "selectProvider")
            // OQ-5: the platform is not asked if the requestor has none of its providers.
            #expect(news.told(since: mark) == ["displayProviderDialog"])
        }
    }

    struct Setup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rules: [String: JSONValue]
        let told: [String]
        /// The callbacks that `checkAuthentication` adds. §17.4.
        let atCheck: [String]

        init(_ text: String, _ rules: [String: JSONValue], _ told: [String] = [], atCheck: [String] = []) {
            testDescription = text
            self.rules = rules
            self.told = told
            self.atCheck = atCheck
        }
    }

    private static let failure: JSONValue = ["code": "E7", "message": "The account service is away."]
    private static let stranger: JSONValue = ["provider": "fern-2", "user": "omar", "password": "lighthouse"]
    private static let wrong: JSONValue = ["provider": "beacon-11", "user": "omar", "password": "wrong"]
    private static let expired: JSONValue = [
        "provider": "beacon-11", "user": "omar", "password": "lighthouse", "expires": 1,
    ]

    @Test(
        arguments: Interface.allCases,
        [
            Setup("denied", ["consent": ["lumen-tv": "denied"]], ["VSA403"], atCheck: ["VSA403"]),
            Setup("undetermined", ["consent": [:]], ["VSA404"], atCheck: ["VSA404"]),
            Setup("restricted", ["consent": ["lumen-tv": "restricted"]]), Setup("nobody", ["account": .null]),
            Setup("run out", ["account": expired]), Setup("a provider without a mapping", ["account": stranger]),
            Setup("the platform fails", ["failure": failure], ["AAPL"], atCheck: ["AAPL_ERROR"]),
            Setup("the provider refuses", ["account": wrong], ["AAPL"], atCheck: ["AAPL_ERROR"]),
            Setup("invalid rules", ["consent": 7], ["AAPL"], atCheck: ["AAPL_ERROR"]),
        ])
    func `each obstacle to platform sign-on has its own code and opens no dialog`(
        interface: Interface, row: Setup
    ) throws {
        let tv = try PartnerBox(interface, row.rules)
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == false)
        #expect(app.told() == row.told + ["setRequestorComplete"])
        let mark = app.callbacks.count
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        #expect(app.told(since: mark) == ["authenticated 0"] + row.atCheck + ["N000"])
        #expect(try !tv.box.journal().contains { $0.hasSuffix("/BeaconTV/authenticate") })
    }

    // MARK: getAuthentication, §17.5

    struct Picker: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rules: [String: JSONValue]
        let told: [String]

        init(_ text: String, _ rules: [String: JSONValue], _ told: [String]) {
            testDescription = text
            self.rules = rules
            self.told = told
        }
    }

    private static let shown = ["presentTvProviderDialog", "dismissTvProviderDialog"]
    private static let ours = "displayProviderDialog"

    private static func picker(_ text: String, _ choice: JSONValue, _ told: [String]) -> Picker {
        Picker(text, ["account": .null, "picker": choice], shown + told)
    }

    @Test(
        arguments: Interface.allCases,
        [
            picker("cancelled", "cancel", ["N005", ours]), picker("other", "other", ["N003", ours]),
            picker("not supported", stranger, ["N004", ours]),
            picker("a provider that refuses", wrong, ["VSA503", ours]),
            picker("an account that has run out", expired, ["VSA503", ours]),
            Picker("denied", ["consent": [:], "prompt": "denied"], ["VSA403", ours]),
            Picker("undetermined", ["consent": [:], "prompt": "notDetermined"], ["VSA404", ours]),
            Picker("restricted", ["consent": ["lumen-tv": "restricted"]], [ours]),
            Picker("a failure", ["failure": failure], ["VSA503", ours]),
        ])
    func `any other choice in the platform's picker leads to our picker, and has its own code`(
        interface: Interface, row: Picker
    ) throws {
        let tv = try PartnerBox(interface, row.rules)
        let app = try tv.app()
        try tv.set(app)
        let mark = app.callbacks.count
        let answer = try app.call("getAuthentication")
        let isUp = row.told.contains("presentTvProviderDialog")
        #expect(answer["state"]?.string == (isUp ? "platformDialog" : "selectProvider"))
        let picker = try app.await(Self.ours, since: mark)
        #expect(picker["providers"]?.array?.contains { $0["id"] == "NorthCable" } == true)
        #expect(app.told(since: mark) == row.told)
        #expect(try app.call("setSelectedProvider", ["providerID": "NorthCable"])["code"]?.string != nil)
    }

    @Test(arguments: Interface.allCases)
    func `a viewer signs in through the platform's picker, and the app can play`(interface: Interface) throws {
        let tv = try PartnerBox(interface, ["account": .null, "consent": [:]])
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == false)
        let mark = app.callbacks.count
        #expect(try app.call("getAuthentication")["state"] == "platformDialog")
        try app.await("setAuthenticationStatus", since: mark)
        #expect(app.told(since: mark) == Self.shown + ["authenticated 1"])
        let handles = app.callbacks.dropFirst(mark).compactMap { $0.params["handle"]?.string }
        #expect(handles == ["picker", "picker"])
        #expect(try app.profileTypes == ["appleSSO"])
        #expect(try tv.playsFine(app))
    }

    @Test(arguments: Interface.allCases)
    func `an authorization waits for the platform's picker and then gets its token`(interface: Interface) throws {
        let tv = try PartnerBox(interface, ["account": .null])
        let app = try tv.app()
        try tv.set(app)
        _ = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        let token = try app.hear("setToken")["token"]?.string ?? ""
        let verdict = try tv.box.sandbox.control("/sandbox/verify", ["token": .string(token)])["result"]
        #expect(verdict == "VALID_TOKEN")
    }

    @Test(arguments: Interface.allCases)
    func `a choice of a provider that is not onboarded skips our picker`(interface: Interface) throws {
        let choice: JSONValue = ["provider": "beacon-11", "unsupported": true]
        let tv = try PartnerBox(interface, ["account": .null, "picker": choice])
        let app = try tv.app()
        try tv.set(app)
        let mark = app.callbacks.count
        #expect(try app.call("getAuthentication")["state"] == "platformDialog")
        let status = try app.await("status", since: mark)
        #expect(app.told(since: mark) == Self.shown + ["REGCODE"])
        try tv.box.logIn(status["message"]?.string ?? "", "BeaconTV", "omar", "lighthouse")
        try app.hearLogin()
        #expect(try app.profileTypes == ["regular"])
    }

    @Test(arguments: Interface.allCases)
    func `the platform's picker renews an expired account`(interface: Interface) throws {
        let tv = try PartnerBox(interface, ["account": Self.expired])
        let app = try tv.app()
        #expect(try tv.set(app)["authenticated"] == false)
        let mark = app.callbacks.count
        #expect(try app.call("getAuthentication")["state"] == "platformDialog")
        try app.await("setAuthenticationStatus", since: mark)
        #expect(app.told(since: mark) == Self.shown + ["authenticated 1"])
    }
}
