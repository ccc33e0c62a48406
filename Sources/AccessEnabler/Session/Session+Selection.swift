// How a session stores the viewer's choice of a provider.
// Contract: access-enabler.md §7.4, §12; open-questions.md OQ-4, OQ-9.

extension Session {
    func select(_ id: ProviderID, for asker: Asker) async {
        let provider = conversation.offered.first { $0.id == id } ?? engine.logins.knownProvider(id, for: asker.key)
        // If there is a valid login with the provider, selecting it is enough. OQ-9.
        let isIn = engine.logins.profile(at: asker.key.profileKey(at: id)) != nil
        if engine.logins.login(of: asker.key) != nil {
            conversation.rememberFormerSelection(engine.logins.selection(of: asker.key.requestor))
        }
        await changeSelection(to: Selection(provider: provider, canAuthenticate: isIn), for: asker)
    }

    func deselect(for asker: Asker) async {
        conversation.forgetTemporaryIdentity()
        if engine.settings.cancelSignsOut {
            await changeSelection(to: nil, for: asker)
        } else if engine.logins.login(of: asker.key) == nil {
            guard let former = conversation.formerSelection,
                engine.logins.profile(at: asker.key.profileKey(at: former.provider.id)) != nil
            else { return await remember(canAuthenticate: false, for: asker) }
            await changeSelection(to: former, for: asker)
        }
        conversation.forgetFormerSelection()
    }

    /// Changes the selection, which all sessions of the requestor share: others may be signed on or logged out by it.
    private func changeSelection(to selection: Selection?, for asker: Asker) async {
        await engine.audience.tellingChanges(of: asker.key.requestor, except: number) {
            await engine.logins.memory.commit([.selection(asker.key.requestor, selection)])
        }
    }

    func remember(canAuthenticate: Bool, for asker: Asker) async {
        if canAuthenticate { conversation.forgetFormerSelection() }
        guard var selection = engine.logins.selection(of: asker.key.requestor) else { return }
        selection.canAuthenticate = canAuthenticate
        await engine.logins.memory.commit([.selection(asker.key.requestor, selection)])
    }
}
