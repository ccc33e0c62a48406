// Makes the lists of `sendTrackingData`. A value that does not apply is an empty text, so that every other value keeps
// its position. Contract: access-enabler.md §19; open-questions.md OQ-30.

import PassProtocol

struct Tracking: Sendable {
    /// The contract has no device type for a box at a television.
    static let deviceType = "unknown"
    static let clientType = "linux"
    static let system = "Linux"

    let event: TrackingEvent
    let data: [String]

    private static let box = [deviceType, clientType, system]

    static func authentication(_ provider: ProviderID, guid: String, isCached: Bool) -> Tracking {
        Tracking(
            event: .authentication, data: ["true", provider.rawValue, guid, isCached ? "true" : "false"] + box)
    }

    static let authenticationFailed = Tracking(event: .authentication, data: ["false", "", "", ""] + box)

    static func authorization(_ provider: ProviderID, guid: String, isCached: Bool) -> Tracking {
        Tracking(
            event: .authorization,
            data: ["true", provider.rawValue, guid, isCached ? "true" : "false", "", ""] + box)
    }

    static func authorizationFailed(_ code: FlowErrorCode, details: String) -> Tracking {
        Tracking(event: .authorization, data: ["false", "", "", "", code.rawValue, details] + box)
    }

    static func selection(_ provider: ProviderID) -> Tracking {
        Tracking(event: .getSelectedProvider, data: [provider.rawValue] + box)
    }
}
