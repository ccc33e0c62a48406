// Loads or makes the device key. The store keeps the key sealed, like the logins. A key from another device is not used,
// because with that key the other device's viewers could be signed in here. Contract: access-enabler.md §10.

package import AccessEnabler

package struct DeviceKeyKeeping {
    let vault: any TokenVault
    /// Whether the store was filled on another device.
    let isForeign: Bool

    package init(vault: any TokenVault, isForeign: Bool = false) {
        self.vault = vault
        self.isForeign = isForeign
    }

    /// Returns the key of the store, or a new one. If the store does not accept the new key, the key is used until the daemon
    /// stops. `damage` is a message if the stored key was unusable; nil if not.
    package func open() async throws(DeviceKey.Fault) -> (key: DeviceKey, damage: String?) {
        var damage: String?
        if !isForeign, let stored = await vault.load().deviceKey {
            if let key = try? DeviceKey(pem: stored) { return (key, nil) }
            damage = "The device key in the store was damaged."
        }
        let (key, text) = try DeviceKey.make()
        try? await vault.commit([.deviceKey(text)])
        return (key, damage)
    }
}
