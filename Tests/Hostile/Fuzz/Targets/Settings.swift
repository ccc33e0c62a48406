// Fuzzes an operator's files: settings and app stanzas. A mistake in them may only cause a reported problem.

import Glibc

@testable import PassConfiguration

/// The file is read both as settings and as apps.
func settings(_ bytes: [UInt8]) {
    let text = INIText(bytes)
    expect(text.faults.count <= INIText.maxFaults + 1, "there are \(text.faults.count) faults")
    for entry in text.sections.flatMap(\.entries) {
        expect(INIValue.read(INIValue.written(entry.value)[...]) == entry.value, "\(entry.value) is written as another")
    }
    let path = "/proc/self/fd/\(file(of: bytes))"
    let files = ConfigurationFiles(
        settings: [.file(path, isRequired: true)], apps: [.file(path, isRequired: true)])
    let loaded = LoadedConfiguration.load(files, resources: accounts)
    _ = loaded.problems.map(\.description)
    if case .accepted(let plan) = ReloadPlan.decide(from: defaults, to: loaded) {
        expect(plan.inForce.apps == loaded.apps, "the apps are others")
    }
}

private let defaults = LoadedConfiguration.load(
    ConfigurationFiles(settings: [], apps: []), resources: accounts)

/// Accounts whose name begins with `k` exist. A statement is three words.
private let accounts = StanzaResources(
    user: { $0.hasPrefix("k") ? 1000 : nil }, group: { $0.hasPrefix("k") ? 1000 : nil }, groups: { _ in [1000] },
    readStatement: { _ in .success(Array("a.b.c".utf8)) })

/// A file without a name, used for all inputs.
private let descriptor: Int32 = {
    var path = Array("/tmp/fuzz-settings-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    unlink(path)
    return descriptor
}()

private func file(of bytes: [UInt8]) -> Int32 {
    ftruncate(descriptor, 0)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    return descriptor
}
