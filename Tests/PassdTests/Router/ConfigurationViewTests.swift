// Tests the operator's view of the configuration: every value with its origin, no secret, and the current content of
// the files.

import PassArguments
import PassJSON
import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassServer

@Suite("rpc.md §7: passd.configuration") struct ConfigurationViewTests {
    private func view(_ text: String, files: String? = nil) throws -> JSONValue {
        let loaded = try Workspace().load(text)
        return ConfigurationView.result(of: loaded, files: try files.map { try Workspace().load($0) } ?? loaded)
    }

    private func setting(_ key: String, in view: JSONValue) throws -> JSONValue {
        try #require(view["settings"]?.array?.first { $0["key"]?.string == key })
    }

    @Test func `every setting is listed once, with its value and its origin`() throws {
        let view = try view("[backend]\n# the service\norigin = https://api.example\nburst = 10\n")
        #expect(
            view["settings"]?.array?.map { "[\($0["section"]?.string ?? "")] \($0["key"]?.string ?? "")" }
                == SettingTable.all.map { $0.name.description })
        let origin = try setting("origin", in: view)
        #expect(
            origin["value"] == "https://api.example" && origin["isChanged"] == true
                && origin["origin"]?.string?.hasSuffix("passd.conf:3") == true)
        let burst = try setting("burst", in: view)
        #expect(
            burst["origin"]?.string?.hasSuffix(":4") == true && burst["isChanged"] == false, "set to the default")
        let proxy = try setting("proxy", in: view)
        #expect(proxy["value"] == "none" && proxy["origin"] == "default" && proxy["isChanged"] == false)
        #expect(view["settings"]?.array?.allSatisfy { $0["inFiles"] == nil } == true && view["differences"] == [])
    }

    @Test func `the current content of the files is shown beside the value in force`() throws {
        let view = try view(
            "[backend]\nburst = 20\n", files: "[backend]\nburst = 30\n\n[daemon]\nlog-level = debug\n")
        let burst = try setting("burst", in: view)
        #expect(
            burst["value"] == "20" && burst["inFiles"]?["value"] == "30"
                && burst["inFiles"]?["origin"]?.string?.hasSuffix(":2") == true)
        let level = try setting("log-level", in: view)
        #expect(level["value"] == "notice" && level["inFiles"]?["value"] == "debug" && level["effect"] == "at once")
        #expect(view["settings"]?.array?.count { $0["inFiles"] != nil } == 2)
    }

    @Test func `files that a reload would refuse are reported with the place`() throws {
        let view = try view("", files: "[backend]\nburst = many\n")
        let differences = try #require(view["differences"]?.array).compactMap(\.string)
        #expect(differences.count == 1 && differences[0].contains("passd.conf:2: burst = many"))
    }

    @Test(arguments: [
        ("https://ada:lovelace@tv.example/a?b@c", "https://(secret)@tv.example/(secret)"),
        ("app://back?key=s3cr3t&a=\"s3cr3t#s3cr3t", "app://back?(secret)"),
        ("https://tv.example#s3cr3t", "https://tv.example#(secret)"),
        ("https://ada:l?v#@tv.example/", "https://(secret)@tv.example/"),
        ("app://back?a=https://s3cr3t", "app://back?(secret)"),
        ("https://tv.example/a/b", "https://tv.example/(secret)"),
        ("https://a@b@tv.example", "https://(secret)@tv.example"),
        ("https://tv.example/a@b", "https://tv.example/(secret)"),
        ("https://a.example https://u:p@b.example", "https://a.example https://(secret)@b.example"),
        ("file:/a@b", "file:/a@b"), ("", ""), ("none", "none"),
    ])
    func `only scheme, host and port of an address are shown`(_ text: String, _ shown: String) {
        #expect(ConfigurationView.withoutSecrets(text) == shown)
    }

    @Test func `secrets of addresses are shown neither for values in force nor for files`() throws {
        let view = try view(
            "[backend]\nredirect-url = app://u:lovelace@x/noether?turing\nactivation-url = https://tv.example/#hopper\n",
            files: "[backend]\nredirect-url = app://u:babbage@x?hamilton\nproxy = http://u:curie@proxy:1\n")
        let text = JSONWriter.bytes(view)
        for word in ["lovelace", "babbage", "curie", "turing", "hopper", "hamilton", "noether"] {
            #expect(!String(decoding: text, as: UTF8.self).contains(word), "\(word)")
        }
    }

    @Test func `secrets of a stanza's addresses are not shown`() throws {
        let loaded = try Workspace().load(
            apps: "[app a]\nrequestors = A\nallow = user:kodi\nredirect-url = app://u:lovelace@x?turing\n"
                + "activation-url = https://tv.example/a?hopper#hamilton\n")
        let app = try #require(ConfigurationView.result(of: loaded, files: loaded)["apps"]?.array?.first)
        #expect(
            app["redirectURL"] == "app://(secret)@x?(secret)" && app["activationURL"] == "https://tv.example/a?(secret)"
        )
    }

    @Test(arguments: [
        ("https://tv.example/activate", "https://tv.example/activate"),
        ("https://tv.example/go/tv?key=s3cr3t", "https://tv.example/go/tv?(secret)"),
        ("https://tv.example/go#s3cr3t", "https://tv.example/go#(secret)"), ("none", "none"),
    ])
    func `of activation-url, only the query and the fragment are hidden`(page: String, shown: String) throws {
        let text = "[backend]\nactivation-url = \(page)\n"
        #expect(try setting("activation-url", in: view(text, files: text))["value"]?.string == shown)
    }

    @Test func `a warning in the files is called a warning`() throws {
        let view = try view("", files: "[backend]\nbrust = 2\nburst = many\n")
        let differences = try #require(view["differences"]?.array).compactMap(\.string)
        #expect(differences.contains { $0.contains(":2: warning: unknown key \"brust\"") }, "\(differences)")
        #expect(differences.contains { $0.contains(":3: burst = many") }, "\(differences)")
    }

    @Test func `finish-url is not secret, and is shown in the form that must be registered`() throws {
        let page = "https://tv.example/done/here?tv=lounge"
        let inForce = try view("[backend]\nfinish-url = \(page)\n", files: "[backend]\nfinish-url = \(page)2\n")
        let setting = try setting("finish-url", in: inForce)
        #expect(setting["value"]?.string == page && setting["inFiles"]?["value"]?.string == page + "2")
        let loaded = try Workspace().load(
            apps: "[app a]\nrequestors = A\nallow = user:kodi\nfinish-url = \(page)\n")
        #expect(ConfigurationView.result(of: loaded, files: loaded)["apps"]?.array?.first?["finishURL"]?.string == page)
    }

    @Test(arguments: [
        "https://ada:lovelace@tv.example/done", "https://ada@tv.example", "https://a@tv.example?b",
        "http://@tv.example/",
    ])
    func `a page for phones is shown without user and password`(page: String) throws {
        for key in ["finish-url", "activation-url"] {
            let check = ConfigurationCheck(try Workspace().load("[backend]\n\(key) = \(page)\n"))
            #expect(check.status == .configuration && check.text.contains("without user"), "\(check.text)")
            #expect(!check.text.contains("lovelace"))
        }
        let mail = try Workspace().load("[backend]\nfinish-url = https://tv.example/@done?a@b\n")
        #expect(ConfigurationCheck(mail).status == .done)
    }

    @Test func `each key of a stanza has its own origin`() throws {
        let loaded = try Workspace().load(
            apps: "[app a]\n\nrequestors = A\nallow = user:kodi\n# none\nmay =\ndomain-name = a.example\n")
        let app = try #require(ConfigurationView.result(of: loaded, files: loaded)["apps"]?.array?.first)
        let origins = try #require(app["origins"]?.object).members.map { member in
            "\(member.name) \(member.value.string?.split(separator: "/").last ?? "")"
        }
        #expect(
            origins == [
                "requestors test.conf:3", "software-statement default", "allow test.conf:4", "may test.conf:6",
                "domain-name test.conf:7",
            ])
        #expect(app["origin"]?.string?.hasSuffix("test.conf:1") == true)
    }

    @Test func `stanzas are shown with the place of the statement, never with its text`() async throws {
        var app = AppStanza.sample()
        app.statementSource = .file("/etc/passd/news24.jwt")
        var broken = AppStanza.sample("sport", ["SPORT"], .unusable(reason: "is empty"))
        broken.statementSource = .credential("sport")
        let household = try await Household(apps: [app, broken])
        let result = try await household.connect(.admin).call("passd.configuration")
        let apps = try #require(result["apps"]?.array)
        #expect(apps[0]["name"] == "news24" && apps[0]["origin"] == "/etc/passd/apps.d/news24.conf:1")
        #expect(apps[0]["statement"] == "file:/etc/passd/news24.jwt" && apps[0]["may"] == ["entitlement", "observe"])
        #expect(apps[1]["statement"] == "credential:sport, which cannot be used")
        for secret in Sample.secrets {
            #expect(!String(decoding: JSONWriter.bytes(result), as: UTF8.self).contains(secret))
        }
        #expect(try await household.connect().exchange("passd.configuration").fault == "METHOD_NOT_FOUND")
    }
}
