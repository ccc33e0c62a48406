// The device's identifier, derived from the configured source of the box's identity. Contract: access-enabler.md §10,
// rest-v2.md §3.3.

import AccessEnabler
import PassSystem

package struct BoxIdentity: DeviceIdentity {
    let source: DeviceIdentitySource

    package init(source: DeviceIdentitySource) { self.source = source }

    package func current() async throws(DeviceIdentityFault) -> DeviceID {
        do throws(DeviceIdentitySource.Fault) {
            return DeviceID(rawValue: Digest.sha256("passd device " + (try source.read())))
        } catch {
            throw DeviceIdentityFault(error.description)
        }
    }
}
