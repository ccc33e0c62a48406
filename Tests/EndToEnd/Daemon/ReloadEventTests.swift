// Tests what subscribers are told about a reload.

import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("rpc.md §6") struct ReloadEventTests {
    @Test func `a reload is reported from beginning to end, with the faults that it found`() throws {
        let box = try RunningBox()
        let watcher = try box.operatorsView()
        try watcher.call("passd.subscribe", ["types": ["readiness", "configuration", "warning"]])
        unlink(box.scratch.file("news24.jwt"))
        box.daemon.signal(SIGHUP)
        try watcher.hear("event") { $0["data"]?["readiness"] == "reloading" }
        try watcher.hear("event") { $0["type"] == "configuration" && $0["data"]?["applied"] == true }
        try watcher.hear("event") { $0["data"]?["readiness"] == "ready" }
        try watcher.hear("event") {
            $0["data"]?["warning"]?["message"]?.string?.contains("news24") == true
        }
        #expect(try watcher.call("passd.status")["readiness"] == "ready")
    }
}
