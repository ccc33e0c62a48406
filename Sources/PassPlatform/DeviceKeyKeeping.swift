// Loads or makes the device key. The store keeps the key sealed, like the logins. The key belongs to the device's identity:
// a key from another device is not used, so that it cannot sign in viewers here. Contract: access-enabler.md §10.

package import AccessEnabler

package struct DeviceKeyKeeping {
    let vault: any TokenVault
    /// Whether the store was filled on another device.
    let isForeign: Bool

    package init(vault: any TokenVault, isForeign: Bool = false) {
        self.vault = vault
        self.isForeign = isForeign
    }

    package struct Opened {
        package let key: DeviceKey
        /// The reason why a stored key could not be used, if there was one.
        package var damage: String?
    }

    /// Returns the key of the store, or a new one. If the store does not accept the new key, the key lasts until the daemon
    /// stops.
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
