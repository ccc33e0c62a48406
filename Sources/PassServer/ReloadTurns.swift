// Runs one reload at a time. If a reload is requested during another reload, a second reload follows, because the files may
// have changed after the first has read them. All requests during the first reload share the second one.

package import AccessEnabler
package import PassJSON

@EngineActor package final class ReloadTurns {
    private var last: Task<JSONValue, Never>?
    /// Whether a reload waits for the running one.
    private var isWaiting = false

    nonisolated package init() {}

    package func run(_ reload: @escaping @EngineActor () async -> JSONValue) async -> JSONValue {
        if isWaiting, let last { return await last.value }
        let former = last
        isWaiting = true
        let next = Task { @EngineActor in
            _ = await former?.value
            isWaiting = false
            return await reload()
        }
        last = next
        return await next.value
    }
}
