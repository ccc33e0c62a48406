// Tests that docs/monitoring explains every label, and that alerts and dashboard use only metrics of the table.
// MonitoringTests reads rules and expressions with Prometheus' own tools.

import FoundationEssentials
import PassJSON
import Testing

@testable import PassServer

private let folder =
    String(#filePath.dropLast("Tests/PassdTests/Documents/MonitoringDocumentTests.swift".count)) + "docs/monitoring/"

@Suite struct MonitoringDocumentTests {
    private func text(_ name: String) throws -> String { try String(contentsOfFile: folder + name, encoding: .utf8) }

    @Test func `every value of a label is explained`() throws {
        let page = try text("README.md")
        let counts = MetricCounts()
        let begun = MetricFamily.all.flatMap { counts.counts(of: $0).keys.flatMap(\.self) }
        #expect(begun.count > 40)
        for value in begun + MetricCounts.RequestOutcome.allCases.map(\.rawValue) {
            #expect(page.contains("`\(value)`"), "\(value)")
        }
    }

    /// Names that look like metrics of passd or of the node exporter.
    private func metrics(in text: String) -> Set<String> {
        Set(text.matches(of: /\b(passd|node)_[a-z_]+/).map { String($0.0) })
    }

    /// The node exporter's own metrics about the file.
    private static let exporters: Set = ["node_textfile_mtime_seconds"]

    @Test(arguments: ["passd.rules.yml", "passd.rules.test.yml", "passd.dashboard.json"])
    func `every metric that a file uses is exported`(file: String) throws {
        let used = metrics(in: try text(file))
        #expect(used.count > 5)
        let exported = Set(MetricFamily.all.flatMap(\.sampleNames))
        #expect(used.subtracting(exported).subtracting(Self.exporters).isEmpty)
    }

    @Test func `the dashboard shows every metric`() throws {
        let used = metrics(in: try text("passd.dashboard.json"))
        for family in MetricFamily.all {
            #expect(!used.isDisjoint(with: family.sampleNames), "\(family.name)")
        }
    }

    @Test func `every alert has a test, an explanation and a remedy`() throws {
        let (rules, tests, page) = (
            try text("passd.rules.yml"), try text("passd.rules.test.yml"), try text("README.md")
        )
        let alerts = rules.matches(of: /- alert: ([A-Za-z]+)\n/).map { String($0.1) }
        #expect(alerts.count > 5 && Set(alerts).count == alerts.count)
        for alert in alerts {
            #expect(
                tests.contains("alertname=\"\(alert)\",instance=\"bad\"")
                    || tests.contains("alertname=\"\(alert)\",job=\"many\""))
            #expect(page.contains("| `\(alert)` |"), "\(alert)")
        }
        let lines = rules.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.count { $0.hasPrefix("runbook: ") } == alerts.count)
        #expect(lines.count { $0.wholeMatch(of: /labels: \{severity: (critical|warning)\}/) != nil } == alerts.count)
    }

    @Test func `the panels of the dashboard have unique numbers and do not overlap`() throws {
        let dashboard = try JSONReader.read(Array(text("passd.dashboard.json").utf8))
        let panels = dashboard["panels"]?.array ?? []
        #expect(panels.count > 20)
        #expect(Set(panels.compactMap { $0["id"]?.int64 }).count == panels.count)
        var taken: Set<Int64> = []
        for panel in panels {
            let place = panel["gridPos"]
            let (x, y) = (place?["x"]?.int64 ?? -1, place?["y"]?.int64 ?? -1)
            let (width, height) = (place?["w"]?.int64 ?? 0, place?["h"]?.int64 ?? 0)
            #expect(x >= 0 && width > 0 && x + width <= 24 && height > 0)
            for row in y..<y + height {
                for column in x..<x + width {
                    #expect(taken.insert(row * 24 + column).inserted, "\(panel["title"] ?? "")")
                }
            }
        }
    }
}
