// Logins are bound to the device that obtained them. When the box is not the same any more, they are of no use, and
// what is left of them would only make the service's answers hard to understand.
// Contract: access-enabler.md §6.1 item 5, §10.

@EngineActor struct DeviceChangeCheck {
    let device: DeviceID
    /// Those who lost a login; their apps hear `SEC412`.
    var requestors: Set<RequestorID> = []
    /// What operators have to be told.
    var problem: String?

    /// The identity is written down at first use. Fails only where there is none and never was one.
    static func run(_ memory: Memory, _ identity: any DeviceIdentity) async throws(DeviceIdentityFault) -> DeviceChangeCheck {
        let current: DeviceID
        do throws(DeviceIdentityFault) { current = try await identity.current() } catch {
            // An identity that cannot be read now is taken for the one that is known.
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
            problem: "this box is not the one that its logins were made for; they are gone")
    }

    /// Providers stay remembered, the way past the picker does not. The service cannot be told of the logins' end: it
    /// knows them by a device that is no more.
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
