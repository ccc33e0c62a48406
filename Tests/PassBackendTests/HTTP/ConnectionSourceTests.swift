// Tests that the device's description shows the real connection.

import AccessEnabler
import FoundationEssentials
import Glibc
import Testing

@testable import PassBackend

@Suite("ruling 41; rest-v2.md §3.4, rest-v1.md §5.1") struct ConnectionSourceTests {
    private static let facts = DeviceFacts(model: "LTV-200", manufacturer: "Lumen Devices", osVersion: "6.12")

    private static func decoded(_ header: String?) throws -> [String: String] {
        let text = try #require(header).replacing("%2B", with: "+").replacing("%2F", with: "/")
            .replacing("%3D", with: "=")
        return try JSONDecoder().decode([String: String].self, from: #require(Data(base64Encoded: text)))
    }

    @Test(arguments: [false, true])
    func `ruling 41: the reported address, port and kind of each connection are correct`(
        isPercentEncoded: Bool
    ) async throws {
        let server = try RawServer.answering { _ in answer("ok") }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        var request = HTTPRequest(.get, try server.url("a"), headers: ["X-Device-Info": "e30=", "Accept": "a/b"])
        request.device = DeviceDescription(
            facts: Self.facts, app: AppID(rawValue: "tv.app"), isPercentEncoded: isPercentEncoded)
        for _ in 0..<2 { _ = try await client.send(request) }
        request.isForOnce = true
        _ = try await client.send(request)
        let found = try server.requests.map { try Self.decoded($0.header("X-Device-Info")) }
        #expect(found.map { $0["connectionIp"] } == ["127.0.0.1", "127.0.0.1", "127.0.0.1"])
        #expect(found.map { $0["connectionPort"].flatMap { UInt16($0) } } == server.requests.map(\.peerPort))
        #expect(found[0]["connectionPort"] == found[1]["connectionPort"], "a kept connection")
        #expect(found[0]["connectionPort"] != found[2]["connectionPort"], "a connection of its own")
        #expect(found.allSatisfy { $0["connectionType"] == "LAN" && $0["model"] == "LTV-200" })
        #expect(server.requests.allSatisfy { $0.header("Accept") == "a/b" })
        #expect(server.requests.allSatisfy { request in request.headers.count { $0.hasPrefix("X-Device") } == 1 })
    }

    @Test func `ruling 41: an interface is found by its address, without the kernel's route socket`() throws {
        #expect(NetworkInterface.named(by: "127.0.0.1") == "lo")
        for unknown in ["192.0.2.250", "2001:db8::250", "", ":", "localhost", "127.0.0.1\0"] {
            #expect(NetworkInterface.named(by: unknown) == nil, "\(unknown)")
        }
        // Each address of the machine's other interfaces leads to the interface that the kernel names.
        var list: UnsafeMutablePointer<ifaddrs>?
        try #require(getifaddrs(&list) == 0)
        defer { freeifaddrs(list) }
        var compared = 0
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap({ $0?.pointee }) {
            guard let address = entry.ifa_addr, [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)) else {
                continue
            }
            var text = [CChar](repeating: 0, count: 64)
            let isVersion4 = Int32(address.pointee.sa_family) == AF_INET
            let bytes = UnsafeRawPointer(address) + (isVersion4 ? 4 : 8)
            inet_ntop(isVersion4 ? AF_INET : AF_INET6, bytes, &text, 64)
            let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let interface = String(cString: entry.ifa_name).prefix { $0 != ":" }
            #expect(NetworkInterface.named(by: name).map { Substring($0) } == interface, "\(name)")
            compared += 1
        }
        #expect(compared > 0)
    }

    @Test func `ruling 41: an app's description of its device is sent unchanged`() async throws {
        let server = try RawServer.answering { _ in answer("ok") }
        defer { server.stop() }
        let request = HTTPRequest(.get, try server.url("a"), headers: ["X-Device-Info": "e30="])
        _ = try await HTTPClient(.patient).send(request)
        #expect(server.requests.first?.header("X-Device-Info") == "e30=")
    }

    @Test func `ruling 41: a wireless connection is reported as such, and no text for logs has the address`() throws {
        let source = ConnectionSource(address: "192.0.2.7", port: 40_112, isWireless: true)
        let fields = try Self.decoded(Self.facts.header(for: AppID(rawValue: "tv.app"), from: source))
        #expect(fields["connectionType"] == "WiFi" && fields["connectionPort"] == "40112")
        var request = HTTPRequest(.get, try Origin("https://sp.example").url(["a"]))
        request.device = DeviceDescription(facts: Self.facts, app: AppID(rawValue: "tv.app"), isPercentEncoded: false)
        #expect(!"\(request)".contains("LTV") && !"\(request)".contains("192.0.2"))
    }
}
