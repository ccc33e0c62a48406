// Media tokens: signed XML in Base64. A token proves one permit and can be used once. Contract: rest-v2.md §10, rest-v1.md
// §13, access-enabler.md §9.1.

import PassJSON

extension World {
    mutating func mediaToken(
        for resource: RequestedResource, _ decision: Decision, _ context: DecisionContext
    ) -> JSONValue {
        let token = makeMediaToken(
            for: resource, viewer: decision.viewer, context.owner.serviceProvider, context.provider, at: context.now)
        return [
            "notBefore": .int(token.issued), "notAfter": .int(token.ends),
            "serializedToken": .string(token.serialized(signedBy: state.key(.mediaToken))),
        ]
    }

    mutating func makeMediaToken(
        for resource: RequestedResource, viewer: String, _ serviceProvider: String, _ provider: Provider,
        at now: Instant
    ) -> MediaToken {
        MediaToken(
            // A random id, because two tokens of the same millisecond must differ.
            guid: state.random.identifier(), session: hexadecimal(sha256(viewer.utf8).prefix(16)),
            requestor: serviceProvider, resource: resource.text,
            lifetime: settings.mediaTokenLifetime.milliseconds, issued: now, mvpd: provider.id,
            proxy: provider.proxy ?? "")
    }
}

struct MediaToken: Equatable, Sendable {
    var guid: String
    var session: String
    var requestor: String
    var resource: String
    var lifetime: Int64
    var issued: Instant
    var mvpd: String
    var proxy: String

    private static let element = "shortAuthorizationToken"
    private static let signature = "signatureInfo"

    /// The token as text. The signature covers the exact bytes of the token's element.
    func serialized(signedBy key: RSAKey) -> String {
        let fields = [
            ("tokenGUID", guid), ("sessionGUID", session), ("requestorID", requestor), ("resourceID", resource),
            ("ttl", String(lifetime)), ("issueTime", String(issued)), ("mvpdId", mvpd), ("proxyMvpdId", proxy),
        ]
        let inner = fields.map { "<\($0)>\(escapedXML($1))</\($0)>" }.joined()
        let token = "<\(Self.element)>\(inner)</\(Self.element)>"
        let signature = "<\(Self.signature)>\(base64(key.sign(token.utf8)))</\(Self.signature)>"
        return base64((signature + token).utf8)
    }

    /// The results of a verification. The names are from the service's own verifier, except the name for a used token.
    enum Verdict: String, Error {
        case valid = "VALID_TOKEN"
        case invalidFormat = "INVALID_TOKEN_FORMAT"
        case invalidSignature = "INVALID_SIGNATURE"
        case expired = "TOKEN_EXPIRED"
        case invalidResource = "INVALID_RESOURCE_ID"
        case alreadyUsed = "TOKEN_ALREADY_USED"
    }

    /// Reads a token and checks its signature. The caller checks the rest, for example whether the token has expired.
    static func read(_ text: String, key: PublicKey) -> Result<MediaToken, Verdict> {
        guard text.utf8.count <= 64 * 1024, let bytes = decodeBase64(text.trimmed),
            let xml = String(validating: bytes, as: UTF8.self)
        else { return .failure(.invalidFormat) }
        guard xml.begins(with: "<\(signature)>"), let first = xml.between("<\(signature)>", "</\(signature)>"),
            let signature = decodeBase64(first.text)
        else { return .failure(.invalidFormat) }
        let signed = String(xml[first.end...])
        guard let token = MediaToken(element: signed) else { return .failure(.invalidFormat) }
        guard key.verifies(signature, of: signed.utf8, by: .rs256) else { return .failure(.invalidSignature) }
        return .success(token)
    }

    var ends: Instant { issued + lifetime }
}

extension MediaToken {
    fileprivate init?(element text: String) {
        guard text.begins(with: "<\(Self.element)>"), text.ends(with: "</\(Self.element)>") else { return nil }
        func field(_ name: String) -> String? { xmlElement(name, in: text) }
        guard let guid = field("tokenGUID"), let session = field("sessionGUID"), let requestor = field("requestorID"),
            let resource = field("resourceID"), let lifetime = field("ttl").flatMap({ Int64($0) }),
            let issued = field("issueTime").flatMap({ Int64($0) }), let mvpd = field("mvpdId"),
            let proxy = field("proxyMvpdId")
        else { return nil }
        self.init(
            guid: guid, session: session, requestor: requestor, resource: resource, lifetime: lifetime, issued: issued,
            mvpd: mvpd, proxy: proxy)
    }
}

extension World {
    /// Verifies a token. A token that was already used is refused. Contract: open-questions.md OQ-53.
    mutating func verify(
        _ text: String, resource: String?, at now: Instant
    ) -> (verdict: MediaToken.Verdict, token: MediaToken?) {
        switch MediaToken.read(text, key: state.key(.mediaToken).publicKey) {
        case .failure(let verdict): return (verdict, nil)
        case .success(let token):
            guard now < token.ends, token.issued <= now + 60_000 else { return (.expired, token) }
            if let resource, resource != token.resource { return (.invalidResource, token) }
            guard state.usedTokens[token.guid] == nil else { return (.alreadyUsed, token) }
            state.usedTokens[token.guid] = UsedToken(ends: token.ends)
            return (.valid, token)
        }
    }
}

func escapedXML(_ text: String) -> String {
    var out = ""
    for character in text.unicodeScalars {
        switch character {
        case "&": out += "&amp;"
        case "<": out += "&lt;"
        case ">": out += "&gt;"
        case "\"": out += "&quot;"
        default: out.unicodeScalars.append(character)
        }
    }
    return out
}

/// The content of an element without attributes.
func xmlElement(_ name: String, in text: String) -> String? {
    text.between("<\(name)>", "</\(name)>").map { unescapedXML($0.text) }
}

func unescapedXML(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    let entities: [(String.UnicodeScalarView, Unicode.Scalar)] = [
        ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"),
    ].map { ($0.unicodeScalars, $1) }
    while let scalar = rest.popFirst() {
        if scalar == "&", let (name, meant) = entities.first(where: { rest.starts(with: $0.0) }) {
            out.append(meant)
            rest = rest.dropFirst(name.count)
        } else {
            out.append(scalar)
        }
    }
    return String(out)
}
