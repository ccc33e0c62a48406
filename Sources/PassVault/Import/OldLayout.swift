// The storage layout of version 1.6: one token file for all apps, and one for each requestor whose provider required a
// login of its own. Nothing here is ever written or removed. docs/storage-layouts.md.

import AccessEnabler
import Glibc

struct OldLayout {
    static let shared = "shared.xml"
    static let requestors = "requestors"
    static let largestFile = 64 << 10
    private static let longestName = 255

    let directory: String

    struct Entry {
        var token: OldToken
        /// The requestor to which the file belongs; nil for the shared one.
        var owner: RequestorID?
    }

    /// The requestor's own token first, since it is the more specific one.
    func entries(for requestor: RequestorID, _ hear: (String) -> Void) -> [Entry] {
        var entries: [Entry] = []
        if let name = Self.fileName(of: requestor), let token = token(Self.requestors, name: name, hear: hear) {
            // Names are compared byte by byte: texts that only look the same are other requestors.
            if token.requestor.utf8.elementsEqual(requestor.rawValue.utf8) {
                entries.append(Entry(token: token, owner: requestor))
            } else {
                hear("\(directory)/\(Self.requestors)/\(name): the token is another requestor's")
            }
        }
        if let token = token("", name: Self.shared, hear: hear) { entries.append(Entry(token: token, owner: nil)) }
        return entries
    }

    /// Keeps letters, digits, `-` and `_`, and writes every other byte as `%2E`. Nil if the result is too long for a
    /// file name.
    static func fileName(of requestor: RequestorID) -> String? {
        var name = ""
        for byte in requestor.rawValue.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        name += ".xml"
        return requestor.rawValue.isEmpty || name.utf8.count > longestName ? nil : name
    }

    private func token(_ folder: String, name: String, hear: (String) -> Void) -> OldToken? {
        do throws(TokenFault) {
            return try contents(folder, name).map { bytes throws(TokenFault) in try OldToken(bytes) }
        } catch {
            hear([directory, folder, name].filter { !$0.isEmpty }.joined(separator: "/") + ": " + error.explanation)
            return nil
        }
    }

    /// Nil if there is no such file. Below the directory no symbolic link is followed, and only regular files are read.
    private func contents(_ folder: String, _ name: String) throws(TokenFault) -> [UInt8]? {
        let flags = O_RDONLY | O_CLOEXEC
        var place = open(directory, flags | O_DIRECTORY)
        guard place >= 0 else { return try absent() }
        defer { close(place) }
        if !folder.isEmpty {
            let inner = openat(place, folder, flags | O_DIRECTORY | O_NOFOLLOW)
            guard inner >= 0 else { return try absent() }
            close(place)
            place = inner
        }
        // Opening a pipe must not wait for a writer.
        let file = openat(place, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return try absent() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw TokenFault(systemMessage(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw TokenFault("it is no plain file") }
        var bytes = [UInt8](repeating: 0, count: Self.largestFile + 1)
        var count = 0
        while count < bytes.count {
            let step = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress.map { $0 + count }, $0.count - count) }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw TokenFault(systemMessage(errno)) }
            if step == 0 { break }
            count += step
        }
        guard count <= Self.largestFile else { throw TokenFault("it has more than \(Self.largestFile) bytes") }
        return Array(bytes.prefix(count))
    }

    private func absent() throws(TokenFault) -> [UInt8]? {
        switch errno {
        case ENOENT: return nil
        case ELOOP: throw TokenFault("it is a symbolic link")
        case let code: throw TokenFault(systemMessage(code))
        }
    }
}
