// Identifies a read: two reads with equal questions may share one request. The sign-on tokens are not part of it,
// because they are the box's and the same for all callers.

import AccessEnabler

struct ServiceQuestion: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case providers
        case profiles
        case profile(ProviderID)
        case login(RegistrationCode)
        case preauthorization([ExactText], ProviderID)
    }

    /// Part of the question, so that no request waits in the queue of another owner.
    let owner: RequestOwner
    let registration: RegistrationKey
    let requestor: RequestorID
    let device: DeviceID
    let visitorID: String?
    let deviceInfo: String?
    let temporaryIdentity: [String: String]
    let partnerStatus: PartnerStatus?
    let subject: Subject
    /// The number of logouts that the service had answered. A request from before a logout must not answer a question
    /// from after it.
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
