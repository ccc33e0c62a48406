// The daemon's numbers as OpenMetrics text. rpc.md §7.

import AccessEnabler

extension Reports {
    /// OpenMetrics text. Label values are our own names.
    var metrics: String {
        var lines: [String] = []
        func add(_ name: String, _ type: String, _ help: String, _ samples: [(String, Int)]) {
            lines.append("# TYPE passd_\(name) \(type)")
            lines.append("# HELP passd_\(name) \(help)")
            let suffix = type == "counter" ? "_total" : ""
            for (labels, value) in samples { lines.append("passd_\(name)\(suffix)\(labels) \(value)") }
        }
        add("uptime_seconds", "gauge", "Since the start.", [("", Int(state.uptime))])
        add("sessions", "gauge", "Connected apps.", [("", clients.count)])
        add("open_logins", "gauge", "Codes on screens.", [("", engine.openLogins.count)])
        add("logins", "gauge", "Logins that are stored.", [("", engine.inventory.count)])
        add("unsaved_changes", "gauge", "Changes in memory alone.", [("", engine.unsavedChanges)])
        add("calls", "counter", "Calls taken.", [("", counts.taken)])
        add("denied_calls", "counter", "Calls that policy refused.", [("", counts.denied)])
        add(
            "failed_calls", "counter", "Calls that ended in an error, by name.",
            counts.failed.sorted { $0.key < $1.key }.map { ("{name=\"\($0.key)\"}", $0.value) })
        return lines.joined(separator: "\n") + "\n# EOF\n"
    }
}
