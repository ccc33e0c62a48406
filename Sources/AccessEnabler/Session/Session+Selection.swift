// What a session remembers of the viewer's choice of a provider. Contract: access-enabler.md §7.4, §12;
// open-questions.md OQ-4, OQ-9.

extension Session {
    func select(_ id: ProviderID, _ standing: Standing) async {
        let provider = offered.first { $0.id == id } ?? engine.provider(id, standing.key)
        // With a good login there already, the selection is all that was missing. OQ-9.
        let isIn = engine.profile(standing.key.profile(at: id)) != nil
        if engine.login(of: standing.key) != nil {
            formerSelection = engine.memory.contents.selections[standing.key.requestor]
        }
        await change(Selection(provider: provider, canAuthenticate: isIn), standing)
    }

    func deselect(_ standing: Standing) async {
        temporaryIdentity = [:]
        if engine.settings.cancelSignsOut {
            await change(nil, standing)
        } else if engine.login(of: standing.key) == nil {
            guard let former = formerSelection, engine.profile(standing.key.profile(at: former.provider.id)) != nil
            else { return await remember(false, standing) }
            await change(former, standing)
        }
        formerSelection = nil
    }

    /// The selection is the requestor's, and other sessions of it may be signed in or out by that.
    private func change(_ selection: Selection?, _ standing: Standing) async {
        await engine.telling(standing.key.requestor, except: self) {
            await engine.memory.commit([.selection(standing.key.requestor, selection)])
        }
    }

    func remember(_ canAuthenticate: Bool, _ standing: Standing) async {
        if canAuthenticate { formerSelection = nil }
        guard var selection = engine.memory.contents.selections[standing.key.requestor] else { return }
        selection.canAuthenticate = canAuthenticate
        await engine.memory.commit([.selection(standing.key.requestor, selection)])
    }
}
