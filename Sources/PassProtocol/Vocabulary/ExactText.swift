// Compares and splits texts from outside by their exact bytes or scalars. A Swift character hides a sign to which a
// combining mark is attached, and Swift treats canonically equivalent texts as equal; services, files and the kernel do
// not.

extension StringProtocol {
    /// Whether both have the same bytes.
    public func isWritten(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    public func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// The text before and after the first occurrence of the sign; nil if there is none.
    public func parted(at sign: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
    }
}
