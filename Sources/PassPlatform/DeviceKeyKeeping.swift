// The device key is kept in the store, sealed as the logins are. An earlier version had it in a file of its own, in the
// clear: what is found there is taken into the store, and the file is removed when the store has it for good.

import AccessEnabler
import CCrypto
import Glibc

package struct DeviceKeyKeeping {
    let vault: any TokenVault
    /// Where an earlier version kept it.
    let file: String
    let now: ServerTime

    package init(vault: any TokenVault, file: String, now: ServerTime) {
        self.vault = vault
        self.file = file
        self.now = now
    }

    package struct Opened {
        package let key: DeviceKey
        /// Something that was to be the key was none.
        package var damage: String?
    }

    /// The key of the store, else that of the file, else a new one. Where the store takes nothing it is good for as long as
    /// the daemon runs, and the file stays. What cannot be read at all stays as well, and is a fault.
    package func open() async throws(DeviceKey.Fault) -> Opened {
        var damage: String?
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

    /// Whether it is on the disk now.
    private func keeps(_ text: Secret) async -> Bool {
        do throws(VaultFault) { try await vault.commit([.deviceKey(text)]) } catch { return false }
        return await vault.health().isPersistent
    }

    /// Nil if there is no such file.
    private func read() throws(DeviceKey.Fault) -> Secret? {
        // A pipe would never open.
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

    /// Also what an interrupted making left.
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
