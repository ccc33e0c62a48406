// What makes two reads the same question: who asks, for which device, and what. The sign-on tokens are the box's and
// the same for everybody.

import AccessEnabler

struct ServiceQuestion: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case providers
        case profiles
        case profile(ProviderID)
        case login(RegistrationCode)
        case preauthorization([ExactText], ProviderID)
    }

    /// Nobody's question waits in another one's line.
    let owner: CallOwner
    let registration: RegistrationKey
    let requestor: RequestorID
    let device: DeviceID
    let visitorID: String?
    let deviceInfo: String?
    let temporaryIdentity: [String: String]
    let partnerStatus: PartnerStatus?
    let subject: Subject
    /// How many logouts the service had answered: what was asked before one of them is no answer to who asks after it.
    let logouts: UInt64

    init(_ subject: Subject, _ caller: BackendCaller, after logouts: UInt64 = 0) {
        self.logouts = logouts
        owner = caller.owner
        registration = caller.registration
        requestor = caller.requestor
        device = caller.device
        visitorID = caller.visitorID
        deviceInfo = caller.deviceInfo
        temporaryIdentity = caller.temporaryIdentity
        partnerStatus = caller.partnerStatus
        self.subject = subject
    }
}
