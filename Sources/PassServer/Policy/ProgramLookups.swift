// Finds out whether a process runs the program that a rule names. If the program's file system does not answer within a
// second, the program counts as unknown. Ruling 55.

package import AccessEnabler
package import PassSystem

@EngineActor package final class ProgramLookups {
    private let look: @Sendable (ProgramClaim) -> Bool
    private let files = FileQuestions("passd.programs")

    nonisolated package init(_ look: @escaping @Sendable (ProgramClaim) -> Bool = { $0.isTrue() }) { self.look = look }

    var isStuck: Bool { files.isStuck }

    /// Finds out whether the process really runs the program of the claim. Calls `tell` once. A timeout counts as false.
    func check(_ claim: ProgramClaim, by clock: any EngineClock, _ tell: @escaping (Bool) -> Void) {
        files.ask(by: clock, { [look] in look(claim) }) { tell($0 ?? false) }
    }

    /// The path of the program, if the process really runs it.
    func path(_ claim: ProgramClaim, by clock: any EngineClock) async -> String? {
        let isTrue = await withCheckedContinuation { continuation in
            check(claim, by: clock) { continuation.resume(returning: $0) }
        }
        return isTrue ? claim.path : nil
    }

    /// The program of a process, connected or not.
    func executable(of process: Int32, by clock: any EngineClock) async -> String? {
        guard let claim = ProgramClaim(of: process) else { return nil }
        return await path(claim, by: clock)
    }
}
