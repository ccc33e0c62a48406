// Identifies the call that causes some work. The mark travels as a task-local value into the engine and to the backend, so
// that all journal records of one call carry the same `PASSD_REQUEST=`. Work without a call, such as a poll, has no mark.

package import PassSystem

package struct CallMark: Sendable {
    @TaskLocal package static var current: CallMark?

    /// The number of the call since the start of the daemon. The journal itself distinguishes the starts.
    let request: Int
    let method: String
    let app: String?

    package var fields: [JournalField] {
        [JournalField("REQUEST", request), JournalField("METHOD", method)]
            + (app.map { [JournalField("APP", $0)] } ?? [])
    }
}
