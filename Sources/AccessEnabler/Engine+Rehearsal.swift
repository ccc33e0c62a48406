// Tries for an operator whether the service lets an app in, without the app. rpc.md §7, `passd.doctor`.

extension Engine {
    /// Registers the app if necessary, and asks the standard service for the requestor's providers, if there is one. A
    /// registration that it makes is the one that the app will use. Returns the number of providers.
    public func rehearse(
        _ app: AppID, statement: Secret, requestor: RequestorID?, until deadline: BootTime
    ) async -> Result<Int, BackendFault> {
        let backend = context.ports.services.standard
        let registration = backend.registration(of: app, statement: statement)
        let key = LoginKey(registration: registration, requestor: requestor ?? RequestorID(rawValue: ""))
        let asker = Asker(key: key, statement: statement, backend: backend)
        let caller = context.caller(for: asker, until: deadline)
        do throws(BackendFault) {
            try await backend.prepare(caller)
            guard requestor != nil else { return .success(0) }
            return .success(try await backend.providers(caller).count)
        } catch {
            return .failure(error)
        }
    }
}
