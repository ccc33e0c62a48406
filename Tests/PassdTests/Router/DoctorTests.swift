// Tests the checks of `passd.doctor`: whether the service answers, the service's time, whether the service accepts the
// apps, and the contents of their statements.

import AccessEnabler
import PassBackend
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("rpc.md §7: passd.doctor sends its own requests") @EngineActor struct DoctorTests {
    private func checks(_ params: JSONValue = [:], of household: Household) async throws -> [String: JSONValue] {
        let list = try await household.connect(.admin).call("passd.doctor", params)["checks"]?.array ?? []
        return Dictionary(list.compactMap { check in check["name"]?.string.map { ($0, check) } }) { first, _ in first }
    }

    private func reachable(_ household: Household) -> ServiceContact {
        .reachable(since: household.clock.boot, last: household.clock.boot)
    }

    @Test func `on a good box the doctor reports what it has checked`() async throws {
        let household = try await Household(apps: [.stated()]) { $0.offersAll() }
        household.daemon.seen = reachable(household)
        household.engine.learn(household.clock.wall)
        let found = try await checks(of: household)
        #expect(found["backend"]?["message"] == "https://service.test answers.")
        #expect(found["clock"]?["message"] == "The clocks of this box and of the service are equal.")
        #expect(found["app-news24"]?["outcome"] == "pass")
        #expect(found["app-news24"]?["message"] == "The app is registered; NEWS24 has 2 providers.")
        #expect(household.daemon.looks == 1)
        #expect(household.backend.calls.elements.contains { $0.hasPrefix("prepare") })
    }

    @Test func `offline the doctor sends no request`() async throws {
        let household = try await Household(apps: [.stated()]) { $0.offersAll() }
        let found = try await checks(["offline": true], of: household)
        #expect(found["backend"]?["message"] == "The service has not been asked yet.")
        #expect(found["app-news24"]?["message"]?.string?.contains("did not ask the service") == true)
        #expect(household.daemon.looks == 0 && household.backend.calls.elements.isEmpty)
    }

    @Test func `offline, an earlier outcome shows its age`() async throws {
        let household = try await Household(apps: [.stated()])
        household.daemon.contact = reachable(household)
        func message() async throws -> JSONValue? {
            try await checks(["offline": true], of: household)["backend"]?["message"]
        }
        #expect(try await message() == "The service answered the last request.")
        household.clock.advance(by: .seconds(180))
        #expect(try await message() == "The service answered the last request 3 minutes ago.")
        household.daemon.contact = .failing(
            ServiceTrouble(reason: "no route", remedy: "Look."), since: household.clock.boot, last: household.clock.boot
        )
        household.clock.advance(by: .seconds(180))
        #expect(try await message() == "The last request to the service failed 3 minutes ago: no route.")
    }

    @Test func `a problem is reported once, with its own remedy, and not as a fault of an app`() async throws {
        let household = try await Household(apps: [.stated()])
        household.daemon.seen = .failing(
            ServiceTrouble(reason: "the service's certificate has expired", remedy: "Compare the clock."),
            since: household.clock.boot, last: household.clock.boot)
        let found = try await checks(of: household)
        #expect(found["backend"]?["outcome"] == "fail")
        #expect(found["backend"]?["message"] == "The service's certificate has expired.")
        #expect(found["backend"]?["remedy"] == "Compare the clock.")
        #expect(found["backend-unreachable"] == nil)
        #expect(found["app-news24"]?["outcome"] == "warn", "the app was not checked")
        #expect(household.backend.calls.elements.isEmpty)
    }

    @Test func `if the box may send no request, the doctor says so and does not guess`() async throws {
        let household = try await Household(apps: [.stated()])
        household.daemon.obstacle = BackendFault(.overloaded)
        let found = try await checks(of: household)
        #expect(found["backend"]?["outcome"] == "warn")
        #expect(found["backend"]?["message"]?.string?.hasPrefix("The service was not asked.") == true)
    }

    @Test(arguments: [(Duration.seconds(7200), "2 hours behind"), (.seconds(-7200), "2 hours ahead of")])
    func `a wrong clock is reported with its offset and direction`(offset: Duration, words: String) async throws {
        let household = try await Household(apps: [.stated()])
        household.daemon.seen = reachable(household)
        household.engine.learn(household.clock.wall.advanced(by: offset))
        let found = try await checks(of: household)
        #expect(found["clock"]?["outcome"] == "fail")
        #expect(found["clock"]?["message"]?.string?.contains(words) == true)
        #expect(found["clock-wrong"] == nil)
    }

    private nonisolated static func refusal(_ code: String) -> BackendFault {
        BackendFault(
            .refused(ServiceError(status: 401, code: code, actionName: "application-registration", trace: "t-1")))
    }

    private nonisolated static let refusals: [(BackendFault, String, String)] = [
        (BackendFault(.registrationRefused("unapproved_software_statement")), "was revoked", "new statement"),
        (BackendFault(.registrationRefused("invalid_software_statement")), "signature", "this service"),
        (BackendFault(.registrationRefused("never_heard_of")), "refuses to register", "software statement"),
        (BackendFault(.tokenRefused, trace: "t-2"), "access token", "software statement"),
        (
            refusal("invalid_access_token_service_provider"), "NEWS24: The app's software statement is not for",
            "statement"
        ),
        (refusal("invalid_parameter_service_provider"), "does not know this requestor", "requestor"),
    ]

    @Test(arguments: refusals) func `an app that the service refuses is reported with the reason`(
        fault: BackendFault, words: String, remedy: String
    ) async throws {
        let household = try await Household(apps: [.stated(name: "Sport App")]) { $0.prepare = .failure(fault) }
        household.daemon.seen = reachable(household)
        let check = try await checks(of: household)["app-news24"]
        #expect(check?["outcome"] == "fail")
        let message = check?["message"]?.string ?? ""
        #expect(message.contains(words) && message.contains("(\(fault.code)"), "\(message)")
        #expect(message.contains("The statement names Sport App."), "a statement of another app is noticed")
        #expect(check?["remedy"]?.string?.contains(remedy) == true, "\(check?.text ?? "")")
    }

    @Test func `a server that is not the service is noticed when an app is tried`() async throws {
        let household = try await Household(apps: [.stated()]) { $0.prepare = .failure(BackendFault(.unusableAnswer)) }
        household.daemon.seen = reachable(household)
        let contact = ServiceContact.failing(
            ServiceTrouble(reason: "it is a web page", remedy: "Look."), since: household.clock.boot,
            last: household.clock.boot)
        household.backend.hold("prepare")
        async let examination = checks(of: household)
        try await household.backend.calls.wait { $0.contains { $0.hasPrefix("prepare") } }
        household.daemon.contact = contact
        household.backend.release("prepare")
        let found = try await examination
        #expect(found["backend"]?["outcome"] == "fail" && found["backend"]?["message"] == "It is a web page.")
        #expect(found["app-news24"]?["outcome"] == "warn")
    }

    @Test func `a later refusal counts at once`() async throws {
        let household = try await Household(apps: [.stated()]) { $0.offersAll() }
        household.daemon.seen = reachable(household)
        #expect(try await checks(of: household)["app-news24"]?["outcome"] == "pass")
        household.backend.script {
            $0.prepare = .failure(BackendFault(.registrationRefused("unapproved_software_statement")))
        }
        _ = try? await household.app()
        #expect(try await checks(of: household)["app-news24"]?["outcome"] == "fail")
    }

    @Test func `after a refused play or login, the service is asked again, first for that requestor`() async throws {
        let names = (1...5).map { "R\($0)" }
        let household = try await Household(apps: [.stated(requestors: names)]) { script in
            script.offersAll()
            for name in names { script.profiles[RequestorID(rawValue: name)] = .success([Sample.profile]) }
        }
        household.daemon.seen = reachable(household)
        func asked() async throws -> [String] {
            let before = household.backend.calls.elements.count
            let check = try await checks(of: household)["app-news24"]
            #expect(check?["outcome"] == "pass", "\(check?.text ?? "")")
            return household.backend.calls.elements.dropFirst(before).filter { $0.hasPrefix("providers") }
        }
        #expect(try await asked() == ["providers R1", "providers R2", "providers R3"])
        let app = try await household.app("R5")
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        #expect(try await asked() == [], "a permitted play changes nothing")
        household.backend.script { $0.authorize = { _ in .failure(BackendFault(.unreachable)) } }
        _ = try? await app.call("checkAuthorization", ["resource": "channel-1"])
        #expect(try await asked() == ["providers R5", "providers R1", "providers R2"])
    }

    @Test func `a refusal during the check is not passed over`() async throws {
        let household = try await Household(apps: [.stated()]) {
            $0.offersAll()
            $0.profiles = [Sample.news: .success([Sample.profile])]
            $0.authorize = { _ in .failure(BackendFault(.unreachable)) }
        }
        household.daemon.seen = reachable(household)
        let app = try await household.app()
        household.backend.hold("providers")
        let before = household.backend.calls.elements.count
        async let examination = checks(of: household)
        try await household.backend.calls.wait { $0.dropFirst(before).contains { $0.hasPrefix("providers") } }
        _ = try? await app.call("checkAuthorization", ["resource": "channel-1"])
        household.backend.release("providers")
        #expect(try await examination["app-news24"]?["outcome"] == "warn")
    }

    private func pages(of household: Household) async throws -> [String] {
        let list = try await household.connect(.admin).call("passd.doctor")["checks"]?.array ?? []
        return list.filter { $0["name"] == "login-page" }.map {
            "\($0["outcome"]?.string ?? "") \($0["message"]?.string ?? "")"
        }
    }

    @Test func `the pages of a login are looked at, each once`() async throws {
        let stanzas = ["A", "B"].map { name in
            var stanza = AppStanza.stated(name: name, app: name)
            stanza.site.activationURL = "https://tv.example/activate?key=SECRET"
            stanza.site.finishURL = "https://tv.example/done"
            return stanza
        }
        let household = try await Household(apps: stanzas) { $0.offersAll() }
        household.daemon.seen = reachable(household)
        household.daemon.deadPages["https://tv.example/done"] = ServiceTrouble(
            reason: "there is no such page (status 404)", remedy: "Correct it.")
        #expect(
            try await pages(of: household) == [
                "pass https://activate.example/ (activation-url) answers.",
                "pass https://tv.example/activate (activation-url) answers.",
                "fail Phones probably cannot open https://tv.example/done (finish-url): there is no such page (status 404).",
            ])
        #expect(household.daemon.pages.count == 3)
    }

    @Test func `pages that are not looked at are named`() async throws {
        let stanzas = (1...9).map { number in
            var stanza = AppStanza.stated(app: "app\(number)")
            stanza.site.activationURL = "https://tv.example/\(number)?key=SECRET"
            return stanza
        }
        let household = try await Household(apps: stanzas) { $0.offersAll() }
        household.daemon.seen = reachable(household)
        let found = try await pages(of: household)
        #expect(found.count == 9 && household.daemon.pages.count == 8)
        let rest = "https://tv.example/8 (activation-url), https://tv.example/9 (activation-url)"
        #expect(found.last == "warn passd has not checked \(rest).")
    }

    @Test func `of an open code, only the host of its link is looked at`() async throws {
        let household = try await Household(apps: [.stated()]) { script in
            script.offersAll()
            var login = Sample.login
            login.link = "https://login.provider.example/\(Sample.code)?a=b"
            script.beginLogin = .success(.showCode(login))
        }
        household.daemon.seen = reachable(household)
        let app = try await household.app()
        try await app.call("getAuthentication")
        try await app.call("setSelectedProvider", ["providerID": "M1"])
        #expect(try await pages(of: household).last == "pass https://login.provider.example (link of a code) answers.")
        #expect(household.daemon.pages.contains("https://login.provider.example"))
        #expect(household.daemon.pages.allSatisfy { !$0.contains(Sample.code) })
    }

    nonisolated static let namedPages: [(address: String, found: String?)] = [
        ("https://service.test/activate?code=\(Sample.code)", "https://service.test/activate"),
        ("https://service.test/activate#\(Sample.code)", "https://service.test/activate"),
        ("https://service.test/activate", "https://service.test/activate"),
        ("https://service.test/\(Sample.code)", nil), ("https://service.test/\(Sample.code)/activate", nil),
        ("https://\(Sample.code)@service.test/activate", nil), ("http://service.test/activate", nil),
    ]

    @Test(arguments: namedPages)
    func `a page that the service names for a code is looked at, without the code`(
        address: String, found: String?
    ) async throws {
        let household = try await Household(apps: [.stated()]) { script in
            script.offersAll()
            var login = Sample.login
            login.url = address
            script.beginLogin = .success(.showCode(login))
        }
        household.daemon.seen = reachable(household)
        let app = try await household.app()
        try await app.call("getAuthentication")
        try await app.call("setSelectedProvider", ["providerID": "M1"])
        let line = found.map { "pass \($0) (named by the service) answers." }
        #expect(try await pages(of: household).last { $0.contains("named by the service") } == line)
        #expect(household.daemon.pages.filter { $0.contains("service.test") } == [found].compactMap(\.self))
        #expect(household.daemon.pages.allSatisfy { !$0.contains(Sample.code) })
    }

    @Test func `without the service, no page is looked at`() async throws {
        let household = try await Household(apps: [.stated()])
        household.daemon.seen = .failing(
            ServiceTrouble(reason: "no", remedy: "wait"), since: household.clock.boot, last: household.clock.boot)
        #expect(try await pages(of: household).isEmpty)
        household.daemon.seen = reachable(household)
        _ = try await checks(["offline": true], of: household)
        #expect(household.daemon.pages.isEmpty)
    }

    @Test(arguments: [(1, 3), (6, 2), (20, 1)])
    func `with many apps, each has fewer questions, and passes count longer`(
        count: Int, questions: Int
    ) async throws {
        let stanzas = (1...count).map { number in
            AppStanza.stated(app: "app\(number)", requestors: (1...5).map { "R\(number)x\($0)" })
        }
        let household = try await Household(apps: stanzas) { $0.offersAll() }
        household.daemon.seen = reachable(household)
        func asked() async throws -> Int {
            let before = household.backend.calls.elements.count
            _ = try await checks(of: household)
            return household.backend.calls.elements.dropFirst(before).count { $0.hasPrefix("providers") }
        }
        #expect(try await asked() == count * questions)
        household.clock.advance(by: .seconds(61))
        #expect(try await asked() == (count == 1 ? questions : 0))
        household.clock.advance(by: .seconds(600))
        #expect(try await asked() == count * questions)
    }

    @Test func `a remembered outcome shows its age`() async throws {
        let household = try await Household(apps: [.stated()]) { $0.offersAll() }
        household.daemon.seen = reachable(household)
        let outcome = "The app is registered; NEWS24 has 2 providers."
        #expect(try await checks(of: household)["app-news24"]?["message"] == .string(outcome))
        household.clock.advance(by: .seconds(40))
        let later = try await checks(of: household)["app-news24"]?["message"]
        #expect(later == .string("\(outcome) passd asked the service 40 seconds ago."))
        household.clock.advance(by: .seconds(20))
        #expect(try await checks(of: household)["app-news24"]?["message"] == .string(outcome))
    }

    @Test func `a second caller during the check of an app waits for the same outcome`() async throws {
        let household = try await Household(apps: [.stated()]) {
            $0.prepare = .failure(BackendFault(.registrationRefused("invalid_software_statement")))
        }
        household.daemon.seen = reachable(household)
        household.backend.hold("prepare")
        async let first = checks(of: household)
        try await household.backend.calls.wait { $0.contains { $0.hasPrefix("prepare") } }
        async let second = checks(of: household)
        await eventually { await household.daemon.looks == 2 }
        // This call is handled after the second caller's.
        try await household.connect(.admin).call("passd.sessions")
        household.backend.release("prepare")
        for found in [try await first, try await second] { #expect(found["app-news24"]?["outcome"] == "fail") }
        #expect(household.backend.calls.elements.count { $0.hasPrefix("prepare") } == 1)
    }

    @Test func `an outcome counts for a minute, unless the stanza changes`() async throws {
        let household = try await Household(apps: [.stated()]) {
            $0.prepare = .failure(BackendFault(.registrationRefused("invalid_software_statement")))
        }
        household.daemon.seen = reachable(household)
        func prepared() -> Int { household.backend.calls.elements.count { $0.hasPrefix("prepare") } }
        for _ in 0..<3 { _ = try await checks(of: household) }
        #expect(prepared() == 1)
        household.apply(Policy(stanzas: [.stated(name: "Another")], ownUser: 1))
        _ = try await checks(of: household)
        #expect(prepared() == 2)
        household.clock.advance(by: .seconds(61))
        household.backend.script {
            $0.prepare = .success(())
            $0.offersAll()
        }
        #expect(try await checks(of: household)["app-news24"]?["outcome"] == "pass")
    }

    @Test(arguments: [
        (-3, "fail", "expired 3 days ago"), (0, "fail", "expired today."), (1, "warn", "expires in 1 day."),
        (12, "warn", "expires in 12 days"), (300, "pass", "is registered"),
    ]) func `the expiry of a statement is reported in advance`(
        days: Int64, outcome: String, words: String
    ) async throws {
        let now = try await Household().clock.wall.milliseconds / 1000
        let household = try await Household(apps: [.stated(expires: now + days * 86_400 + (days > 0 ? 60 : -60))]) {
            $0.offersAll()
        }
        household.daemon.seen = reachable(household)
        let check = try await checks(of: household)["app-news24"]
        #expect(check?["outcome"]?.string == outcome)
        #expect(check?["message"]?.string?.contains(words) == true, "\(check?.text ?? "")")
    }

    @Test(arguments: [
        (-3, "expired 3 days ago."), (12, "expires in 12 days."), (300, ""),
    ]) func `the status reports the present expiry of a statement, and the doctor reports it once`(
        days: Int64, words: String
    ) async throws {
        let now = try await Household().clock.wall.milliseconds / 1000
        let household = try await Household(apps: [.stated(expires: now + days * 86_400 + (days > 0 ? 60 : -60))]) {
            $0.offersAll()
        }
        household.daemon.seen = reachable(household)
        let admin = try household.connect(.admin)
        func warned() async throws -> [String] {
            (try await admin.call("passd.status")["warnings"]?.array ?? []).compactMap { $0["message"]?.string }
        }
        let messages = try await warned()
        #expect(messages.count == (words.isEmpty ? 0 : 1))
        for message in messages { #expect(message.contains("the software statement of app news24, , \(words)")) }
        let all = try await admin.call("passd.doctor")["checks"]?.array ?? []
        let told = all.filter { $0["message"]?.string?.contains("expire") == true }
        #expect(told.compactMap { $0["name"]?.string } == (words.isEmpty ? [] : ["app-news24"]))
        household.clock.advance(by: .seconds(2 * 86_400))
        if days == 12 { #expect(try await warned().first?.hasSuffix("expires in 10 days.") == true) }
    }

    @Test func `an observer does not count as an app of the service`() async throws {
        let household = try await Household(apps: [.sample("numbers", [], may: [.observe])])
        let found = try await checks(of: household)
        #expect(found["app-numbers"] == nil && found["apps"]?["message"]?.string?.contains("no app stanza") == true)
        #expect(found["single-sign-on"] == nil)
    }

    @Test func `an app without a software statement fails until it sends one`() async throws {
        let household = try await Household(apps: [.sample("news24", ["NEWS24"], .absent)]) { $0.offersAll() }
        household.daemon.seen = reachable(household)
        #expect(try await checks(of: household)["app-news24"]?["outcome"] == "pass", "the app may send a statement")
        let app = try household.connect()
        _ = try? await app.call("setRequestor", ["requestorID": "NEWS24"])
        let check = try await checks(of: household)["app-news24"]
        #expect(check?["outcome"] == "fail" && check?["remedy"]?.string?.contains("statement") == true)
        try await app.call("setRequestor", ["requestorID": "NEWS24", "softwareStatement": .string(Sample.statement)])
        #expect(try await checks(of: household)["app-news24"]?["outcome"] == "pass")
    }

    @Test func `a requestor without providers is a warning`() async throws {
        let household = try await Household(apps: [.stated()])
        household.daemon.seen = reachable(household)
        let check = try await checks(of: household)["app-news24"]
        #expect(check?["outcome"] == "warn")
        #expect(check?["message"]?.string?.contains("NEWS24 has no providers") == true)
    }

    @Test func `a refused registration is recorded once, with its code`() async throws {
        let household = try await Household {
            $0.prepare = .failure(BackendFault(.registrationRefused("unapproved_software_statement")))
        }
        for _ in 0..<3 { _ = try? await household.app() }
        func records() -> Int { household.log.text.split(separator: "the service did not answer properly").count - 1 }
        #expect(records() == 1)
        #expect(household.log.text.contains("code=unapproved_software_statement"))
        household.backend.script { $0.prepare = .success(()) }
        _ = try await household.app()
        household.backend.script {
            $0.prepare = .failure(BackendFault(.registrationRefused("unapproved_software_statement")))
        }
        _ = try? await household.app()
        #expect(records() == 2, "the app was accepted meanwhile")
    }
}

extension AppStanza {
    /// An app whose statement has these claims.
    fileprivate static func stated(
        name: String = "News24", app: String = "news24", expires: Int64? = nil, requestors: [String] = ["NEWS24"]
    ) -> AppStanza {
        let end = expires.map { ",\"exp\":\($0)" } ?? ""
        let claims = base64URL("{\"client_name\":\"\(name)\"\(end)}")
        let text = "\(base64URL("{\"alg\":\"RS256\"}")).\(claims).c2ln"
        guard let statement = try? SoftwareStatement(Array(text.utf8)) else { preconditionFailure("it is well formed") }
        return .sample(app, requestors, .present(statement))
    }

    private static func base64URL(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let bits = text.utf8.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 6).map { start in
                let group = (0..<6).map { start + $0 < bits.count ? bits[start + $0] : 0 }
                return alphabet[Int(group.reduce(0) { $0 << 1 | $1 })]
            })
    }
}
