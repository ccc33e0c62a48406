// Keeps the software statements of the stanzas, by registration. passd needs the statements for work that continues after the
// app has disconnected.

import AccessEnabler
import PassConfiguration
import Synchronization

final class StatementBook: Sendable {
    private struct Name: Hashable {
        let app: AppID
        let statement: String

        init(_ registration: RegistrationKey) {
            app = registration.app
            statement = registration.statement
        }
    }

    private struct State: Sendable {
        var backend: (any EntitlementBackend)?
        /// The statements by app. They are the same for all services.
        var statements: [Name: Secret] = [:]
    }

    private let state = Mutex(State())

    func fill(_ apps: [AppStanza], _ backend: (any EntitlementBackend)? = nil) {
        state.withLock { state in
            if let backend { state.backend = backend }
            state.statements = [:]
            for app in apps {
                guard case .present(let statement) = app.statement, let backend = state.backend else { continue }
                let key = backend.registration(of: AppID(rawValue: app.name), statement: statement.text)
                state.statements[Name(key)] = statement.text
            }
        }
    }

    func statement(of registration: RegistrationKey) -> Secret? { state.withLock { $0.statements[Name(registration)] } }
}
