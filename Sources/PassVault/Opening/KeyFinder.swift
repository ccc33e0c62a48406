// Finds the key that seals (encrypts) new values, and the earlier keys that can still decrypt old values. A credential takes
// precedence over the key file. Before there was a credential, values were sealed with the key file. passd accepts such values
// only if root allows this, because any program that can write to the folder could put its own key there.

import AccessEnabler
import Glibc

struct KeyFinder {
    let configuration: VaultConfiguration
    let directory: StateDirectory
    let salt: [UInt8]
    private(set) var warnings: [VaultHealth.Warning] = []
    /// Whether there was already a key file.
    private(set) var foundFile = false
    /// The key of the key file, if a credential replaces it.
    private(set) var replaced: SealingKey?

    init(_ configuration: VaultConfiguration, _ directory: StateDirectory, salt: [UInt8]) {
        self.configuration = configuration
        self.directory = directory
        self.salt = salt
    }

    /// Returns the keys; nil if the key is unknown. While the key is unknown, no value may be resealed or count as lost.
    mutating func find(canWrite: Bool) throws(FileFault) -> Keyring? {
        let credential = configuration.credential.flatMap { SealingKey(secret: $0, salt: salt) }
        if let given = configuration.credential, credential == nil { warnings.append(.credentialUnusable(given.count)) }
        if let credential, configuration.sealing == .credential, !configuration.takesKeyFile {
            noticeFile()
            return Keyring(current: credential, plain: .never)
        }
        let file = SecretFile(directory.key, in: directory)
        var contents = file.read()
        var fileKey: SealingKey?
        if case .secret(var secret, let isExposed) = contents {
            // This drops the other reference to the bytes, because otherwise `wipe` would overwrite only a copy.
            contents = .absent
            fileKey = try key(&secret)
            foundFile = true
            if isExposed { warnings.append(.keyExposed(directory.key)) }
        }
        if configuration.sealing == .none {
            warnings.append(.unsealed)
            return Keyring(current: nil, earlier: [credential, fileKey].compactMap(\.self))
        }
        if let credential {
            replaced = fileKey
            return Keyring(current: credential, earlier: [fileKey].compactMap(\.self), plain: .never)
        }
        if let fileKey { return Keyring(current: fileKey) }
        if case .unreadable(let fault) = contents {
            warnings.append(.keyUnreadable(fault.explanation))
            return nil
        }
        // If the store cannot be written, its data is only in memory, so no new key is made.
        guard canWrite else { return Keyring(current: nil) }
        if case .malformed = contents {
            let setAside = SetAside(directory: directory, now: configuration.now())
            guard let name = setAside.move(directory.key, to: directory.key + ".damaged") else {
                warnings.append(.keyUnreadable("\(directory.key) does not contain a key"))
                return nil
            }
            warnings.append(.keyMalformed(name))
        }
        var secret = try file.create()
        return Keyring(current: try key(&secret))
    }

    /// Derives the key, and wipes the secret.
    private func key(_ secret: inout [UInt8]) throws(FileFault) -> SealingKey {
        defer { wipe(&secret) }
        guard let key = SealingKey(secret: secret, salt: salt) else { throw FileFault("deriving a key", EIO) }
        return key
    }

    private mutating func noticeFile() {
        var status = stat()
        guard lstat(directory.key, &status) == 0 else { return }
        foundFile = status.st_mode & S_IFMT == S_IFREG
        warnings.append(.keyUnused(directory.key))
    }
}
