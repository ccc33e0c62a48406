// Fuzzes texts in forms, headers and files of the sandbox. Each parser gets every input.

import PassJSON

@testable import PassSandbox

func forms(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let decoded = percentDecoded(text) {
        expect(isSame(percentDecoded(percentEncoded(decoded)), decoded), "\(decoded) is another text")
    }
    expect(isSame(percentDecoded(percentEncoded(text)), text), "\(text) is another text")
    expect(isSame(unescapedXML(escapedXML(text)), text), "\(text) is another text in XML")
    if let url = URLText(text) { _ = (url.origin, url.isOn(domain: "x.test"), url.appending(query: "a", text)) }
    if let address = ListenAddress(text) { _ = (address.storage, ListenAddress(address.description)) }
    if let resource = RequestedResource(text) { expect(!resource.id.isEmpty, "a resource has no name") }
    for strict in [true, false] { _ = DeviceInfo(header: text, strict: strict, mayBeEscaped: strict) }
    _ = SAML.requestID(text)
    _ = SAML.read(text, signedBy: key)
    _ = MediaToken.read(text, key: key)
    _ = try? PartnerStatus.providerID(text, at: 1_795_564_800_000)
    _ = Duration(written: text)?.milliseconds
    if let token = JWS(text) { _ = (token.isSigned(by: key), token.isCurrent(at: 1_795_564_800_000)) }
    if let value = try? JSONReader.read(bytes) { _ = (PublicKey(jwk: value), try? Fault(value)) }
    if text.hasPrefix("-----") { _ = PublicKey(pem: text) }
}

private let key = RSAKey(random: SeededRandom(number: 1)).publicKey

/// Compares bytes, because Swift considers some different spellings equal.
private func isSame(_ one: String?, _ other: String) -> Bool { one.map { $0.utf8.elementsEqual(other.utf8) } ?? false }
