// Tests which errors of apt count as errors of Debian's archive. The CI stage `arm` passes after these errors only.

import PassTestTools
import Testing

@Suite struct ArchiveFailureTests {
    static let cases: [(line: String, isOfTheArchive: Bool)] = [
        ("E: Unable to locate package swiftlang", true),
        ("E: Package 'swiftlang' has no installation candidate", true),
        ("E: Failed to fetch http://mirror.test/pool/s.deb  404  Not Found", true),
        ("Err:1 http://mirror.test sid InRelease  Temporary failure resolving 'mirror.test'", true),
        (" swiftlang : Depends: libswiftlang (= 6.2.3-1) but it is not installable", true),
        ("E: The repository 'http://mirror.test sid Release' does not have a Release file.", true),
        ("E: Sub-process /usr/bin/dpkg returned an error code (1)", false),
        ("mkdir: cannot create directory 'sdks': No space left on device", false),
        ("sdk: line 12: arm64: unbound variable", false), ("", false),
    ]

    @Test(arguments: cases)
    func `only a package that the archive does not supply is its error`(line: String, isOfTheArchive: Bool) throws {
        let place = TemporaryDirectory()
        let script =
            #filePath.dropLast("Tests/RepositoryTests/ArchiveFailureTests.swift".count)
            + "scripts/debian/archive-failed"
        let log = "I: installing packages\n\(line)\nI: removing the folder\n"
        let ending = try ChildProcess.run([
            "bash", "-c", "printf %s \"$1\" > \"$2\"; \"$3\" \"$2\"", "-", log, place.path + "/log", String(script),
        ])
        #expect((ending.status == 0) == isOfTheArchive, "\(ending)")
    }
}
