// Tests a box that was upgraded from version 1.6. The provider is known without a picker, and the service decides about
// the login.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("access-enabler.md §6.1 item 4") struct ImportTests {
    /// A token file as docs/storage-layouts.md describes it.
    static func token(_ fingerprint: String) -> String {
        """
        <signatureInfo>c2lnbmF0dXJl</signatureInfo>
        <simpleAuthenticationToken>
            <simpleTokenAuthenticationGuid>0D1C5E7A-9B3F-4C21-8E64-A1B2C3D4E5F6</simpleTokenAuthenticationGuid>
            <simpleTokenRequestorID>NEWS24</simpleTokenRequestorID>
            <simpleTokenDomainName>service.example</simpleTokenDomainName>
            <simpleTokenExpires>2099/04/05 10:20:30 GMT +0200</simpleTokenExpires>
            <simpleTokenMsoID>NorthCable</simpleTokenMsoID>
            <simpleTokenDeviceID><simpleTokenFingerprint>\(fingerprint)</simpleTokenFingerprint></simpleTokenDeviceID>
        </simpleAuthenticationToken>
        """
    }

    @Test(arguments: [true, false])
    func `a shared token of this box spares its viewers the picker, a token of another box does not`(
        isOurs: Bool
    ) throws {
        let old = TemporaryDirectory()
        let identity = old.write("box-1\n", to: "identity")
        let fingerprint = isOurs ? hexadecimal(sha256("passd device box-1".utf8)) : String(repeating: "0", count: 64)
        old.write(Self.token(fingerprint), to: "shared.xml")
        let box = try RunningBox(
            "[device]\nidentity = file:\(identity)\n[storage]\nimport-from = \(old.path)")
        let app = try box.app("LUMENTV")
        // The service does not know the login.
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        let selected = try app.call("getSelectedProvider")["provider"]
        #expect(selected?["id"]?.string == (isOurs ? "NorthCable" : nil))
        let state = try app.call("getAuthentication")["state"]?.string
        #expect(state == (isOurs ? "secondScreen" : "selectProvider"))
    }
}
