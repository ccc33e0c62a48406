// The files of version 1.6, written by the test. docs/storage-layouts.md.

import AccessEnabler
import FoundationEssentials
import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassVault

/// The date 2026-11-21T15:30:00Z.
let importDay = ServerTime(milliseconds: 1_795_275_000_000)

enum OldFile {
    static func token(
        requestor: String = "NEWS24", provider: String = "Cablevista",
        expires: String = "2031/04/05 10:20:30 GMT +0200",
        guid: String = "0D1C5E7A-9B3F-4C21-8E64-A1B2C3D4E5F6"
    ) -> String {
        """
        <signatureInfo>TWFkZSBieSBoYW5k</signatureInfo>
        <simpleAuthenticationToken>
            <simpleTokenAuthenticationGuid>\(guid)</simpleTokenAuthenticationGuid>
            <simpleTokenRequestorID>\(requestor)</simpleTokenRequestorID>
            <simpleTokenDomainName>service.example</simpleTokenDomainName>
            <simpleTokenExpires>\(expires)</simpleTokenExpires>
            <simpleTokenMsoID>\(provider)</simpleTokenMsoID>
            <simpleTokenDeviceID>
                <simpleTokenFingerprint>
                    0d1ce
                </simpleTokenFingerprint>
            </simpleTokenDeviceID>
        </simpleAuthenticationToken>

        """
    }
}

/// The old version's directory, and the new version's state directory.
final class OldBox: Sendable {
    let old = TemporaryDirectory(inMemory: true)
    let state = TemporaryDirectory(inMemory: true)
    private let heard = Mutex<[String]>([])

    init() { mkdir(old.path + "/requestors", 0o700) }

    var troubles: [String] { heard.withLock { $0 } }

    func shared(_ text: String) { old.write(Array(text.utf8), to: "shared.xml") }
    func own(_ name: String, _ text: String) { old.write(Array(text.utf8), to: "requestors/\(name).xml") }

    /// The importer after a start.
    func importer(at now: ServerTime = importDay) -> LayoutImporter {
        LayoutImporter(from: old.path, state: state.path, now: { now }) { [self] what in
            heard.withLock { $0.append(what) }
        }
    }

    /// The logins that this start would return, as owner and provider.
    func logins(_ requestor: String, _ importer: LayoutImporter? = nil) async -> [String] {
        await (importer ?? self.importer()).logins(for: RequestorID(rawValue: requestor)).map {
            "\($0.requestor?.rawValue ?? "all") \($0.provider)"
        }
    }

    var marks: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: state.path + "/imported")) ?? []).sorted()
    }
}
