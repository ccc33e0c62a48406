// Makes sure that the apps stay registered with one service. Registers each app once, and fetches a new access token when the
// last token ends.
// Each registration has at most one request in flight, and all callers share this request. Credentials are replaced only if the
// service itself refuses them, because the viewers' logins depend on the credentials. Registrations of other services are
// ignored. Owns the book of registrations. May be used from any thread. Contract: dcr.md §2, §5.

import AccessEnabler
import Synchronization

final class Registrar: Sendable {
    typealias AccessToken = HeldRegistration.AccessToken

    private static let badStatement = "invalid_software_statement"
    private static let badRedirect = "invalid_redirect_uri"
    private static let incomplete = "invalid_request"
    private static let otherService = "registration_of_another_service"

    private let configuration: ServiceConfiguration
    private let sender: RequestSender
    private let vault: any TokenVault
    private let book: Mutex<RegistrationBook>
    /// The registrations whose requests are not answered yet. These requests continue even without a waiting caller. If new
    /// credentials were lost, the app's logins would be lost, too.
    private let flights: SharedWork<RegistrationKey, AccessToken>

    init(
        _ configuration: ServiceConfiguration, sender: RequestSender, vault: any TokenVault,
        registrations: [RegistrationKey: StoredRegistration]
    ) {
        self.configuration = configuration
        self.sender = sender
        self.vault = vault
        book = Mutex(RegistrationBook(registrations.filter { $0.key.origin == configuration.origin.description }))
        flights = SharedWork(sender.clock, outlivesCallers: true)
    }

    /// Returns an access token. If necessary, registers the app or fetches a token first.
    func accessToken(_ caller: BackendCaller, for dependent: TimeLimit) async throws(BackendFault) -> AccessToken {
        let key = caller.registration
        guard key.origin == configuration.origin.description else {
            throw BackendFault(.registrationRefused(Self.otherService))
        }
        if let token = current(key) { return token }
        if let obstacle = obstacle(caller) { throw BackendFault(.registrationRefused(obstacle)) }
        return try await flights.value(for: key, by: dependent.deadline, dependent.urgency, dependent: dependent) {
            [self] timeLimit in try await obtain(caller, timeLimit)
        }
    }

    func proved(_ token: AccessToken, _ key: RegistrationKey) { change(key) { $0.proved(token) } }

    func discard(_ token: AccessToken, _ key: RegistrationKey) { change(key) { $0.discard(token) } }

    /// Discards the credentials of the token. Returns false if a new registration would not help.
    func discardClient(of token: AccessToken, _ key: RegistrationKey) -> Bool {
        change(key) { $0.discardClient(token.clientNumber, at: boot) } ?? true
    }

    var count: Int { book.withLock { $0.count } }

    var accepted: Int { book.withLock { $0.accepted } }

    /// Checks an app that is not registered yet, before anything is sent or stored for this app. Returns the reason to refuse the
    /// app; nil if there is none.
    private func obstacle(_ caller: BackendCaller) -> String? {
        guard book.withLock({ $0[caller.registration] == nil }) else { return nil }
        guard StatementForm.isWellFormed(StatementForm.normal(caller.softwareStatement)) else {
            return Self.badStatement
        }
        return book.withLock { $0.obstacle(caller.registration, at: boot) }
    }

    private func obtain(_ caller: BackendCaller, _ timeLimit: TimeLimit) async throws(BackendFault) -> AccessToken {
        let key = caller.registration
        if let token = current(key) { return token }
        if let obstacle = book.withLock({ $0.begin(key, at: boot) }) {
            throw BackendFault(.registrationRefused(obstacle))
        }
        defer { book.withLock { $0.end(key) } }
        let calls = RegistrationCalls(
            origin: configuration.origin, deviceInfo: configuration.deviceInfo(of: caller))
        let remembered = book.withLock { $0[key]?.client }
        var isNew = remembered == nil
        while true {
            let candidate: HeldRegistration.Client
            if let remembered, !isNew {
                candidate = remembered
            } else {
                candidate = try await register(caller, calls: calls, timeLimit: timeLimit)
            }
            do throws(BackendFault) {
                return try await renew(key, client: candidate, calls: calls, timeLimit: timeLimit)
            } catch {
                guard case .registrationRefused(let code) = error.kind else { throw error }
                // Credentials that were issued just now are not replaced, because the service would also refuse further new
                // credentials.
                guard code == "invalid_client", !isNew,
                    change(key, { $0.discardClient(candidate.number, at: boot) }) == true
                else { throw .tokenRefused(code) }
                isNew = true
            }
        }
    }

    private func register(
        _ caller: BackendCaller, calls: RegistrationCalls, timeLimit: TimeLimit
    ) async throws(BackendFault) -> HeldRegistration.Client {
        let key = caller.registration
        let site = configuration.site(of: key.app)
        let redirectURL = site.finish ?? site.redirectURL
        let statement = StatementForm.normal(caller.softwareStatement)
        let isWellFormed = StatementForm.isWellFormed(statement)
        do throws(BackendFault) {
            guard isWellFormed else { throw BackendFault(.registrationRefused(Self.badStatement)) }
            func ask(_ redirectURL: String?) async throws(BackendFault) -> ClientAnswer {
                try await send(for: key, timeLimit) { calls.register(statement, redirectURL: redirectURL) }
            }
            let answer: ClientAnswer
            do throws(BackendFault) { answer = try await ask(redirectURL) } catch {
                guard redirectURL != nil, error.kind == .registrationRefused(Self.badRedirect) else { throw error }
                // A wrong redirect address must not stop the app, so the app is registered without an address. `doctor` reports
                // the address when a login is refused because of this address.
                let refusal = error
                do throws(BackendFault) { answer = try await ask(nil) } catch {
                    // The service requires an address, so the refusal of the address is the reason to report.
                    throw error.kind == .registrationRefused(Self.incomplete) ? refusal : error
                }
            }
            let next = await accept(key) { $0.registered(answer, at: boot) }
            guard let client = next.client else { throw BackendFault(.cancelled) }
            return client
        } catch {
            await forgetRefused(key)
            if isWellFormed, case .registrationRefused(let code) = error.kind {
                book.withLock { $0.refused(key, code, at: boot) }
            }
            throw error
        }
    }

    private func renew(
        _ key: RegistrationKey, client: HeldRegistration.Client, calls: RegistrationCalls, timeLimit: TimeLimit
    ) async throws(BackendFault) -> AccessToken {
        let answer: TokenAnswer = try await send(for: key, timeLimit) { calls.token(client.id, client.secret) }
        let next = await accept(key) { $0.issued(answer, boot: boot, server: sender.time.now) }
        return AccessToken(value: answer.token, clientNumber: client.number, number: next.token?.number ?? 0)
    }

    /// Sends a request for credentials (R1) or for an access token (R2), and reads the answer.
    private func send<Answer: ServiceAnswer>(
        for key: RegistrationKey, _ timeLimit: TimeLimit, _ makeRequest: @Sendable () -> HTTPRequest
    ) async throws(BackendFault) -> Answer {
        let response = try await sender.deliver(
            of: .box(for: key.app), repetition: .freely, timeLimit: timeLimit, makeRequest: makeRequest)
        do throws(BackendFault) { return try Answer.read(registration: response) } catch {
            if error.kind == .unusableAnswer { sender.contact.wasUnusable(error.reason, at: boot) }
            throw error
        }
    }

    /// Stores the change before it is used. If the vault cannot write, the change is lost at the next start. Two such
    /// changes cannot overlap, because each registration has at most one request in flight.
    private func accept(
        _ key: RegistrationKey, _ step: (inout HeldRegistration) -> Void
    ) async -> HeldRegistration {
        var (next, surplus) = book.withLock { ($0[key] ?? HeldRegistration(), $0.takeSurplus(beside: key, at: boot)) }
        step(&next)
        if let stored = next.stored {
            try? await vault.commit([.registration(key, stored)] + surplus.map { .registration($0, nil) })
        }
        change(key, step)
        return next
    }

    /// Removes the token of refused credentials from the store, if the service issued no new credentials. The refused
    /// credentials stay in the store, because the refusal may be an error of the service.
    private func forgetRefused(_ key: RegistrationKey) async {
        guard let client = book.withLock({ $0[key]?.refused }) else { return }
        change(key) { $0.forgetRefused() }
        try? await vault.commit([
            .registration(key, StoredRegistration(clientID: client.id, clientSecret: client.secret))
        ])
    }

    private var boot: BootTime { sender.clock.boot }

    private func current(_ key: RegistrationKey) -> AccessToken? {
        let server = sender.time.now
        return book.withLock { $0.accessToken(key, boot: boot, server: server) }
    }

    @discardableResult private func change<Result: Sendable>(
        _ key: RegistrationKey, _ step: (inout HeldRegistration) -> Result
    ) -> Result? {
        book.withLock { $0.change(key, step) }
    }
}

extension BackendFault {
    /// The fault if the service issues no access token.
    fileprivate static func tokenRefused(_ code: String) -> BackendFault {
        var fault = BackendFault(.tokenRefused)
        fault.tokenCode = code
        return fault
    }
}
