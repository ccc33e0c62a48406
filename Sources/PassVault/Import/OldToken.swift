// An authentication token of version 1.6 of the older library. The token's signature is not checked, because the box does not
// have the key of the service, which made the signature. A forged file is of little use, because the service decides about each
// play. In addition, the engine checks that the provider is in the requestor's list of providers. Unless `resync` is off, the
// engine also asks the service about the login. docs/storage-layouts.md.

import AccessEnabler
import CCrypto
import PassJSON

struct OldToken: Hashable {
    var guid: String
    var requestor: String
    var domain: String
    var expires: ServerTime
    var provider: String
    var fingerprint: String

    private static let longestValue = 1024

    init(_ bytes: [UInt8]) throws(TokenFault) {
        let file = try TokenText.read(bytes)
        _ = try Self.child("signatureInfo", of: file)
        let token = try Self.child("simpleAuthenticationToken", of: file)
        guard file.children.count == 2, Self.trimmed(file.text).isEmpty else {
            throw TokenFault("it contains more than one token")
        }
        guid = try Self.value("simpleTokenAuthenticationGuid", of: token)
        requestor = try Self.value("simpleTokenRequestorID", of: token)
        domain = try Self.value("simpleTokenDomainName", of: token)
        provider = try Self.value("simpleTokenMsoID", of: token)
        let device = try Self.child("simpleTokenDeviceID", of: token)
        fingerprint = try Self.value("simpleTokenFingerprint", of: device)
        guard let date = TokenDate.read(try Self.value("simpleTokenExpires", of: token)) else {
            throw TokenFault("<simpleTokenExpires> does not contain a date")
        }
        expires = date
    }

    /// The parts that identify the token, however its XML was written.
    var parts: [String] { [guid, requestor, domain, String(expires.milliseconds), provider, fingerprint] }

    private static func child(_ name: String, of element: TokenElement) throws(TokenFault) -> TokenElement {
        guard let child = element.children.first(where: { $0.name == name }) else {
            throw TokenFault("<\(name)> is missing")
        }
        return child
    }

    private static func value(_ name: String, of element: TokenElement) throws(TokenFault) -> String {
        let child = try child(name, of: element)
        let value = trimmed(child.text)
        guard child.children.isEmpty, (1...longestValue).contains(value.utf8.count),
            !value.utf8.contains(where: { $0 < 0x20 })
        else { throw TokenFault("<\(name)> has no value") }
        return value
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8.drop { TokenText.isBlank($0) }.reversed().drop { TokenText.isBlank($0) }.reversed()
        return String(decoding: Array(bytes), as: UTF8.self)
    }
}

/// The SHA-256 of the texts in their order, in hexadecimal. The lengths of the texts are included, so that different lists have
/// different input for the hash.
func digest(_ parts: [String]) -> String? {
    var bytes: [UInt8] = []
    for part in parts { bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8) }
    var sum = [UInt8](repeating: 0, count: 32)
    guard EVP_Digest(bytes, bytes.count, &sum, nil, EVP_sha256(), nil) == 1 else { return nil }
    return sum.hexadecimal
}
