// The limits for stored values. Backends and the vault share them. A larger value is refused when it arrives, because the vault
// would not store it. A login with such a value would be missing after a restart. architecture.md §5.3.

/// The largest values that the vault stores.
public enum ValueLimits {
    /// The maximum size of one stored value in bytes. A text is measured in UTF-8, and a structured value as JSON.
    public static let bytes = 64 << 10
    /// The maximum number of logins of one requestor in one answer. No viewer has that many providers.
    public static let logins = 256
    /// The maximum nesting of lists and objects in user metadata.
    public static let depth = 62

    /// Says in words which text exceeds the limit; nil if none does.
    public static func excess(_ texts: [(name: String, text: String)]) -> String? {
        texts.lazy.compactMap { excess("the \($0.name) takes up", $0.text.utf8.count) }.first
    }

    static func excess(_ what: String, _ size: Int) -> String? {
        size > bytes ? "\(what) \(size) bytes; the limit is \(bytes)" : nil
    }
}

extension String {
    /// The size as a JSON string, in bytes, with quotes and escapes.
    var jsonSize: Int {
        utf8.reduce(2) { $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
    }
}
