// `setRequestor`: registered at the service, then in line with what it knows. Calls that come meanwhile wait.
// Contract: access-enabler.md §6; open-questions.md OQ-2, OQ-3; rest-v2.md §18.1.

import PassProtocol

extension Session {
    public func setRequestor(
        _ params: SetRequestor.Params, _ grant: Grant
    ) async throws(RPCError) -> SetRequestor.Result {
        let requestor = RequestorID(rawValue: params.requestorID)
        guard !params.requestorID.isEmpty else { throw failed(.CFG400, .unanswered(.CFG400)) }
        guard let statement = params.softwareStatement.map({ Secret($0) }) ?? grant.statement else {
            let message = "The app \(grant.app) has no software statement."
            throw failed(.R400, .unanswered(.R400, message, action: .applicationRegistration))
        }
        let backend = try service(params.serviceProviders)
        let registration = backend.registration(of: grant.app, statement: statement)
        let standing = Standing(
            key: LoginKey(registration: registration, requestor: requestor), statement: statement, backend: backend,
            owner: owner)
        if case .configuring(let current) = standpoint, current.key == standing.key {
            // The same question is under way: one answer for both, unless the session has gone on to another since.
            if let settled = await settled(), settled.key == standing.key { return completed(standing.key) }
            guard failedKey != standing.key else { throw failed(nil, .requestorNotSet()) }
        }
        await turn()
        defer { turns.passOn() }
        let former = self.standing
        if let former, former.key != standing.key, flow.isOpen { await perform(flow.handle(.cancelled), former) }
        guard !isClosed else { throw .notReady(.stopping) }
        standpoint = .configuring(standing)
        failedKey = nil
        if former?.key != standing.key { forgetViewer() }
        let storage = params.storageCheck
        await engine.check(
            storage, grant.requestors.union([requestor]), mayEraseAll: grant.mayEraseAll, for: self)
        let outcome = await configure(standing)
        // Closed meanwhile, and nobody is left to hear it.
        guard case .configuring = standpoint else { throw .notReady(.stopping) }
        switch outcome {
        case .success:
            standpoint = .ready(standing)
            engine.tell(.requestor(session: number, requestor))
            if engine.serverClock.isClearlyWrong { report(.CFG100) }
            // Contract: rest-v2.md §18.3.
            switch engine.login(of: standing.key)?.kind {
            case .degraded: report(.N010)
            case .temporary: report(.N011)
            default: break
            }
            return completed(standing.key)
        case .failure(let fault):
            // What worked before goes on where the service cannot say otherwise.
            if former?.key == standing.key, fault.isTransient {
                standpoint = .ready(standing)
            } else {
                await perform(flow.handle(.abandoned), standing)
                standpoint = .unset(hasFailed: true)
                failedKey = standing.key
            }
            throw failed(fault.status(.configuration), fault.error(.configuration))
        }
    }

    /// Contract: §6.1, items 2 to 8.
    private func configure(_ standing: Standing) async -> Result<Void, BackendFault> {
        var asking = standing
        asking.visitorID = options.visitorID
        asking.deviceInfo = options.deviceInfo
        asking.applicationProfile = options.applicationProfile
        do throws(BackendFault) {
            try await asking.backend.prepare(caller(asking))
            await engine.importTokens(asking.key)
            if engine.sanitized.remove(asking.key.requestor) != nil { report(.SEC412) }
            let visit = await visitPlatform(asking)
            if engine.settings.resyncs { try await realign(asking) }
            await signOnSilently(visit, asking)
            await engine.tryPassively(asking) { report(.N001) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// A service that cannot say anything at the moment changes nothing: a login that is good stays good. OQ-2.
    private func realign(_ standing: Standing) async throws(BackendFault) {
        do throws(BackendFault) {
            try await engine.resync(standing)
        } catch {
            guard error.isTransient, engine.login(of: standing.key) != nil else { throw error }
            report(error.status(.configuration))
        }
    }

    /// Nothing of the former requestor's flow is meant for this one.
    private func forgetViewer() {
        choice = nil
        isOvertaken = false
        offered = []
        data = [:]
        temporaryIdentity = [:]
        formerSelection = nil
    }

    private func service(_ addresses: [String]?) throws(RPCError) -> any EntitlementBackend {
        guard let addresses, !addresses.isEmpty else { return engine.ports.services.standard }
        if let service = engine.ports.services.service(at: addresses) { return service }
        throw .invalidParams(
            SchemaFault(
                path: "serviceProviders", expected: "services that this box is set up for", found: "another"))
    }

    private func completed(_ key: LoginKey) -> SetRequestor.Result {
        emit(.setRequestorComplete(status: 1))
        let profile = engine.login(of: key)
        return SetRequestor.Result(
            requestorID: key.requestor.rawValue, authenticated: profile != nil, provider: profile?.provider.rawValue)
    }

    private func failed(_ status: SDKStatus?, _ error: RPCError) -> RPCError {
        if let status { report(status, error.message) }
        emit(.setRequestorComplete(status: 0))
        return error
    }
}

extension BackendFault {
    fileprivate var isTransient: Bool {
        switch kind {
        case .unreachable, .deadline, .overloaded, .throttled, .serverError, .unusableAnswer, .cancelled: true
        case .noService, .registrationRefused, .tokenRefused, .insecure, .refused: false
        }
    }
}
