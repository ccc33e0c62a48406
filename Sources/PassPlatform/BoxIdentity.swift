// The device's identifier, derived from the configured source of the box's identity. It depends on the instance's name, so
// that instances of one host are different devices even with the same source. Contract: access-enabler.md §10, rest-v2.md
// §3.3.

package import AccessEnabler
package import PassProtocol
package import PassSystem

package struct BoxIdentity: DeviceIdentity {
    let source: DeviceIdentitySource

    let instance: InstanceName?

    package init(source: DeviceIdentitySource, instance: InstanceName? = nil) {
        self.source = source
        self.instance = instance
    }

    package func current() async throws(DeviceIdentityFault) -> DeviceID {
        do throws(DeviceIdentitySource.Fault) {
            let owner = instance.map { "passd instance \($0.text)" } ?? "passd"
            return DeviceID(rawValue: Digest.sha256("\(owner) device " + (try source.read())))
        } catch {
            throw DeviceIdentityFault(error.description)
        }
    }
}
