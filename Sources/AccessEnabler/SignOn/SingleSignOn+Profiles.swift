// Asks the service about logins for single sign-on. Two kinds of logins in the answer are skipped: logins of the platform if
// the platform's account is missing, and logins with a provider that the requestor no longer works with. Contract: rest-v2.md
// §9, §12.3; access-enabler.md §9.2, §17.7.

extension SingleSignOn {
    /// Whether the requestor no longer works with the provider of a login in the list of all logins. If a requestor can have
    /// only one login, the requestor's list of providers decides. If this list is unavailable, a login that had not lapsed
    /// before is still valid. If a requestor can have several logins (`multipleProfiles`), the service is asked about the
    /// provider, but only if the login had lapsed before.
    func hasLapsed(
        _ profile: Profile, for asker: Asker, _ caller: BackendCaller
    ) async throws(BackendFault) -> Bool {
        let isKnownAsLapsed = !logins.lapsed(for: asker.key.requestor, at: profile.provider).isEmpty
        guard asker.backend.traits.multipleProfiles else {
            guard [.regular, .platformSSO, .serviceTokenSSO].contains(profile.kind) else { return false }
            do throws(BackendFault) {
                let providers = try await asker.backend.providers(caller)
                return !providers.isEmpty && !providers.contains { $0.id == profile.provider }
            } catch {
                if isKnownAsLapsed { throw error }
                return false
            }
        }
        guard isKnownAsLapsed else { return false }
        do throws(BackendFault) {
            return try await fetchProfiles(.provider(profile.provider), for: asker, caller).isEmpty
        } catch {
            if case .refused(let refusal) = error.kind, refusal.meansLapsedIntegration { return true }
            throw error
        }
    }

    func fetchProfiles(
        _ query: ProfileQuery, for asker: Asker, _ caller: BackendCaller
    ) async throws(BackendFault) -> [Profile] {
        var caller = caller
        if case .provider(let provider) = query, caller.options.temporaryIdentity.isEmpty,
            let pass = logins.profile(at: asker.key.profileKey(at: provider)), pass.kind == .temporary
        {
            caller.options.temporaryIdentity = pass.temporaryIdentity
        }
        do throws(BackendFault) {
            let found = try await asker.backend.profiles(query, caller)
            guard let status = caller.partnerStatus else { return found }
            let mayUsePlatform = status.permission == .granted && !status.hasEnded(at: context.now)
            return found.filter { $0.kind != .appleSSO || mayUsePlatform }
        } catch {
            // Without the platform's status the service does not show logins of the platform. Contract: rest-v2.md
            // §12.3.
            if case .refused(let refusal) = error.kind, refusal.isAboutPlatformStatus { return [] }
            guard case .provider(let provider) = query, case .refused(let refusal) = error.kind else { throw error }
            // The service shows a promotional pass only if it gets the viewer's identity. Without the identity, the
            // remembered pass is kept.
            if refusal.needsTemporaryIdentity {
                return [logins.profile(at: asker.key.profileKey(at: provider))].compactMap(\.self)
            }
            guard refusal.code.hasPrefix("temporary_access") else { throw error }
            return []
        }
    }
}
