// Turns names of resources into marks for the journal, because what people watch must not be recorded. On one box the
// same resource always has the same mark. Nobody can compute a mark without the box's secret, so the name cannot be
// guessed by trying a list of names either.

import AccessEnabler
import CCrypto
import PassJSON

package struct ResourceMarks: Sendable {
    private static let byteCount = 8

    private let secret: [UInt8]

    package init(secret: [UInt8]) { self.secret = secret }

    func mark(of resource: ResourceID) -> String {
        let name = "passd record: resource " + resource.rawValue
        var mark = [UInt8](repeating: 0, count: Self.byteCount)
        guard pass_hkdf_sha256(secret, secret.count, name, name.utf8.count, &mark, mark.count) == 1 else { return "" }
        return mark.hexadecimal
    }
}
