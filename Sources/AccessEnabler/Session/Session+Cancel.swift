// What cancelling a login erases: the viewer's choice, the code on the screen with its poller (unless another session
// shows the same code), a login in progress in the browser or with the box's TV account, and the selection, which falls
// back to none or to the earlier one. Completed logins stay. Contract: access-enabler.md §7.4 "Null = cancel", §6.2.

import PassProtocol

extension Session {
    /// Takes effect at once, whatever else is under way. Calls that come later wait until it is done.
    func cancelLogin() async throws(RPCError) -> SetSelectedProvider.Result {
        conversation.cancel()
        guard let asker = currentAsker else { throw unconfigured() }
        let hasTurn = setup.takeFreeTurn()
        defer { if hasTurn { setup.passTurnOn() } }
        let effects = conversation.handle(.cancelled)
        await engine.openLogins.cancelLogin(of: asker.key, by: number)
        await perform(effects, for: asker)
        return .cancelled
    }

    /// Ends the login that this session has in progress. Called for the effect of the same name.
    func leaveLogin(for asker: Asker) async {
        browserExpiry?.cancel()
        browserExpiry = nil
        platformRun.task?.cancel()
        platformRun.task = nil
        drawn = nil
        if let login = conversation.closeBrowserLogin() { engine.openLogins.abandonCode(of: login, for: asker) }
        await engine.openLogins.hide(of: asker.key, session: number)
    }

    /// Undoes the selection: afterwards there is none, or the one from before this choice.
    func deselect(for asker: Asker) async {
        conversation.forgetTemporaryIdentity()
        conversation.noteOwnChoice(nil)
        if engine.settings.cancelSignsOut {
            let former = engine.logins.login(of: asker.key)
            await changeSelection(to: nil, for: asker)
            if let former {
                engine.context.publish(
                    .signedOut(asker.key.requestor, former.provider, .logout, by: asker.key.registration.app.rawValue))
            }
        } else if login(for: asker) == nil {
            await remember(canAuthenticate: false, for: asker)
        }
    }
}
