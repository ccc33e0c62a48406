// The use of a file that the configuration names. `fault` checks whether the file is fit for its use. The check does not run or
// change the file.

import Glibc
import PassSystem

package enum FileUse: Sendable {
    case reading, running
    /// Trusted certificates, in PEM.
    case certificates
    /// A folder for files of the daemon. If only the last folder of the path is missing, the daemon creates it.
    case keeping
    /// A program of a client. passd compares its path and does not run it.
    case recognizing

    /// The reason why the file is not fit for this use; otherwise nil.
    func fault(of path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return absence(of: path, because: errno) }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        if case .keeping = self { return isFolder ? nil : "it is not a directory" }
        guard facts.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        switch self {
        case .running: return access(path, X_OK) == 0 ? nil : "it is not a program that this user may run"
        case .recognizing: return scriptFault(of: path) ?? linkFault(of: path)
        case .keeping: return nil
        case .reading, .certificates:
            guard access(path, R_OK) == 0 else { return "this user may not read it" }
            if case .reading = self { return nil }
            return certificateFault(of: path)
        }
    }

    /// The fault if the path is a script. For a script, the kernel starts an interpreter. So the client's program is the
    /// interpreter or another program, never the script.
    private func scriptFault(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var begin: [UInt8] = [0, 0]
        guard read(file, &begin, begin.count) == begin.count, begin == Array("#!".utf8) else { return nil }
        return "it is a script, which never matches; write the program that the script starts, "
            + "or its interpreter: readlink /proc/PID/exe shows it while the app runs"
    }

    /// The fault if the path has links. The kernel reports the path of a client's program without links.
    private func linkFault(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let real = String(cString: resolved)
        return real == path ? nil : "programs are known by their path without links; write executable:\(real)"
    }

    private func absence(of path: String, because reason: Int32) -> String? {
        switch self {
        case .reading, .running, .certificates: return String(cString: strerror(reason))
        // A file that this user may not see may still exist.
        case .recognizing: return [ENOENT, ENOTDIR].contains(reason) ? "there is no such program" : nil
        case .keeping:
            guard [ENOENT, ENOTDIR, ELOOP].contains(reason) else { return nil }
            var facts = stat()
            if lstat(path, &facts) == 0 {
                return "it is a link that leads nowhere; create the directory, or correct the path"
            }
            return parentFault(of: path)
        }
    }

    /// The reason why a missing folder cannot be created. A daemon that was started by hand also creates missing parents.
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
                // A certificate is a sequence in DER. Its Base64 text begins with M.
                if line.first == UInt8(ascii: "M") { return nil }
                isInside = false
            }
        }
        return "it has no certificate in PEM form; convert one with openssl x509 -inform der"
    }

    private static let begins = ["", "TRUSTED ", "X509 "].map { Array("-----BEGIN \($0)CERTIFICATE-----".utf8) }
}
