// The files in which version 1.6 of the older library kept its tokens. There is one file for all apps. There is one more for
// each requestor whose provider required a separate login. passd never writes or removes these files. docs/storage-layouts.md.

import AccessEnabler
import Glibc

struct OldLayout {
    static let shared = "shared.xml"
    static let requestors = "requestors"
    /// The max size of a file, in bytes.
    static let largestFile = 64 << 10
    private static let longestName = 255

    let directory: String

    struct Entry {
        var token: OldToken
        /// The requestor of the file; nil for the shared file.
        var owner: RequestorID?
    }

    /// Returns the requestor's own token and the shared token, as far as they exist. The own token comes first, because it is
    /// more specific.
    func entries(for requestor: RequestorID, _ hear: (String) -> Void) -> [Entry] {
        var entries: [Entry] = []
        if let name = Self.fileName(of: requestor), let token = token(Self.requestors, name: name, hear: hear) {
            // Bytes are compared, because texts that look the same may name different requestors.
            if token.requestor.utf8.elementsEqual(requestor.rawValue.utf8) {
                entries.append(Entry(token: token, owner: requestor))
            } else {
                hear("\(directory)/\(Self.requestors)/\(name): the token belongs to another requestor")
            }
        }
        if let token = token("", name: Self.shared, hear: hear) { entries.append(Entry(token: token, owner: nil)) }
        return entries
    }

    /// The name of the requestor's file. Letters, digits, `-` and `_` are kept; every other byte becomes an escape like
    /// `%2E`. Nil if the name is too long.
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

    /// Returns the contents of the file; nil if there is no such file. Symbolic links below the directory are not followed, and
    /// only regular files are read.
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
        do throws(FileFault) {
            guard let file = try PlainFile(name, in: place, flags: O_NOFOLLOW) else { return nil }
            if file.size <= Self.largestFile { return try file.piece(at: 0, of: file.size) }
        } catch {
            throw Self.fault(error)
        }
        throw TokenFault("it is larger than \(Self.largestFile) bytes")
    }

    private func absent() throws(TokenFault) -> [UInt8]? {
        guard errno == ENOENT else { throw Self.fault(FileFault(directory)) }
        return nil
    }

    private static func fault(_ fault: FileFault) -> TokenFault {
        if fault.isNotPlain { return TokenFault("it is not a regular file") }
        return TokenFault(fault.code == ELOOP ? "it is a symbolic link" : systemMessage(fault.code))
    }
}
