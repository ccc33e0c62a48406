// Tests the id that passd derives from the machine ID.

import Glibc
import PassTestTools
import Testing

@testable import PassSystem

@Suite("rest-v2.md §3.3: the id of the machine") struct MachineIDTests {
    @Test(
        .enabled(if: access("/usr/bin/systemd-id128", X_OK) == 0 && (try? DeviceIdentitySource.machineID.read()) != nil)
    )
    func `the id matches systemd's own tool`() throws {
        let tool = try ChildProcess.run([
            "systemd-id128", "machine-id", "--app-specific=dddca29ab21443ba9b5a6da450d5a378",
        ])
        let derived = try DeviceIdentitySource.machineID.read()
        #expect(tool.status == 0 && tool.output == derived + "\n")
    }
}
