// The limits for stored values. Backends and the vault share them. A value above its limit is refused on arrival. Otherwise
// the next start would lose its login. architecture.md §5.3.

/// The largest values that the vault stores.
public enum ValueLimits {
    /// The maximum bytes of one stored value: UTF-8 for a text, JSON for a structured value.
    public static let bytes = 64 << 10
    /// The maximum logins of one requestor in one answer. No viewer has that many providers.
    public static let logins = 256
    /// The maximum nesting of lists and objects in user metadata.
    public static let depth = 62
}

extension Profile {
    /// The exceeded limit, in words; nil if there is none.
    public var excess: String? {
        let texts = [("name of a provider", provider.rawValue), ("type of a login", kind.name), ("issuer", issuer)]
        if let excess = ValueLimits.excess(texts) { return excess }
        if attributes.values.contains(where: { !$0.value.isShallow(ValueLimits.depth) }) {
            return "the user metadata is nested deeper than \(ValueLimits.depth) levels"
        }
        // Each attribute becomes `"name":{"encrypted":true,"value":…},`.
        let identity = temporaryIdentity.reduce(64) { $0 + $1.key.jsonSize + $1.value.jsonSize + 2 }
        let size = attributes.reduce(identity) { $0 + $1.key.jsonSize + 32 + $1.value.value.jsonSize }
        return ValueLimits.excess("the user metadata takes up", size)
    }
}

extension Provider {
    public var excess: String? {
        // 300 bytes are for the names of all members.
        let size = [id.rawValue, displayName, logoURL, platformMappingID ?? ""].reduce(300) { $0 + $1.jsonSize }
        return ValueLimits.excess("the description of a provider takes up", size)
    }
}

extension OpenLogin {
    public var excess: String? {
        ValueLimits.excess([
            ("registration code", code.rawValue), ("address of a login", url), ("link of a login", link ?? ""),
            ("name of a provider", provider?.rawValue ?? ""), ("name of a session", sessionID ?? ""),
        ])
    }
}

extension ValueLimits {
    /// The text that exceeds the limit, in words; nil if there is none.
    public static func excess(_ texts: [(name: String, text: String)]) -> String? {
        texts.lazy.compactMap { excess("the \($0.name) takes up", $0.text.utf8.count) }.first
    }

    fileprivate static func excess(_ what: String, _ size: Int) -> String? {
        size > bytes ? "\(what) \(size) bytes; the limit is \(bytes)" : nil
    }
}

extension MetadataValue {
    fileprivate func isShallow(_ levels: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .list(let items): levels > 0 && items.allSatisfy { $0.isShallow(levels - 1) }
        case .object(let members): levels > 0 && members.values.allSatisfy { $0.isShallow(levels - 1) }
        }
    }

    /// The max size as JSON, in bytes.
    fileprivate var jsonSize: Int {
        switch self {
        case .null, .bool: 5
        case .number: 25
        case .string(let text): text.jsonSize
        case .list(let items): items.reduce(2) { $0 + $1.jsonSize + 1 }
        case .object(let members): members.reduce(2) { $0 + $1.key.jsonSize + $1.value.jsonSize + 2 }
        }
    }
}

extension String {
    /// The size as a JSON string, in bytes, with quotes and escapes.
    fileprivate var jsonSize: Int {
        utf8.reduce(2) { $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
    }
}
