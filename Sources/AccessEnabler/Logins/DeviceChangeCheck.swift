// Ends the stored logins on start if the device's identity has changed. Logins are bound to the device that obtained
// them; on another device the service rejects them with confusing errors.
// Contract: access-enabler.md §6.1 item 5, §10.

@EngineActor struct DeviceChangeCheck {
    let device: DeviceID
    /// The requestors that lost a login. Their apps are told by `SEC412`.
    var requestors: Set<RequestorID> = []
    /// The problem to report to operators, if any.
    var problem: String?

    /// The identity is written down at first use. Fails only where there is none and never was one.
    static func run(
        _ memory: Memory, _ identity: any DeviceIdentity
    ) async throws(DeviceIdentityFault) -> DeviceChangeCheck {
        let current: DeviceID
        do throws(DeviceIdentityFault) { current = try await identity.current() } catch {
            // If the identity cannot be read, the stored one is used.
            guard let known = memory.contents.device else { throw error }
            return DeviceChangeCheck(device: known, problem: error.explanation)
        }
        guard let known = memory.contents.device, known != current else {
            await memory.commit([.device(current)])
            return DeviceChangeCheck(device: current)
        }
        let requestors = Set(memory.contents.profiles.keys.map(\.requestor))
        await memory.commit(changes(to: current, memory.contents))
        return DeviceChangeCheck(
            device: current, requestors: requestors,
            problem: "the logins were made for another device, so they were removed")
    }

    /// Selections are kept but no longer skip the picker. No logout is sent, because the service knows these logins by
    /// a device that no longer exists.
    private static func changes(to device: DeviceID, _ contents: VaultContents) -> [VaultChange] {
        var changes = [VaultChange.device(device)]
        changes += contents.profiles.keys.map { .profile($0, nil) }
        changes += contents.tombstones.map { .tombstone($0, false) }
        changes += contents.openLogins.keys.map { .openLogin($0, nil) }
        changes += contents.selections.map {
            .selection($0.key, Selection(provider: $0.value.provider, canAuthenticate: false))
        }
        return changes
    }
}
