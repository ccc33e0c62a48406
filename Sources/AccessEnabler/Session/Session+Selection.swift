// The provider that the app's viewer has chosen. Until a login with it succeeds, the choice belongs to this session
// alone; then it becomes the requestor's selection, which `Logins` owns. Contract: access-enabler.md §7.4, §12;
// open-questions.md OQ-4, OQ-9.

extension Session {
    /// The selection as this app sees it.
    func selection(for asker: Asker) -> Selection? {
        conversation.ownChoice.map { Selection(provider: $0, canAuthenticate: false) }
            ?? engine.logins.selection(of: asker.key.requestor)
    }

    /// The valid login with the provider that this app's viewer uses.
    func login(for asker: Asker) -> Profile? {
        guard let provider = conversation.ownChoice else { return engine.logins.login(of: asker.key) }
        return engine.logins.profile(at: asker.key.profileKey(at: provider.id))
    }

    /// The requestor's providers, as the service lists them now.
    func fetchedProviders(for asker: Asker) async throws(BackendFault) -> [Provider] {
        let providers = try await asker.backend.providers(caller(for: asker))
        engine.offers.note(providers, of: asker.key.requestor)
        return providers
    }

    func select(_ id: ProviderID, for asker: Asker) async {
        let provider = knownProvider(id, for: asker)
        // If the viewer is logged in at this provider already, selecting it is enough. OQ-9.
        guard engine.logins.profile(at: asker.key.profileKey(at: id)) == nil else {
            return await changeSelection(to: Selection(provider: provider, canAuthenticate: true), for: asker)
        }
        let isSelected = engine.logins.selection(of: asker.key.requestor)?.provider.id == id
        conversation.noteOwnChoice(isSelected ? nil : provider)
    }

    /// All sessions of the requestor share the selection, so a change may log others in or out.
    func changeSelection(to selection: Selection?, for asker: Asker) async {
        conversation.noteOwnChoice(nil)
        await engine.audience.tellingChanges(of: asker.key.requestor, except: number) {
            await engine.logins.select(selection, for: asker.key.requestor)
        }
    }

    /// Remembers whether the last login at the selected provider succeeded.
    func remember(canAuthenticate: Bool, for asker: Asker) async {
        if canAuthenticate { conversation.noteOwnChoice(nil) }
        guard conversation.ownChoice == nil, var selection = engine.logins.selection(of: asker.key.requestor) else {
            return
        }
        selection.canAuthenticate = canAuthenticate
        await engine.logins.select(selection, for: asker.key.requestor)
    }

    /// What is known of a provider without a request to the service; at least its identifier.
    func knownProvider(_ id: ProviderID, for asker: Asker) -> Provider {
        let own = [conversation.ownChoice].compactMap(\.self) + conversation.offered
        return own.first { $0.id == id } ?? engine.logins.knownProvider(id, for: asker.key)
    }
}
