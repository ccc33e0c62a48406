// The key by which identical reads are joined: who asks, for which device, and what. The sign-on tokens are not part of
// it, because they belong to the box and are the same for all.

import AccessEnabler

struct ServiceQuestion: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case providers
        case profiles
        case profile(ProviderID)
        case login(RegistrationCode)
        case preauthorization([ExactText], ProviderID)
    }

    /// Reads of different owners are not joined, because each owner has its own line in the budget.
    let owner: CallOwner
    let registration: RegistrationKey
    let requestor: RequestorID
    let device: DeviceID
    let visitorID: String?
    let deviceInfo: String?
    let temporaryIdentity: [String: String]
    let partnerStatus: PartnerStatus?
    let subject: Subject
    /// The number of logouts that the service had answered: a read from before a logout does not answer a question
    /// after it.
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
