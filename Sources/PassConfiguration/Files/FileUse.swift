// The use of a file that the configuration names. `fault` checks whether the file is fit for its use. The check does not run or
// change the file.

import Glibc
import PassSystem

package enum FileUse: Sendable {
    case reading, running
    /// Trusted certificates, in PEM.
    case certificates
    /// A directory for files of the daemon. If only the last directory of the path is missing, the daemon creates it.
    case keeping

    /// The reason why the file is not fit for this use; nil if it is fit.
    func fault(of path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return absence(of: path, because: errno) }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        if case .keeping = self { return isFolder ? nil : "it is not a directory" }
        guard facts.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        switch self {
        case .running: return access(path, X_OK) == 0 ? nil : "it is not a program that this user may run"
        case .keeping: return nil
        case .reading, .certificates:
            guard access(path, R_OK) == 0 else { return "this user may not read it" }
            if case .reading = self { return nil }
            return certificateFault(of: path)
        }
    }

    private func absence(of path: String, because reason: Int32) -> String? {
        switch self {
        case .reading, .running, .certificates: return String(cString: strerror(reason))
        case .keeping:
            guard [ENOENT, ENOTDIR, ELOOP].contains(reason) else { return nil }
            var facts = stat()
            if lstat(path, &facts) == 0 {
                return "it is a link that leads nowhere; create the directory, or correct the path"
            }
            return parentFault(of: path)
        }
    }

    /// The reason why the daemon cannot create the missing directory, for example because the parent directory is missing, too.
    /// Nil if no such reason is known. A daemon that was started by hand also creates missing parents.
    private func parentFault(of path: String) -> String? {
        var parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        var facts = stat()
        if stat(parent.isEmpty ? "/" : String(parent), &facts) == 0 {
            return facts.st_mode & S_IFMT == S_IFDIR ? nil : "\(parent) is not a directory; correct the path"
        }
        let missing = parent
        guard errno == ENOENT || errno == ENOTDIR else { return nil }
        while !parent.isEmpty, stat(String(parent), &facts) != 0 {
            parent = parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)]
        }
        let above = parent.isEmpty ? "/" : String(parent)
        if geteuid() != 0, facts.st_mode & S_IFMT == S_IFDIR, access(above, W_OK) == 0 { return nil }
        return "there is no directory \(missing); create it, or correct the path"
    }

    /// The max size of a file of certificates, in bytes. Larger files are not read.
    private static let maxCertificates = 8 << 20

    private func certificateFault(of path: String) -> String? {
        guard let bytes = try? TextFile.read(path, limit: Self.maxCertificates) else { return nil }
        var isInside = false
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if Self.begins.contains(where: line.starts) {
                isInside = true
            } else if isInside {
                // A certificate is a sequence in DER, so its Base64 text begins with M.
                if line.first == UInt8(ascii: "M") { return nil }
                isInside = false
            }
        }
        return "it has no certificate in PEM form; convert one with openssl x509 -inform der"
    }

    private static let begins = ["", "TRUSTED ", "X509 "].map { Array("-----BEGIN \($0)CERTIFICATE-----".utf8) }
}
