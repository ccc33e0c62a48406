// The device's identifier, derived from the configured source of the box's identity, the instance's name and the store's salt.
// Because of the name, instances of one host are different devices even with the same source. Because of the salt, a box is a
// new device after a reset. Contract: access-enabler.md §10, rest-v2.md §3.3.

package import AccessEnabler
import PassJSON
package import PassProtocol
package import PassSystem

package struct BoxIdentity: DeviceIdentity {
    let source: DeviceIdentitySource

    let instance: InstanceName?

    let salt: [UInt8]

    package init(source: DeviceIdentitySource, instance: InstanceName? = nil, salt: [UInt8] = []) {
        self.source = source
        self.instance = instance
        self.salt = salt
    }

    package func current() async throws(DeviceIdentityFault) -> DeviceID {
        do throws(DeviceIdentitySource.Fault) {
            let owner = instance.map { "passd instance \($0.text)" } ?? "passd"
            let salt = salt.isEmpty ? "" : " " + salt.hexadecimal
            return DeviceID(rawValue: Digest.sha256("\(owner) device " + (try source.read()) + salt))
        } catch {
            throw DeviceIdentityFault(error.description)
        }
    }
}
