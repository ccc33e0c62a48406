// Checks that the settings of the box's TV account fit together. A box must not claim to be another vendor's device, except to
// a test service on the same machine. Contract: open-questions.md OQ-28.

import PassBackend

enum PartnerCheck {
    private static let othersNames = ["apple"]
    private static let othersDevices = ["ios", "ipados", "tvos"]

    static func fault(in configuration: Configuration) -> (key: String, message: String)? {
        let signOn = configuration.signOn
        guard case .command = signOn.partner else { return nil }
        guard let name = signOn.partnerName else { return ("partner-name", "is required with partner = command:") }
        guard let device = signOn.partnerDeviceType else {
            return ("partner-device-type", "is required with partner = command:")
        }
        let services = [configuration.backend.origin].compactMap(\.self) + configuration.backend.serviceProviders
        if services.allSatisfy(isOnThisMachine) { return nil }
        if othersNames.contains(name.lowercased()) { return ("partner-name", "= \(name) \(refusal)") }
        if othersDevices.contains(device.lowercased()) { return ("partner-device-type", "= \(device) \(refusal)") }
        return nil
    }

    private static let refusal = "belongs to another vendor, so it is accepted only if every service is on this machine"

    private static func isOnThisMachine(_ origin: String) -> Bool { (try? Origin(origin))?.isLoopback ?? false }
}
