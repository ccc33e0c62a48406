// Turns names of resources into marks for the journal. The journal must not record what people watch. On one box, the same
// resource always has the same mark. A mark depends on a secret of the box, so that nobody can find a name by computing the
// marks of many names.

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
        let isDone = pass_hkdf_sha256(secret, secret.count, nil, 0, name, name.utf8.count, &mark, mark.count) == 1
        return isDone ? mark.hexadecimal : ""
    }
}
