// Loads, moves or makes the device key. The key is kept in the store, sealed like the logins, and belongs to the
// device's identity: a store that another box has filled gives no key, so that nobody is signed in by it here. An
// earlier version kept it unencrypted in a file of its own: such a key is moved into the store, and the file is removed
// once the key is durable there. Contract: access-enabler.md §10.

import AccessEnabler
import CCrypto
import Glibc

package struct DeviceKeyKeeping {
    let vault: any TokenVault
    /// The path of the file of the earlier version.
    let file: String
    let now: ServerTime
    /// The store was filled on another device.
    let isForeign: Bool

    package init(vault: any TokenVault, file: String, now: ServerTime, isForeign: Bool = false) {
        self.vault = vault
        self.file = file
        self.now = now
        self.isForeign = isForeign
    }

    package struct Opened {
        package let key: DeviceKey
        /// Says what was wrong if a stored key could not be used.
        package var damage: String?
    }

    /// Returns the key of the store, else that of the file, else a new one. If the store does not accept the key, the
    /// key is used until the daemon stops, and the file stays. A key that cannot be read at all is a fault, and its
    /// file stays too.
    package func open() async throws(DeviceKey.Fault) -> Opened {
        var damage: String?
        if isForeign {
            let (key, text) = try DeviceKey.make()
            if await keeps(text) { removeFile() }
            return Opened(key: key)
        }
        if let stored = await vault.load().deviceKey {
            if let key = try? DeviceKey(pem: stored) {
                if await vault.health().isPersistent { removeFile() }
                return Opened(key: key)
            }
            damage = "The device key in the store was damaged."
        }
        if let text = try read() {
            if let key = try? DeviceKey(pem: text) {
                if await keeps(text) { removeFile() }
                return Opened(key: key, damage: damage)
            }
            damage = "The device key was damaged. It was renamed to \(try setAside())."
        }
        let (key, text) = try DeviceKey.make()
        if await keeps(text) { removeFile() }
        return Opened(key: key, damage: damage)
    }

    /// Returns whether the key is durable now.
    private func keeps(_ text: Secret) async -> Bool {
        do throws(VaultFault) { try await vault.commit([.deviceKey(text)]) } catch { return false }
        return await vault.health().isPersistent
    }

    /// Nil if the file does not exist.
    private func read() throws(DeviceKey.Fault) -> Secret? {
        // O_NONBLOCK, because opening a pipe could wait forever.
        let descriptor = Glibc.open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw fault }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fault }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DeviceKey.Fault(description: "the device key \(file) is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw fault }
        defer { bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        return Secret(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    private func setAside() throws(DeviceKey.Fault) -> String {
        let name = "\(file).damaged-\(now.milliseconds / 1000)"
        guard rename(file, name) == 0 else { throw fault }
        return name
    }

    /// Also removes what an interrupted write has left.
    private func removeFile() {
        var isRemoved = false
        for name in [file, file + ".new"] where unlink(name) == 0 { isRemoved = true }
        guard isRemoved, let end = file.lastIndex(of: "/") else { return }
        let directory = Glibc.open(String(file[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    private var fault: DeviceKey.Fault {
        DeviceKey.Fault(description: "the device key \(file) cannot be read: \(String(cString: strerror(errno)))")
    }
}
