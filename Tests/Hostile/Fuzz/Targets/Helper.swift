// Fuzzes text from programs of the box: lines of the platform helper, tokens, keys, control groups.

import AccessEnabler

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassSystem

/// Uses the input as lines that arrive in two pieces, and as the output of a token program.
func helper(_ bytes: [UInt8]) {
    var limits = LineProgram.Limits()
    (limits.lineBytes, limits.unaskedBytes, limits.unaskedLines) = (1024, 3072, 16)
    var lines = ProgramLines(limits)
    var heard = 0
    for piece in [bytes.prefix(bytes.count / 3), bytes.dropFirst(bytes.count / 3)] {
        let ending = lines.take(Array(piece)) { line in
            heard += 1
            expect((1...limits.lineBytes).contains(line.count), "a line has \(line.count) bytes")
            hear(line)
        }
        expect(heard <= limits.unaskedLines, "\(heard) lines are heard")
        if ending != nil { break }
    }
    for time in [0, 1_795_564_800_000] as [Int64] {
        guard let token = try? SignOnToken(bytes, at: ServerTime(milliseconds: time)) else { continue }
        if let ends = token.ends, let ages = token.ages { expect(ages <= ends, "a token ages after its end") }
        _ = token.isGood(at: ServerTime(milliseconds: time))
    }
    _ = PeerUnit(cgroup: String(decoding: bytes, as: UTF8.self))
    _ = try? SoftwareStatement(bytes)
    if bytes.starts(with: Array("-----".utf8)) {
        _ = try? DeviceKey(pem: Secret(String(decoding: bytes, as: UTF8.self)))
    }
}

private func hear(_ bytes: [UInt8]) {
    let line: PlatformLine
    do throws(PlatformLine.Fault) { line = try PlatformLine.read(bytes) } catch {
        expect(error.description.utf8.count < 200, "the fault says too much")
        return
    }
    switch line {
    case .result(_, let result):
        _ = try? PlatformPermission(result)
        if let account = try? PlatformAccount(result) { _ = account.expires?.advanced(by: .seconds(1)) }
    case .hello(let introduction, _):
        expect(introduction.name.utf8.count <= 256 && introduction.version.utf8.count <= 256, "a name is too long")
    case .failure, .dialog, .unknown: break
    }
}
