// Tests which commit scripts/commit prints for a checkout, for a source archive, and for other folders.

import FoundationEssentials
import PassTestTools
import Testing

@Suite struct CommitTests {
    static let cases: [(folder: String, preparation: String, printed: String)] = [
        ("a checkout", "", "commit"), ("a checkout with a changed file", "echo changed > COMMIT", "commit-dirty"),
        ("a checkout with a new file", "touch new", "commit-dirty"),
        ("an archive of a commit", "git archive HEAD > ../tar && rm -rf .git * && tar -xf ../tar", "commit"),
        ("an archive of changed files", "rm -rf .git && echo 0123456789ab-dirty > COMMIT", "0123456789ab-dirty"),
        ("a copy without the history", "rm -rf .git", ""),
        ("a copy in another checkout", "git init --quiet .. && rm -rf .git", ""),
        ("a checkout without commits", "rm -rf .git && git init --quiet", ""),
    ]

    @Test(arguments: cases)
    func `a build outside git has no commit, and a changed checkout says so`(
        _ each: (folder: String, preparation: String, printed: String)
    ) throws {
        let place = TemporaryDirectory()
        let repository = #filePath.dropLast("Tests/RepositoryTests/CommitTests.swift".count)
        let script = """
            set -e; mkdir -p '\(place.path)/copy/scripts'; cd '\(place.path)/copy'
            cp '\(repository)scripts/commit' scripts/; cp '\(repository)COMMIT' '\(repository).gitattributes' .
            git init --quiet; git add --all
            git -c user.name=test -c user.email=test@example.invalid commit --quiet --message=first
            commit=$(git rev-parse HEAD | head -c 12); \(each.preparation.isEmpty ? ":" : each.preparation)
            printf '%s\\n' "$commit"; scripts/commit
            """
        let ending = try ChildProcess.run(["bash", "-c", script])
        let lines = ending.output.split(separator: "\n").map(String.init)
        let commit = try #require(lines.first, "\(ending)")
        let printed = lines.dropFirst().joined(separator: "\n")
        #expect(printed == each.printed.replacing("commit", with: commit), "\(each.folder): \(ending)")
        #expect(ending.status == 0)
    }
}
