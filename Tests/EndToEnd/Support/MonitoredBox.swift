// A box with metrics in Prometheus. The program of passd-metrics.service writes the file, Debian's node exporter
// collects it, and Debian's Prometheus scrapes the exporter. All of them listen on loopback, on ports of their own.

import FoundationEssentials
import PassJSON
import PassTestKit
import PassTestTools

final class MonitoredBox {
    let box: RunningBox
    private let scratch = TemporaryDirectory()
    private let exporter: ChildProcess
    private let prometheus: ChildProcess
    private let port: Int
    private let unit: MetricsUnit

    init(rules: String) throws {
        box = try RunningBox()
        unit = try MetricsUnit(folder: scratch.path)
        for folder in [unit.collector, scratch.file("data")] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        exporter = try ChildProcess([
            "prometheus-node-exporter", "--web.listen-address=127.0.0.1:0", "--collector.disable-defaults",
            "--collector.textfile", "--collector.textfile.directory=\(unit.collector)",
        ])
        scratch.write(
            """
            global: {scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 250ms}
            rule_files: ["\(rules)"]
            scrape_configs:
              - job_name: tv
                static_configs: [{targets: ["127.0.0.1:\(try Self.port(of: exporter))"]}]

            """, to: "prometheus.yml")
        prometheus = try ChildProcess([
            "prometheus", "--config.file=\(scratch.file("prometheus.yml"))",
            "--storage.tsdb.path=\(scratch.file("data"))", "--web.listen-address=127.0.0.1:0",
        ])
        port = try Self.port(of: prometheus)
        let program = prometheus
        guard becomesTrue({ program.errors.contains("Server is ready") }) else {
            throw TestFailure("Prometheus does not start: \(program.errors)")
        }
    }

    /// The port that the program has chosen, from its log.
    private static func port(of program: ChildProcess) throws -> Int {
        var port: Int?
        _ = becomesTrue {
            let line = program.errors.split(separator: "\n").first { $0.contains("msg=\"Listening on\"") }
            port = line?.split(separator: ":").last.flatMap { Int($0) }
            return port != nil || program.hasEnded
        }
        guard let port else { throw TestFailure("no port: \(program.errors)") }
        return port
    }

    /// Runs the program of the timer's unit.
    func writeMetrics() throws -> ChildProcess.Ending {
        try unit.run(["PASSD_SOCKET": box.socket, "PASSD_ADMIN_SOCKET": box.adminSocket])
    }

    /// Runs the program of an instance's timer. The instance's daemon is down.
    func writeMetrics(ofInstance name: String) throws -> ChildProcess.Ending {
        try MetricsUnit(folder: scratch.path, instance: name).run([:])
    }

    /// Puts a file at the place of the link.
    func obstruct(_ make: (String) throws -> Void) rethrows { try make(unit.collector + "/passd.prom") }

    var collected: [String] { (try? FileManager.default.contentsOfDirectory(atPath: unit.collector)) ?? [] }

    /// The file that the unit has written.
    var file: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    var path: String { unit.collector + "/passd.prom" }

    /// Asks Prometheus. Returns the values of all series of the expression.
    func query(_ expression: String) throws -> [Double] {
        let answer = try ask("query", ["--data-urlencode", "query=\(expression)"])
        guard answer["status"] == "success" else { throw TestFailure("\(expression): \(answer)") }
        return (answer["data"]?["result"]?.array ?? []).compactMap { series in
            series["value"]?.array?.last?.string.flatMap(Double.init)
        }
    }

    func ask(_ path: String, _ options: [String] = []) throws -> JSONValue {
        let ending = try ChildProcess.run(
            ["curl", "--silent", "--show-error", "--get", "http://127.0.0.1:\(port)/api/v1/\(path)"] + options)
        guard ending.status == 0 else { throw TestFailure("curl: \(ending.errors)") }
        return try JSONReader.read(Array(ending.output.utf8))
    }

    func awaits(_ expression: String, _ values: [Double]) throws -> Bool {
        try becomesTrue { try query(expression) == values }
    }
}

/// The commands of passd-metrics.service, or of its template for an instance, with the paths of this test.
struct MetricsUnit {
    let collector: String
    private let commands: [String]
    /// The exit codes that count as success for the unit.
    let successes: Set<Int32>

    init(folder: String, instance: String? = nil) throws {
        collector = folder + "/collector"
        let path = repository + "systemd/passd-metrics.service"
        var text = try String(contentsOfFile: path, encoding: .utf8)
        if let instance {
            let made = try ChildProcess.run(["sed", "-f", repository + "systemd/instance.sed", path])
            text = made.output.replacing("%i", with: instance)
        }
        let runtime = "/run/passd-metrics" + (instance.map { "@\($0)" } ?? "")
        let lines = text.replacing("\\\n", with: "").split(separator: "\n")
        func values(_ key: String) -> [String] {
            lines.filter { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        commands = (values("ExecStartPre") + values("ExecStart")).map { command in
            String(command.drop { $0 == "+" }).replacing("$$", with: "$").replacing(
                "/usr/bin/", with: RunningBox.builds
            )
            .replacing(runtime, with: folder)
        }
        successes = Set(
            values("SuccessExitStatus").joined(separator: " ").split(separator: " ").compactMap { Int32($0) })
        guard commands.count == 2, values("Environment").contains(where: { $0.hasPrefix("COLLECTOR=") }) else {
            throw TestFailure("passd-metrics.service is not what this test knows")
        }
    }

    func run(_ environment: [String: String]) throws -> ChildProcess.Ending {
        var ending = ChildProcess.Ending(status: 0, output: "", errors: "")
        for command in commands {
            ending = try ChildProcess.run(
                ["bash", "-c", command], environment: environment.merging(["COLLECTOR": collector]) { $1 })
            if ending.status != 0 { return ending }
        }
        return ending
    }
}
