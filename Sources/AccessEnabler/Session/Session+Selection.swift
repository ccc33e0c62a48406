// Changes the requestor's selected provider on behalf of a session. The selection itself belongs to `Logins`. Contract:
// access-enabler.md §7.4, §12; open-questions.md OQ-4, OQ-9.

extension Session {
    func select(_ id: ProviderID, for asker: Asker) async {
        let provider = conversation.offered.first { $0.id == id } ?? engine.logins.knownProvider(id, for: asker.key)
        // If the viewer is logged in at this provider already, selecting it is enough. OQ-9.
        let isIn = engine.logins.profile(at: asker.key.profileKey(at: id)) != nil
        if engine.logins.login(of: asker.key) != nil {
            conversation.rememberFormerSelection(engine.logins.selection(of: asker.key.requestor))
        }
        await changeSelection(to: Selection(provider: provider, canAuthenticate: isIn), for: asker)
    }

    /// All sessions of the requestor share the selection, so a change may log others in or out.
    func changeSelection(to selection: Selection?, for asker: Asker) async {
        await engine.audience.tellingChanges(of: asker.key.requestor, except: number) {
            await engine.logins.select(selection, for: asker.key.requestor)
        }
    }

    /// Remembers whether the last login at the selected provider succeeded.
    func remember(canAuthenticate: Bool, for asker: Asker) async {
        if canAuthenticate { conversation.forgetFormerSelection() }
        guard var selection = engine.logins.selection(of: asker.key.requestor) else { return }
        selection.canAuthenticate = canAuthenticate
        await engine.logins.select(selection, for: asker.key.requestor)
    }
}
