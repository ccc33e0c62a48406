// Tests that each protocol sees only its own part of a store that both have written to.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("rest-v2.md §19 items 1, 2") struct ProtocolContentsTests {
    private static func key(_ interface: String) -> RegistrationKey {
        RegistrationKey(
            app: AppID(rawValue: "news24"), statement: "s", origin: "https://service.test", interface: interface)
    }

    private static let contents: VaultContents = {
        var contents = VaultContents()
        let requestor = RequestorID(rawValue: "LUMENTV"), north = ProviderID(rawValue: "NorthCable")
        let time = ServerTime(milliseconds: 9)
        contents.device = DeviceID(rawValue: "abc")
        contents.selections[requestor] = Selection(
            provider: Provider(id: north, displayName: "North Cable", logoURL: ""), canAuthenticate: true)
        for interface in ["v1", "v2"] {
            let key = key(interface)
            let login = LoginKey(registration: key, requestor: requestor)
            let place = ProfileKey(registration: key, requestor: requestor, provider: north)
            contents.registrations[key] = StoredRegistration(clientID: interface, clientSecret: Secret("hush"))
            contents.profiles[place] = Profile(
                provider: north, kind: .regular, issuer: interface, notBefore: time, notAfter: time, attributes: [:])
            contents.openLogins[login] = OpenLogin(
                code: RegistrationCode(rawValue: interface), url: "", provider: north, notBefore: time,
                notAfter: time)
            contents.tombstones.insert(place)
        }
        return contents
    }()

    @Test(arguments: Configuration.Backend.Version.allCases)
    func `logins of one protocol are not visible in the other`(version: Configuration.Backend.Version) {
        let seen = Self.contents.of(version)
        let name = version.rawValue
        #expect(seen.registrations.map(\.key.interface) == [name])
        #expect(seen.profiles.map(\.key.registration.interface) == [name])
        #expect(seen.openLogins.map(\.value.code.rawValue) == [name])
        #expect(seen.tombstones.map(\.registration.interface) == [name])
        #expect(seen.device == Self.contents.device && seen.selections == Self.contents.selections)
    }
}
