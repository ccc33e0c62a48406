// Identifies the call that causes some work. The mark is a task-local value. The engine and the backend can read the mark. So
// all journal records of one call have the same `PASSD_REQUEST=`. Work without a call, such as a poll, has no mark.

package import PassSystem

package struct CallMark: Sendable {
    @TaskLocal package static var current: CallMark?

    /// The number of the call, counted from the start of the daemon. The journal's own fields distinguish the starts.
    let request: Int
    let method: String
    let app: String?

    package var fields: [JournalField] {
        [JournalField("REQUEST", request), JournalField("METHOD", method)]
            + (app.map { [JournalField("APP", $0)] } ?? [])
    }
}
