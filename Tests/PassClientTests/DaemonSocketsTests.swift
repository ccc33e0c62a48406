// Tests where clients look for the daemon.

import PassClient
import Testing

@Suite("rpc.md §1: finding the sockets")
struct DaemonSocketsTests {
    static let rows: [(String?, [String: String], String, String)] = [
        (nil, [:], "/run/passd/passd.sock", "/run/passd/admin.sock"),
        ("/d/passd.sock", [:], "/d/passd.sock", "/d/admin.sock"),
        ("passd.sock", [:], "passd.sock", "admin.sock"),
        ("/passd.sock", [:], "/passd.sock", "/admin.sock"),
        ("/d/s", ["PASSD_SOCKET": "/e/s", "PASSD_ADMIN_SOCKET": "/e/a"], "/d/s", "/d/admin.sock"),
        (nil, ["PASSD_SOCKET": "/e/s"], "/e/s", "/e/admin.sock"),
        (nil, ["PASSD_SOCKET": "/e/s", "PASSD_ADMIN_SOCKET": "/f/a"], "/e/s", "/f/a"),
        (nil, ["PASSD_ADMIN_SOCKET": "/f/a"], "/run/passd/passd.sock", "/f/a"),
        (nil, ["PASSD_SOCKET": "", "PASSD_ADMIN_SOCKET": ""], "/run/passd/passd.sock", "/run/passd/admin.sock"),
    ]

    @Test(arguments: rows)
    func `a path overrides the environment, which overrides the default, and both sockets are one daemon's`(
        _ path: String?, _ environment: [String: String], _ api: String, _ admin: String
    ) {
        #expect(DaemonSockets.find(path, environment: environment) == DaemonSockets(api: api, admin: admin))
    }

    @Test func `an instance has its own two sockets, and an invalid name has none`() {
        let own = DaemonSockets(api: "/run/passd@room1/passd.sock", admin: "/run/passd@room1/admin.sock")
        #expect(DaemonSockets.ofInstance("room1") == own)
        #expect(DaemonSockets.ofInstance("../etc") == nil)
    }
}
