// Imports the logins that version 1.6 of the older library has stored, each only once. Before a login is returned, an empty
// file on the disk marks it as imported. A crash in between loses the login, but the login is never imported twice. Contract:
// access-enabler.md §6.1 item 4.

public import AccessEnabler

public actor LayoutImporter: TokenImporter {
    private let executor = StorageExecutor("passd.import")
    private let layout: OldLayout
    private var marks: ImportMarks
    private let now: @Sendable () -> ServerTime
    private let hear: @Sendable (String) -> Void
    private var told: Set<String> = []
    /// The marks of forgotten logins that could not be written. They count as written while this process runs.
    private var unmarked: Set<String> = []

    private static let maxTold = 256
    private static let everything = "forgotten"

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// `state` is the store's directory. `hear` gets each message about a failed import, once. The messages contain no
    /// values.
    public init(
        from directory: String, state: String, now: @escaping @Sendable () -> ServerTime,
        hear: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        layout = OldLayout(directory: directory)
        marks = ImportMarks(in: state)
        self.now = now
        self.hear = hear
    }

    public func logins(for requestor: RequestorID) -> [ImportedLogin] {
        settle()
        do throws(FileFault) {
            guard let own = Self.mark(forgetting: requestor), unmarked.isDisjoint(with: [own, Self.everything]),
                try !marks.contains(own), try !marks.contains(Self.everything)
            else { return [] }
            var logins: [ImportedLogin] = []
            var taken: [String] = []
            for entry in layout.entries(for: requestor, tell) where now() < entry.token.expires {
                guard let mark = Self.mark(taking: entry.token, for: requestor), !taken.contains(mark),
                    try !marks.contains(mark)
                else { continue }
                taken.append(mark)
                logins.append(ImportedLogin(entry))
            }
            guard try marks.hasRoom(for: taken) else {
                tell("nothing is imported: there are already \(ImportMarks.maxMarks) marks")
                return []
            }
            try marks.add(taken)
            return logins
        } catch {
            tell("nothing is imported: \(error.explanation)")
            return []
        }
    }

    @discardableResult public func forget(_ requestors: Set<RequestorID>?) -> Bool {
        let names = requestors.map { $0.compactMap(Self.mark(forgetting:)) } ?? [Self.everything]
        unmarked.formUnion(names)
        settle()
        return unmarked.isDisjoint(with: names)
    }

    /// Tries to write the marks that could not be written before.
    private func settle() {
        guard !unmarked.isEmpty else { return }
        do throws(FileFault) {
            try marks.add(marks.hasRoom(for: unmarked) ? unmarked : [Self.everything])
            unmarked = []
        } catch {
            tell("the mark that prevents a second import of the logins could not be written: \(error.explanation)")
        }
    }

    private func tell(_ what: String) {
        guard told.count < Self.maxTold, told.insert(what).inserted else { return }
        hear(what)
    }

    private static func mark(forgetting requestor: RequestorID) -> String? {
        digest([requestor.rawValue]).map { "forgotten-" + $0 }
    }

    private static func mark(taking token: OldToken, for requestor: RequestorID) -> String? {
        digest([requestor.rawValue] + token.parts).map { "taken-" + $0 }
    }
}

extension ImportedLogin {
    fileprivate init(_ entry: OldLayout.Entry) {
        self.init(
            requestor: entry.owner, provider: ProviderID(rawValue: entry.token.provider),
            expires: entry.token.expires, fingerprint: entry.token.fingerprint)
    }
}
