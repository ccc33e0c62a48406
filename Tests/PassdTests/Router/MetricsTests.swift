// Tests that the daemon's metrics are OpenMetrics text, version 1.0.0: families with type, help and samples.

import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassServer
@testable import passd

@Suite struct MetricsTests {
    private struct Family {
        let name: String
        let kind: String
        var hasHelp = false
        var samples: [String: Int] = [:]
    }

    /// Throws at anything that the format does not allow.
    private func parse(_ text: String) throws -> [Family] {
        #expect(text.hasSuffix("\n# EOF\n"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
        var families: [Family] = []
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            if line.hasPrefix("# TYPE ") {
                try #require(words.count == 4)
                #expect(["gauge", "counter"].contains(words[3]))
                #expect(!families.contains { $0.name == words[2] }, "one TYPE for each family")
                families.append(Family(name: words[2], kind: words[3]))
                continue
            }
            let current = families.popLast()
            var family = try #require(current, "\(line)")
            if line.hasPrefix("# HELP ") {
                #expect(words[2] == family.name && !family.hasHelp && family.samples.isEmpty)
                family.hasHelp = true
            } else {
                try #require(words.count == 2, "\(line)")
                let value = try #require(Int(words[1]), "\(line)")
                let name = String(words[0].prefix { $0 != "{" })
                #expect(name == family.name + (family.kind == "counter" ? "_total" : ""))
                #expect(value >= 0)
                try checkLabels(words[0].dropFirst(name.count))
                #expect(family.samples.updateValue(value, forKey: words[0]) == nil, "one sample for each set of labels")
            }
            families.append(family)
        }
        #expect(families.allSatisfy { $0.hasHelp && $0.name.hasPrefix("passd_") })
        return families
    }

    private func checkLabels(_ text: Substring) throws {
        guard !text.isEmpty else { return }
        let label = try #require(text.wholeMatch(of: /\{([a-z_]+)="([^"\\\n]*)"\}/))
        #expect(label.1 == "name")
    }

    private func sample(_ name: String, _ families: [Family]) -> Int? {
        families.lazy.compactMap { $0.samples[name] }.first
    }

    @Test func `the text follows the format, and counts`() async throws {
        let household = try await Household()
        let admin = try await household.connect(.admin)
        let fresh = try parse(try #require(await admin.call("passd.metrics")["text"]?.string))
        #expect(sample("passd_sessions", fresh) == 1)
        #expect(sample("passd_calls_total", fresh) == 1)
        #expect(sample("passd_denied_calls_total", fresh) == 0)

        await household.logsIn()
        let visitor = try await household.app()
        for requestor in ["A", "B"] {
            #expect(try await visitor.exchange("setRequestor", ["requestorID": .string(requestor)]).fault == "DENIED")
        }
        #expect(try await visitor.exchange("nope").fault == "METHOD_NOT_FOUND")
        #expect(try await visitor.exchange("handleExternalURL", ["url": "x"]).fault == "FLOW_CONFLICT")
        let answer = try await admin.call("passd.metrics")
        #expect(answer["contentType"]?.string?.hasPrefix("application/openmetrics-text; version=1.0.0") == true)
        let later = try parse(try #require(answer["text"]?.string))
        #expect(sample("passd_sessions", later) == 2)
        #expect(sample("passd_logins", later) == 1)
        #expect(sample("passd_calls_total", later) == 7)
        #expect(sample("passd_denied_calls_total", later) == 2)
        #expect(sample("passd_failed_calls_total{name=\"DENIED\"}", later) == 2)
        #expect(sample("passd_failed_calls_total{name=\"METHOD_NOT_FOUND\"}", later) == 1)
        #expect(sample("passd_failed_calls_total{name=\"FLOW_CONFLICT\"}", later) == 1)
    }
}
