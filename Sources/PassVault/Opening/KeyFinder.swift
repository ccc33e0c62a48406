// Determines the key that seals and the keys that can still unseal. A credential takes precedence over the key file.
// What the key file sealed before there was a credential is accepted only if root requests it; otherwise anybody who
// can write the directory could plant a key.

import AccessEnabler
import Glibc

struct KeyFinder {
    let configuration: VaultConfiguration
    let directory: StateDirectory
    private(set) var warnings: [VaultHealth.Warning] = []
    /// A key file existed before this start.
    private(set) var foundFile = false
    /// The key of the key file that a credential replaces.
    private(set) var replaced: SealingKey?

    init(_ configuration: VaultConfiguration, _ directory: StateDirectory) {
        self.configuration = configuration
        self.directory = directory
    }

    /// Nil if the key cannot be determined. Then nothing may be sealed anew, and nothing counts as permanently
    /// unreadable.
    mutating func find(canWrite: Bool) throws(FileFault) -> Keyring? {
        let credential = configuration.credential.flatMap { SealingKey(secret: $0) }
        if let given = configuration.credential, credential == nil { warnings.append(.credentialUnusable(given.count)) }
        if let credential, configuration.sealing == .credential, !configuration.takesKeyFile {
            noticeFile()
            return Keyring(current: credential, plain: .never)
        }
        let file = KeyFile(directory: directory)
        let contents = file.read()
        var fileKey: SealingKey?
        if case .key(let key, let isExposed) = contents {
            fileKey = key
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
        // The store is in memory only, where nothing is sealed.
        guard canWrite else { return Keyring(current: nil) }
        if case .malformed = contents {
            let setAside = SetAside(directory: directory, now: configuration.now())
            guard let name = setAside.move(directory.key, "damaged") else {
                warnings.append(.keyUnreadable("\(directory.key) holds no key"))
                return nil
            }
            warnings.append(.keyMalformed(name))
        }
        return Keyring(current: try file.create())
    }

    private mutating func noticeFile() {
        var status = stat()
        guard lstat(directory.key, &status) == 0 else { return }
        foundFile = status.st_mode & S_IFMT == S_IFREG
        warnings.append(.keyUnused(directory.key))
    }
}
