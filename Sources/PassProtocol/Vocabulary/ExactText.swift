// Texts from outside, looked at by what is written. Swift's characters hide a sign behind a combining mark that follows it,
// and Swift takes texts for equal that mean the same and are written differently; services, files and the kernel do not.

extension StringProtocol {
    /// To the byte.
    public func isWritten(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    public func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// Before the first of that sign and behind it; nil if it is not there.
    public func parted(at sign: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
    }
}
