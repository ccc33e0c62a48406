// What people watch is nobody's business: a record has a mark of the resource, which is the same for the same resource on this
// box, and which nobody can make without the box's secret, however few names there are to guess from.

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
