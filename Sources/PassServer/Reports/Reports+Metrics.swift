// `passd.metrics`: the daemon's numbers as OpenMetrics text. rpc.md §7.

import AccessEnabler

extension Reports {
    /// Values of labels are names of errors from a fixed list, so they need no escaping.
    var metrics: String {
        var lines: [String] = []
        func add(_ name: String, type: String, help: String, samples: [(String, Int)]) {
            lines.append("# TYPE passd_\(name) \(type)")
            lines.append("# HELP passd_\(name) \(help)")
            let suffix = type == "counter" ? "_total" : ""
            for (labels, value) in samples { lines.append("passd_\(name)\(suffix)\(labels) \(value)") }
        }
        add("uptime_seconds", type: "gauge", help: "Seconds since the start.", samples: [("", Int(state.uptime))])
        add("sessions", type: "gauge", help: "Connected apps.", samples: [("", clients.count)])
        add("open_logins", type: "gauge", help: "Codes on screens.", samples: [("", engine.openLoginKeys.count)])
        add("logins", type: "gauge", help: "Stored logins.", samples: [("", engine.inventory.count)])
        add(
            "unsaved_changes", type: "gauge", help: "Changes that are not on the disk yet.",
            samples: [("", engine.unsavedChanges)])
        add("calls", type: "counter", help: "Calls received.", samples: [("", counts.taken)])
        add("denied_calls", type: "counter", help: "Calls that policy refused.", samples: [("", counts.denied)])
        add(
            "failed_calls", type: "counter", help: "Calls that failed, by the name of the error.",
            samples: counts.failed.sorted { $0.key < $1.key }.map { ("{name=\"\($0.key)\"}", $0.value) })
        return lines.joined(separator: "\n") + "\n# EOF\n"
    }
}
