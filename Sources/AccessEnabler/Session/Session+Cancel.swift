// What a cancelled login erases: the viewer's choice, the code on the screen with its poller (unless another session
// shows the same code), the browser's or the box's login that is under way, and the selection, or what came before it.
// Logins that are done stay. Contract: access-enabler.md §7.4 "Null = cancel", §6.2.

import PassProtocol

extension Session {
    /// Happens at once, whatever else is under way; calls that come after it wait for it.
    func cancelLogin() async throws(RPCError) -> SetSelectedProvider.Result {
        conversation.cancel()
        guard let asker = currentAsker else { throw unconfigured() }
        let takesTurn = !calls.isTaken
        if takesTurn { calls.takeTurn() }
        defer { if takesTurn { calls.passTurnOn() } }
        let effects = conversation.handle(.cancelled)
        await engine.openLogins.cancelLogin(of: asker.key, by: number)
        await perform(effects, for: asker)
        return .cancelled
    }

    /// Ends what this session has under way for a login: called by the flow's effect of the same name.
    func leaveLogin(for asker: Asker) async {
        browserExpiry?.cancel()
        browserExpiry = nil
        platformRun?.cancel()
        platformRun = nil
        if let login = conversation.closeBrowserLogin() { engine.openLogins.abandonCode(of: login, for: asker) }
        await engine.openLogins.hide(of: asker.key, session: number)
    }

    /// Takes the selection back: to none, or to the one from before this login.
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
}
