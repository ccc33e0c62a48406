// Turns values of the engine into those of the socket. rpc.md §4.

import PassJSON
import PassProtocol

extension Provider {
    var mvpd: MVPD {
        MVPD(
            id: id.rawValue, displayName: displayName, logoURL: logoURL,
            enablePlatformServices: enablePlatformServices ? true : nil,
            boardingStatus: boardingStatus.flatMap { MVPD.BoardingStatus(rawValue: $0.rawValue) },
            isTempPass: isTempPass ? true : nil)
    }
}

extension ServiceError {
    /// The error with the code's older name, which ported apps compare with. Contract: rest-v2.md §18.3.
    var shown: EnhancedError {
        let prefix = "authenticated_profile_"
        let name = code.hasPrefix(prefix) ? "authentication_session_" + code.dropFirst(prefix.count) : code
        return EnhancedError(
            status: status, code: name, action: action, message: message ?? "",
            details: details, helpUrl: helpURL, trace: trace)
    }

    /// A text that may be shown to the viewer: the provider's if there is one, otherwise the service's. Contract:
    /// rest-v2.md §18.2.
    var description: String { details ?? message ?? "" }
}

extension ServiceDecision {
    var hint: Decision {
        let sentence = hintVerdict == .undecided ? error?.sentence(.preauthorization) : nil
        let words = hintRefusal.map { RefusalWords($0, error?.shown, saying: sentence).viewer }
        return Decision(id: resource.rawValue, authorized: isAuthorized, error: error?.shown, words: words)
    }
}

extension ServiceDecision.Source {
    var name: String {
        switch self {
        case .mvpd: "mvpd"
        case .degradation: "degradation"
        case .tempPass: "temppass"
        case .dummy: "dummy"
        case .other(let name): name
        }
    }
}

extension Profile.Kind {
    var name: String {
        switch self {
        case .regular: "regular"
        case .platformSSO: "platformSSO"
        case .serviceTokenSSO: "serviceTokenSSO"
        case .appleSSO: "appleSSO"
        case .degraded: "degraded"
        case .temporary: "temporary"
        case .other(let name): name
        }
    }
}

extension Profile {
    @EngineActor func summary(_ context: EngineContext) -> ProfileSummary {
        ProfileSummary(
            provider: provider.rawValue, type: kind.name, issuer: issuer, notBefore: context.boxDate(notBefore),
            notAfter: context.boxDate(notAfter),
            attributes: attributes.shownValues)
    }
}

extension [String: Profile.Attribute] {
    /// The values by name, as apps get them.
    var shownValues: JSONObject { JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.value.json) }) }
}

extension MetadataValue {
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let number):
            Int64(exactly: number).map { .int($0) } ?? JSONNumber(number).map(JSONValue.number) ?? .null
        case .string(let text): .string(text)
        case .list(let items): .array(items.map(\.json))
        case .object(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }
}

extension AuthenticationFailure {
    var errorCode: FlowErrorCode { FlowErrorCode(rawValue: rawValue) ?? .genericAuthentication }
}
