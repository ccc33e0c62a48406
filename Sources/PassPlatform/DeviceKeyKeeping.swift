// Loads or makes the device key. The key is kept in the store, sealed like the logins, and belongs to the device's identity:
// a store that another box has filled gives no key, so that it signs in no viewer here. Contract: access-enabler.md §10.

package import AccessEnabler

package struct DeviceKeyKeeping {
    let vault: any TokenVault
    /// The store was filled on another device.
    let isForeign: Bool

    package init(vault: any TokenVault, isForeign: Bool = false) {
        self.vault = vault
        self.isForeign = isForeign
    }

    package struct Opened {
        package let key: DeviceKey
        /// Says what was wrong if a stored key could not be used.
        package var damage: String?
    }

    /// Returns the key of the store, else a new one. If the store does not accept it, it is used until the daemon stops.
    package func open() async throws(DeviceKey.Fault) -> Opened {
        var damage: String?
        if !isForeign, let stored = await vault.load().deviceKey {
            if let key = try? DeviceKey(pem: stored) { return Opened(key: key) }
            damage = "The device key in the store was damaged."
        }
        let (key, text) = try DeviceKey.make()
        try? await vault.commit([.deviceKey(text)])
        return Opened(key: key, damage: damage)
    }
}
