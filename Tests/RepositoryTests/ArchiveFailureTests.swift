// Tests which errors of apt count as errors of Debian's archive. The CI stage `arm` passes after these errors only.

import PassTestTools
import Testing

@Suite struct ArchiveFailureTests {
    static let cases: [(line: String, inSid: Bool, inRelease: Bool)] = [
        ("E: Unable to locate package swiftlang", true, false),
        ("E: Package 'swiftlang' has no installation candidate", true, false),
        (" passd : Depends: libc6 (>= 2.42) but it is not installable", true, false),
        ("E: Unable to correct problems, you have held broken packages.", true, false),
        ("E: Failed to fetch http://mirror.test/pool/s.deb  404  Not Found", true, true),
        ("Err:1 http://mirror.test sid InRelease  Temporary failure resolving 'mirror.test'", true, true),
        ("E: The repository 'http://mirror.test sid Release' does not have a Release file.", true, true),
        ("apt on this machine knows no archive of Debian; apt-get update may help", true, true),
        ("E: Failed to fetch http://mirror.test/s.deb  write (28: No space left on device)", false, false),
        ("E: Sub-process /usr/bin/dpkg returned an error code (1)", false, false),
        ("sdk: line 12: arm64: unbound variable", false, false), ("", false, false),
    ]
    static let repository = String(#filePath.dropLast("Tests/RepositoryTests/ArchiveFailureTests.swift".count))

    @Test(arguments: cases)
    func `only what the archive does not supply is its error`(line: String, inSid: Bool, inRelease: Bool) throws {
        let place = TemporaryDirectory()
        let log = "I: installing packages\n\(line)\nI: removing the folder\n"
        for (suite, isOfTheArchive) in [("sid", inSid), ("trixie", inRelease)] {
            let ending = try ChildProcess.run([
                "bash", "-c", "printf %s \"$1\" > \"$2\"; \"$3\" \"$2\" \"$4\"", "-", log, place.path + "/log",
                Self.repository + "scripts/debian/archive-failed", suite,
            ])
            #expect(ending.status == (isOfTheArchive ? 0 : 1), "\(suite): \(ending)")
        }
    }

    @Test(arguments: [
        ("exit 0", 69), ("echo 'E: Failed to fetch x' >&2; exit 100", 69), ("echo 'E: broken' >&2; exit 100", 1),
    ])
    func `without an archive, packages cannot be fetched`(apt: String, status: Int32) throws {
        let place = TemporaryDirectory()
        let ending = try ChildProcess.run([
            "bash", "-c",
            """
            mkdir "$1/bin"; printf '#!/bin/sh\\n%s\\n' "$2" > "$1/bin/apt-get"; chmod +x "$1/bin/apt-get"
            PATH="$1/bin:$PATH" "$3scripts/debian/fetch" trixie arm64 "$1/packages" download passd
            """, "-", place.path, apt, Self.repository,
        ])
        #expect(ending.status == status, "\(ending)")
    }
}
