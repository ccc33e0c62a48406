// Compares and splits texts from outside by their bytes or scalars. A Swift character hides a sign behind a combining
// mark that follows it, and Swift treats canonically equivalent texts as equal; services, files and the kernel do
// neither.

extension StringProtocol {
    /// Whether the two texts have the same bytes.
    public func isWritten(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    public func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// Splits the text at the first such sign; nil if there is none.
    public func parted(at sign: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
    }
}
