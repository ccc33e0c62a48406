// Identifies the call that causes some work. The mark is a task-local value that the engine and the backend can read. So all
// journal records of one call have the same `PASSD_REQUEST=`. Work without a call, such as a poll, has no mark.

package import PassSystem

package struct CallMark: Sendable {
    @TaskLocal package static var current: CallMark?

    /// The number of the call, counted from the start of the daemon. To tell the starts apart, use the journal's own fields.
    let request: Int
    let method: String
    let app: String?

    package var fields: [JournalField] {
        [JournalField("REQUEST", request), JournalField("METHOD", method)]
            + (app.map { [JournalField("APP", $0)] } ?? [])
    }
}
