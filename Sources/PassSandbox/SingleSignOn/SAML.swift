// The part of SAML that partner sign-on needs: a request with an id, and a signed assertion that answers it. The
// response is written without line breaks or runs of blanks, so that the clean-up that clients have to do changes
// nothing. The signature covers the exact bytes of the assertion. Contract: open-questions.md OQ-51.

import PassJSON

enum SAML {
    static func request(id: String, issuer: String, at now: Instant) -> String {
        "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"\(escapedXML(id))\""
            + " Version=\"2.0\" IssueInstant=\"\(now)\"><saml:Issuer>\(escapedXML(issuer))</saml:Issuer>"
            + "</samlp:AuthnRequest>"
    }

    static func requestID(_ text: String) -> String? {
        guard text.begins(with: "<samlp:AuthnRequest ") else { return nil }
        return attribute("ID", in: text)
    }

    static func response(to id: String, user: String, provider: String, at now: Instant, signedBy key: RSAKey) -> String
    {
        let assertion =
            "<saml:Assertion InResponseTo=\"\(escapedXML(id))\" NotOnOrAfter=\"\(now + 300_000)\">"
            + "<saml:Issuer>\(escapedXML(provider))</saml:Issuer>"
            + "<saml:Subject>\(escapedXML(user))</saml:Subject></saml:Assertion>"
        let signature = base64(key.sign(assertion.utf8))
        return "<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\">"
            + "<ds:SignatureValue>\(signature)</ds:SignatureValue>\(assertion)</samlp:Response>"
    }

    struct Answer: Sendable {
        let inResponseTo: String
        let ends: Instant
        let user: String
        let provider: String
    }

    /// Reads a `SAMLResponse` parameter, encoded in Base64 once. Nil unless it is a signed answer.
    static func read(_ parameter: String, signedBy key: PublicKey) -> Answer? {
        guard parameter.utf8.count <= 32 * 1024, let bytes = decodeBase64(parameter),
            let text = String(validating: bytes, as: UTF8.self),
            let signature = xmlElement("ds:SignatureValue", in: text).flatMap(decodeBase64),
            let start = text.place(of: "<saml:Assertion "),
            let end = text[start.upperBound...].place(of: "</samlp:Response>"),
            end.upperBound == text.endIndex
        else { return nil }
        let assertion = String(text[start.lowerBound..<end.lowerBound])
        guard key.verifies(signature, of: assertion.utf8, by: .rs256),
            let id = attribute("InResponseTo", in: assertion),
            let ends = attribute("NotOnOrAfter", in: assertion).flatMap({ Instant($0) }),
            let user = xmlElement("saml:Subject", in: assertion),
            let provider = xmlElement("saml:Issuer", in: assertion)
        else { return nil }
        return Answer(inResponseTo: id, ends: ends, user: user, provider: provider)
    }

    private static func attribute(_ name: String, in text: String) -> String? {
        guard let start = text.place(of: " \(name)=\""), let end = text[start.upperBound...].place(of: "\"") else {
            return nil
        }
        return unescapedXML(String(text[start.upperBound..<end.lowerBound]))
    }
}
