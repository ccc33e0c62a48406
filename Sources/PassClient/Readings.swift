// Results read back into the types of the protocol, where a program has to act on them. What is missing or odd becomes
// nil: a newer daemon may say more, and an unknown word is no reason to fail.

import PassJSON
import PassProtocol

extension MVPD {
    /// One provider of a list; nil without an ID.
    public init?(reading json: JSONValue) {
        guard let id = json["id"]?.string else { return nil }
        self.init(
            id: id, displayName: json["displayName"]?.string ?? id, logoURL: json["logoURL"]?.string ?? "",
            enablePlatformServices: json["enablePlatformServices"]?.bool,
            boardingStatus: json["boardingStatus"]?.string.flatMap(BoardingStatus.init(rawValue:)),
            isTempPass: json["isTempPass"]?.bool)
    }

    /// The `providers` of a result or callback.
    public static func list(reading json: JSONValue) -> [MVPD] {
        (json["providers"]?.array ?? []).compactMap(MVPD.init(reading:))
    }
}

extension LoginInvitation {
    /// From a result of `getAuthentication` and `setSelectedProvider`, or the `status` callback that brings a code.
    public init?(reading json: JSONValue) {
        guard let url = json["url"]?.string else { return nil }
        self.init(code: json["code"]?.string, url: url, expires: json["expires"]?.int64)
    }
}

/// Where a login stands, whichever call said so.
public enum LoginProgress: Sendable, Equatable {
    /// The viewer is signed in.
    case authenticated
    /// The viewer chooses one of these; call `SetSelectedProvider` with it.
    case choose([MVPD])
    /// The viewer opens an address, with a code on the second screen or in this device's browser.
    case invitation(LoginInvitation)
    /// The platform asks the viewer.
    case platformDialog
    /// The choice is recorded for the next `getAuthentication`.
    case selected
    case cancelled
    /// A word that this library does not know, from a newer daemon.
    case unknown(String)

    /// From the result of any call that has a `state`.
    public init(reading json: JSONValue) {
        let word = json["state"]?.string ?? ""
        switch LoginState(rawValue: word) {
        case .authenticated: self = .authenticated
        case .selectProvider: self = .choose(MVPD.list(reading: json))
        case .secondScreen, .browser: self = LoginInvitation(reading: json).map(Self.invitation) ?? .unknown(word)
        case .platformDialog: self = .platformDialog
        case .selected: self = .selected
        case .cancelled: self = .cancelled
        case nil: self = .unknown(word)
        }
    }
}

/// What policy allows this program.
public struct Permission: Sendable, Equatable {
    /// Those it may use; `*` stands for all.
    public var requestors: [String]
    /// What decided, for people.
    public var rule: String

    /// From a result of `passd.whoami`.
    public init(reading json: JSONValue) {
        requestors = (json["requestors"]?.array ?? []).compactMap(\.string)
        rule = json["rule"]?.string ?? ""
    }

    /// The requestor that needs no naming, if there is just one.
    public var onlyRequestor: String? { requestors.count == 1 && requestors[0] != "*" ? requestors[0] : nil }
}
