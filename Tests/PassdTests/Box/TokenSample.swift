// Tokens as a sign-on service issues them, but unsigned. No test here checks the signature.

import AccessEnabler
import FoundationEssentials

enum TokenSample {
    static let now = ServerTime(milliseconds: 1_795_564_800_000)

    /// A token that is valid from `now` on.
    static func token(_ name: String = "ada", lasting life: Duration?) -> String {
        let expiry = life.map { #","exp":\#(now.advanced(by: $0).milliseconds / 1000)"# } ?? ""
        return [#"{"alg":"RS256"}"#, #"{"sub":"\#(name)"\#(expiry)}"#, "signature"].map(part).joined(separator: ".")
    }

    static func part(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().filter { $0 != "=" }.replacing("+", with: "-").replacing("/", with: "_")
    }

    static func bytes(_ name: String = "ada", lasting life: Duration?) -> [UInt8] {
        Array((token(name, lasting: life) + "\n").utf8)
    }
}
