// Tests the metrics with the real tools. The unit's program passes them to Debian's node exporter and Prometheus;
// promtool reads them and tests the alert rules.

import FoundationEssentials
import Glibc
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@Suite struct MonitoringTests {
    private static let folder = repository + "docs/monitoring/"

    /// The expressions of the dashboard, with values in place of Grafana's variables.
    private func expressions() throws -> [String] {
        let text = try String(contentsOfFile: Self.folder + "passd.dashboard.json", encoding: .utf8)
        let panels = try JSONReader.read(Array(text.utf8))["panels"]?.array ?? []
        return panels.flatMap { $0["targets"]?.array ?? [] }.compactMap { $0["expr"]?.string }.map { expression in
            expression.replacing("$instance", with: ".*").replacing("$__rate_interval", with: "1m")
        }
    }

    @Test func `events of the box and the end of the daemon arrive in Prometheus`() throws {
        let monitored = try MonitoredBox(rules: Self.folder + "passd.rules.yml")
        let box = monitored.box
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        #expect(try app.call("getAuthorization", ["resource": "lumen-sports-1"])["token"]?.string != nil)
        // The link replaces a file that another program has written there.
        try monitored.obstruct { try "passd_up 7\n".write(toFile: $0, atomically: false, encoding: .utf8) }
        let ending = try monitored.writeMetrics()
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending)")
        #expect(monitored.collected == ["passd.prom"])
        #expect(try monitored.awaits("passd_up", [1]))
        for (expression, value) in [
            ("passd_media_tokens_total", 1), ("passd_decisions_total{outcome=\"permitted\",decided_by=\"service\"}", 1),
            ("passd_closed_logins_total{outcome=\"authenticated\"}", 1), ("passd_service_reachable", 1),
            ("passd_registration_attempts_total{outcome=\"accepted\"}", 1), ("passd_registrations", 1),
            ("passd_requests_total{endpoint=\"POST /o/client/register\",outcome=\"success\"}", 1),
            ("count(passd_build_info{protocol=\"v2\"})", 1), ("node_textfile_scrape_error", 0),
            ("passd_request_duration_seconds_count{endpoint=~\"POST .*/authorize/{mvpd}\"}", 1),
            ("passd_polls_total{outcome=\"done\"}", 1), ("passd_sessions", 2),
            ("histogram_quantile(1, sum by (le) (passd_request_duration_seconds_bucket)) > bool 0", 1),
            ("passd_budget_requests{share=\"anybody\"} > bool 100", 1),
        ] { #expect(try monitored.awaits(expression, [Double(value)]), "\(expression)") }
        // A scrape that is late removes all values until the next one.
        #expect(try becomesTrue { try !monitored.query("passd_store_writes_total{outcome=\"success\"} > 0").isEmpty })
        #expect(try becomesTrue { try monitored.query("{__name__=~\"passd_.*\",job=\"tv\"}").count > 60 })
        // The file must not show who watches what.
        let secrets = ["lumen", "LUMEN", "North", "lovelace", "127.0.0.1"]
        for secret in secrets { #expect(!monitored.file.contains(secret), "\(secret)") }
        for expression in try expressions() { _ = try monitored.query(expression) }
        let groups = try monitored.ask("rules")["data"]?["groups"]?.array ?? []
        let rules = groups.flatMap { $0["rules"]?.array ?? [] }
        #expect(rules.count > 5 && !rules.contains { $0["health"] == "err" || $0["state"] == "firing" })

        // The numbers of an instance are added to those of the box.
        #expect(try monitored.writeMetrics(ofInstance: "room1").status == 69)
        #expect(Set(monitored.collected) == ["passd.prom", "passd@room1.prom"])
        #expect(try monitored.awaits("passd_up{box=\"room1\"}", [0]))
        #expect(try monitored.awaits("passd_up{box=\"\"}", [1]))
        #expect(try monitored.awaits("node_textfile_scrape_error", [0]))

        _ = try box.stop()
        let without = try monitored.writeMetrics()
        #expect(without.status == 69, "\(without)")
        #expect(try MetricsUnit(folder: "/").successes.contains(69))
        #expect(try monitored.awaits("passd_up{box=\"\"}", [0]))
        #expect(try monitored.query("passd_media_tokens_total").isEmpty)
        #expect(try monitored.awaits("count(ALERTS{alertname=\"PassdDown\",alertstate=\"pending\"})", [2]))
    }

    @Test func `the alerts about one box fire when their faults happen`() throws {
        let scratch = TemporaryDirectory()
        let rules = try String(contentsOfFile: Self.folder + "passd.rules.yml", encoding: .utf8)
        // Each alert fires at once here. The tests of the rules check the times.
        let lines = rules.split(separator: "\n").map { $0.hasPrefix("        for: ") ? "        for: 0s" : $0 }
        scratch.write(lines.joined(separator: "\n"), to: "rules.yml")
        let monitored = try MonitoredBox(rules: scratch.file("rules.yml"))
        let box = monitored.box
        func fires(_ alert: String) throws {
            _ = try monitored.writeMetrics()
            let expression = "count(ALERTS{alertname=\"\(alert)\",alertstate=\"firing\"})"
            #expect(try monitored.awaits(expression, [1]), "\(alert)")
        }
        func scripted(_ effect: String, _ value: JSONValue) throws {
            _ = try box.sandbox.request("DELETE", "/sandbox/faults")
            _ = try box.sandbox.control("/sandbox/faults", ["faults": [["match": "* /**", effect: value]]])
            for _ in 0..<2 { _ = try box.cli(["doctor"]) }
        }
        func limitFiles(_ size: String) throws {
            try ChildProcess.run(["prlimit", "--pid", "\(box.daemon.id)", "--fsize=\(size):"]).requireSuccess()
        }

        _ = try box.sandbox.control("/sandbox/revoke", ["app": "summit"])
        _ = try? box.app("SUMMITTV")
        try fires("PassdRegistrationRefused")
        try scripted("dateSkew", "-2d")
        try fires("PassdClockWrong")
        try scripted("status", 503)
        try fires("PassdServiceUnreachable")
        _ = try box.sandbox.request("DELETE", "/sandbox/faults")
        // A limit of the size of files simulates a full disk.
        try limitFiles("1")
        _ = try box.app("LUMENTV").openLogin()
        try fires("PassdChangesUnsaved")
        try limitFiles("unlimited")
        for _ in 0..<3 {
            #expect(
                try becomesTrue {
                    _ = try monitored.writeMetrics()
                    return try !monitored.query("passd_uptime_seconds{box=\"\"} >= 5").isEmpty
                })
            try box.kill()
            try box.start()
            _ = try monitored.writeMetrics()
            #expect(try becomesTrue { try !monitored.query("passd_uptime_seconds{box=\"\"} < 5").isEmpty })
        }
        try fires("PassdRestarts")
        try box.stop().requireSuccess()
        let salt = box.scratch.file("state/salt")
        try #require(rename(salt, salt + ".away") == 0 && symlink("/nowhere", salt) == 0)
        try box.start()
        try fires("PassdStoreInMemory")
        _ = try box.stop()
        try fires("PassdDown")
        try ChildProcess.run(["touch", "--date=10 minutes ago", monitored.path]).requireSuccess()
        #expect(try monitored.awaits("count(ALERTS{alertname=\"PassdMetricsStale\",alertstate=\"firing\"})", [1]))
        // After a boot without the timer, there is no file.
        try ChildProcess.run(["rm", monitored.path]).requireSuccess()
        #expect(try monitored.awaits("count(ALERTS{alertname=\"PassdMetricsMissing\",alertstate=\"firing\"})", [1]))
    }

    @Test func `if the link cannot be made, the unit says so and continues`() throws {
        let folder = TemporaryDirectory()
        let unit = try MetricsUnit(folder: folder.path)
        try FileManager.default.createDirectory(
            atPath: unit.collector + "/passd.prom", withIntermediateDirectories: true)
        let ending = try unit.run(["PASSD_SOCKET": folder.file("passd.sock")])
        #expect(ending.status == 69)
        #expect(ending.output.isEmpty && folder.names.contains("passd.prom"), "\(ending)")
    }

    @Test(arguments: Interface.allCases) func `promtool accepts the metrics`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(interface: interface)
        _ = try box.app("LUMENTV").openLogin()
        let text = try box.cli(["metrics"])
        let checked = try ChildProcess.run(["promtool", "check", "metrics"], input: text.output)
        #expect(checked.status == 0 && checked.output.isEmpty && checked.errors.isEmpty, "\(checked)")
    }

    @Test func `promtool accepts the alert rules, and their tests pass`() throws {
        for words in [["check", "rules", "passd.rules.yml"], ["test", "rules", "passd.rules.test.yml"]] {
            let ending = try ChildProcess.run(["promtool"] + words, folder: Self.folder)
            #expect(ending.status == 0, "\(ending)")
        }
    }
}
