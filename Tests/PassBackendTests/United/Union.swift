// Two stations as one backend.

import PassTestKit
import PassTestTools
import Synchronization
import Testing

@testable import AccessEnabler
@testable import PassBackend

struct Union: Sendable {
    static let m1 = ProviderID(rawValue: "M1")
    static let login = OpenLogin(
        code: RegistrationCode(rawValue: "K7Q2M4X"), url: "https://east.example/activate", provider: nil,
        notBefore: ServerTime(milliseconds: 0), notAfter: ServerTime(milliseconds: 9))

    let east = Station(origin: "https://east.example")
    let west = Station(origin: "https://west.example")
    let backend: UnitedBackend
    let caller: BackendCaller

    init() {
        backend = UnitedBackend(east, [west])
        let app = AppID(rawValue: "tv.app")
        caller = BackendCaller(
            registration: backend.registration(of: app, statement: Secret("s")), softwareStatement: Secret("s"),
            requestor: RequestorID(rawValue: "NEWS24"), device: DeviceID(rawValue: "d"),
            deadline: BootTime(nanoseconds: .max))
    }

    /// Requests the providers. The given station answers last.
    @discardableResult func providers(slower: KeyPath<Union, Station> & Sendable) async throws -> [Provider] {
        let slow = self[keyPath: slower], fast = slower == \.east ? west : east
        let before = (list: fast.lists.elements.count, arrival: arrivalCount)
        slow.fake.hold("providers")
        let providers = Task { try await backend.providers(caller) }
        try await fast.lists.wait(for: before.list + 1)
        await eventually { arrivalCount > before.arrival }
        slow.fake.release("providers")
        return try await providers.value
    }

    private var arrivalCount: Int { backend.arrivalCount.load(ordering: .sequentiallyConsistent) }

    static func profile(_ provider: String, issuer: String = "", until end: Int64 = 9) -> Profile {
        Profile(
            provider: ProviderID(rawValue: provider), kind: .regular, issuer: issuer,
            notBefore: ServerTime(milliseconds: 0), notAfter: ServerTime(milliseconds: end), attributes: [:])
    }
}
