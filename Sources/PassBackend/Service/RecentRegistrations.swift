// Caches the last registration keys, because apps connect often and a key needs a digest of its statement. All
// connections of an app share the same key.

import AccessEnabler
import Synchronization

final class RecentRegistrations: Sendable {
    private static let most = 16

    private let known = Mutex<[(statement: Secret, key: RegistrationKey)]>([])

    func key(of app: AppID, statement: Secret, else make: () -> RegistrationKey) -> RegistrationKey {
        known.withLock { known in
            if let found = known.first(where: { $0.key.app == app && $0.statement.matches(statement) }) {
                return found.key
            }
            let key = make()
            if known.count >= Self.most { known.removeFirst() }
            known.append((statement, key))
            return key
        }
    }
}
