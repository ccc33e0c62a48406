// Reads results into Swift types. A missing or unknown value becomes nil, because a newer daemon may send words that this
// library does not know.

public import PassJSON
public import PassProtocol

extension MVPD {
    /// Reads one provider of a list; nil if it has no ID.
    public init?(reading json: JSONValue) {
        guard let id = json["id"]?.string else { return nil }
        self.init(
            id: id, displayName: json["displayName"]?.string ?? id, logoURL: json["logoURL"]?.string ?? "",
            enablePlatformServices: json["enablePlatformServices"]?.bool,
            boardingStatus: json["boardingStatus"]?.string.flatMap(BoardingStatus.init(rawValue:)),
            isTempPass: json["isTempPass"]?.bool)
    }

    /// Reads the `providers` of a result or callback.
    public static func list(reading json: JSONValue) -> [MVPD] {
        (json["providers"]?.array ?? []).compactMap(MVPD.init(reading:))
    }
}

extension LoginInvitation {
    /// Reads a result of `getAuthentication` or `setSelectedProvider`, or the `status` callback that brings a code.
    public init?(reading json: JSONValue) {
        let (code, link, url) = (json["code"]?.string, json["link"]?.string, json["url"]?.string)
        guard code != nil || link != nil || url != nil else { return nil }
        self.init(code: code, link: link, url: url, expires: json["expires"]?.int64)
    }
}

/// The state of a login, as calls report it.
public enum LoginProgress: Sendable, Equatable {
    /// The viewer is signed in.
    case authenticated
    /// The viewer chooses one of these providers. Call `SetSelectedProvider` with the choice.
    case choose([MVPD])
    /// The viewer opens an address, either with a code on a second screen, or in the browser of this device.
    case invitation(LoginInvitation)
    /// The box itself asks the viewer. The app has nothing to do.
    case platformDialog
    /// The choice is recorded for the next `getAuthentication`.
    case selected
    case cancelled
    /// A state that this library does not know, from a newer daemon.
    case unknown(String)

    /// Reads the result of any call that has a `state`.
    public init(reading json: JSONValue) {
        let word = json["state"]?.string ?? ""
        switch LoginState(rawValue: word) {
        case .authenticated: self = .authenticated
        case .selectProvider: self = .choose(MVPD.list(reading: json))
        case .secondScreen, .browser: self = LoginInvitation(reading: json).map(Self.invitation) ?? .unknown(word)
        case .platformDialog: self = .platformDialog
        case .selected: self = .selected
        case .cancelled: self = .cancelled
        case .beginning, nil: self = .unknown(word)
        }
    }
}

/// What policy allows this program.
public struct Permission: Sendable, Equatable {
    /// The requestors that this program may use; `*` means all.
    public var requestors: [String]
    /// The rule that decided, as text for people.
    public var rule: String

    /// Reads a result of `passd.whoami`.
    public init(reading json: JSONValue) {
        requestors = (json["requestors"]?.array ?? []).compactMap(\.string)
        rule = json["rule"]?.string ?? ""
    }

    /// The allowed requestor if there is exactly one. In this case, the user does not have to name it.
    public var onlyRequestor: String? { requestors.count == 1 && requestors[0] != "*" ? requestors[0] : nil }
}
