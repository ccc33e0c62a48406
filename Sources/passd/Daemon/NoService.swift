// The backend for a box without a service, and for services that are no longer configured. This backend sends no requests, and
// fails every question with the fault `noService`.

import AccessEnabler
import PassBackend
import PassConfiguration

struct NoService: EntitlementBackend {
    let traits: BackendTraits
    let interface: String

    init(_ version: Configuration.Backend.Version) {
        interface = version.interface
        var traits =
            switch version {
            case .v2: V2Backend.traits
            case .v1: V1Backend.traits
            }
        traits.isAbsent = true
        self.traits = traits
    }

    /// Returns a key that no stored registration has.
    func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        RegistrationKey(app: app, statement: "none", origin: "none", interface: interface)
    }

    private var fault: BackendFault { BackendFault(.noService) }

    func prepare(_ caller: BackendCaller) async throws(BackendFault) { throw fault }
    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] { throw fault }
    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        throw fault
    }
    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        throw fault
    }
    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll { throw fault }
    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {}
    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] { throw fault }
    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] { throw fault }
    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        throw fault
    }
    func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep { throw fault }
    func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile { throw fault }
}
