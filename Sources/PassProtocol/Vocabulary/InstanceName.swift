// The name of an instance: one of several daemons on a host, each of them a separate device. The names of units, accounts and
// directories contain the instance's name, so its characters must be allowed in all of these. operations.md §3.

public struct InstanceName: Hashable, Sendable {
    /// The form of a name, for messages. The size is limited, because the longest name of a group, `passdapp-NAME`, may have
    /// only 31 characters.
    public static let form =
        "1 to 20 small letters, digits and hyphens that do not begin with a hyphen, but not metrics or web"
    /// No instance may have these names, because `passd-metrics` and `passd-web` are other accounts. A test compares the list
    /// with the shipped sysusers files.
    private static let reserved: Set = ["metrics", "web"]

    public let text: String

    /// Reads a name; nil if the text is not a valid name.
    public init?(_ text: String) {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isName, (1...20).contains(text.utf8.count), !text.hasPrefix("-"), !Self.reserved.contains(text) else {
            return nil
        }
        self.text = text
    }

    /// The instance that owns the folder of this socket; nil for other daemons.
    public init?(ofSocket path: String) {
        let folder = path.split(separator: "/").dropLast().last ?? ""
        guard folder.hasPrefix(Self.prefix) else { return nil }
        self.init(String(folder.dropFirst(Self.prefix.count)))
    }

    private static let prefix = "passd@"

    /// The user that the daemon runs as, and the group of its operators.
    public var account: String { "passd-\(text)" }
    /// The name of its directories in /etc, /run and /var/lib.
    public var directory: String { Self.prefix + text }
}
