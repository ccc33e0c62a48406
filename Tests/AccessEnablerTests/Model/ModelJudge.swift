// Checks the rules that must hold after every step of a sequence.

import PassProtocol

@testable import AccessEnabler

extension ModelRun {
    /// Runs the whole sequence. Throws at the first step that breaks a rule.
    func play(_ steps: [Step]) async throws {
        for (index, step) in steps.enumerated() { try await play(step, index) }
        // At the end, every connection gives the right answer.
        for (seat, outcome) in await checkAll() {
            let connection = connections[seat]
            let expected = connection?.key == nil ? .failed : Outcome.answered(connection.flatMap(login(of:)))
            guard outcome != expected else { continue }
            let seen = outcome.map { "\($0)" } ?? "it waits"
            throw ModelFailure(step: steps.count, expected: "in the end \(seat.rawValue) hears \(expected)", seen: seen)
        }
    }

    private func play(_ step: Step, _ index: Int) async throws {
        func expect(_ holds: Bool, _ expected: @autoclosure () -> String, _ seen: @autoclosure () -> String) throws {
            if !holds { throw ModelFailure(step: index, expected: expected(), seen: seen()) }
        }
        let before = answers()
        let (known, knewDate) = (connections.filter { $0.value.key != nil }.keys, knowsDate)
        let waiting = Set(connections.filter { $0.value.session.conversation.isOpen }.keys)
        let rulesBefore = rules
        foresee(step)
        let outcomes = try await play(step)
        try expect(!outcomes.contains(nil), "every call ends", "it waits")
        let facts = service.takeFacts()
        if case .together(let one, let other) = step {
            rules = remembered
            if one.isLogout || other.isLogout { try checkNothingOlder(facts, expect) }
        } else {
            // Without the service it is unknown whether the provider can be chosen.
            if case .select(let seat, let provider) = step, outcomes == [.failed], !service.isUp,
                let requestor = connections[seat]?.key?.requestor,
                engine.memory.contents.selections[requestor]?.provider.id != provider.id
            {
                rules.selected = rulesBefore.selected
            }
            for fact in facts { rules.hear(fact) }
        }
        try expect(rules.broken.isEmpty, rules.broken.first ?? "", "it was told of another one")
        try expect(complaints + service.complaints == [], (complaints + service.complaints).first ?? "", "it happened")
        try compare(expect)
        let after = answers()
        try checkAnswers(step, outcomes, rulesBefore, after, expect)
        try checkTelling(step, before, after, waiting, expect)
        // When the engine learns the date, other logins may count as expired.
        if knewDate == knowsDate { try checkToldAll(step, Set(known), before, after, expect) }
        try checkLogins(expect)
    }

    typealias Expect = (Bool, @autoclosure () -> String, @autoclosure () -> String) throws -> Void

    /// Applies the changes of the step itself, before any request to the service.
    private func foresee(_ step: Step) {
        // A logout works even if the setup failed or is missing. §6.2.
        if case .logout = step { return rules.logout() }
        guard let seat = step.seat, let connection = connections[seat] else { return }
        switch (step, connection.key) {
        case (.cancel, let key?): rules.cancel(key)
        case (.select(_, let provider), let key?):
            guard Channel(rawValue: key.requestor.rawValue)?.operators.contains(provider) == true else { return }
            rules.select(provider.id, key, at: now)
        // Another requestor ends an open flow, as a cancel does. §7.7a.
        case (.setRequestor(_, let channel), let key?) where channel.id != key.requestor:
            if connection.session.conversation.isOpen { rules.cancel(key) }
        default: break
        }
    }

    /// The provider at which each connection is logged in, according to the rules.
    private func answers() -> [Seat: ProviderID] {
        connections.compactMapValues(login(of:))
    }

    /// A connection's own choice comes first, and applies to that connection only. Ruling 35.
    private func login(of connection: Connection) -> ProviderID? {
        connection.key.flatMap { rules.login($0, chosen: connection.session.conversation.ownChoice?.id, at: now) }
    }

    private var remembered: ModelRules {
        var rules = ModelRules()
        rules.logins = engine.memory.contents.profiles.mapValues(\.notAfter)
        rules.tombstones = engine.memory.contents.tombstones
        rules.selected = engine.memory.contents.selections.mapValues(\.provider.id)
        return rules
    }

    /// The state as text, without the parts that depend only on the order of answers.
    var state: String {
        let sessions = connections.map { seat, connection in
            let phase = connection.session.conversation.phase
            let isChoosing = if case .choosing = phase { true } else { false }
            let flow = phase == .idle ? "idle" : isChoosing ? "choosing" : "showing a code"
            let login =
                connection.key.flatMap { engine.logins.login(of: $0) }.map { "\($0.provider) is in" } ?? "no login"
            return "\(seat.rawValue) \(connection.key?.requestor.rawValue ?? "-") \(login) \(flow)"
        }
        let codes = engine.openLogins.pollers.map {
            "\($0.registration.app)/\($0.requestor)/\($1.login.provider?.rawValue ?? "")"
        }
        let seen = remembered
        // Apps see only the selected login.
        let logins = seen.logins.keys.filter { seen.selected[$0.requestor] == $0.provider }
        return "logins \(Self.words(logins)) tombstones \(Self.words(seen.tombstones))"
            + " selections \(Self.words(seen.selected)) codes \(codes.sorted()) sessions \(sessions.sorted())"
    }

    // MARK: Rules

    private func compare(_ expect: Expect) throws {
        let seen = remembered
        try expect(
            seen.logins == rules.logins, "logins \(Self.words(rules.logins.keys))", "\(Self.words(seen.logins.keys))")
        try expect(
            seen.tombstones == rules.tombstones, "tombstones \(Self.words(rules.tombstones))",
            "\(Self.words(seen.tombstones))")
        try expect(
            seen.selected == rules.selected, "selections \(Self.words(rules.selected))", Self.words(seen.selected))
        try expect(
            seen.tombstones.isDisjoint(with: seen.logins.keys), "no login has a tombstone",
            Self.words(seen.tombstones.intersection(seen.logins.keys)))
        guard vault.isWell, engine.unsavedChanges == 0 else { return }
        let memory = engine.memory.contents
        // The removal of a tombstone may be written later.
        let waiting = memory.tombstones.symmetricDifference(vault.contents.tombstones).map(VaultRow.tombstone)
        try expect(
            memory.profiles == vault.contents.profiles && Set(engine.memory.waiting.map(\.row)).isSuperset(of: waiting)
                && memory.selections == vault.contents.selections && memory.openLogins == vault.contents.openLogins,
            "the vault has what is remembered", "it has not")
    }

    private func checkAnswers(
        _ step: Step, _ outcomes: [Outcome?], _ rulesBefore: ModelRules, _ after: [Seat: ProviderID], _ expect: Expect
    ) throws {
        guard let seat = step.seat, let outcome = outcomes[0], let connection = connections[seat] else { return }
        switch step {
        case .check:
            let expected = connection.key == nil ? Outcome.failed : .answered(after[seat])
            try expect(outcome == expected, "checkAuthentication: \(expected)", "\(outcome)")
            try expect(connection.heard.statuses == 1, "one setAuthenticationStatus", "\(connection.heard.statuses)")
        case .setRequestor(_, let channel):
            try expect(connection.heard.configured == 1, "one setRequestorComplete", "\(connection.heard.configured)")
            guard outcome != .failed else { return }
            // A login in memory is the answer. If the service does not confirm the login, the app is told. Ruling 34.
            let remembered = connection.key.flatMap { rulesBefore.login($0, at: now) }
            let isCorrected = after[seat] != nil || [.logout, .revoked].contains(connection.heard.reasons.last)
            try expect(
                outcome == .answered(after[seat])
                    || remembered != nil && outcome == .answered(remembered) && isCorrected,
                "setRequestor: \(after[seat]?.rawValue ?? "no login")", "\(outcome)")
            try expect(connection.key?.requestor == channel.id, "\(channel.rawValue) is set", "another")
            // This rule does not apply if the service has not heard of the logout of the selected login.
            guard let key = connection.key, !rules.tombstones.contains(where: { $0.login == key }) else { return }
            let isKnown = !service.logins(for: channel.id).isEmpty
            try expect(!isKnown || after[seat] != nil, "the service's login is found", "it is not")
        case .profiles where connection.key != nil:
            let expected = rules.logins.filter { $0.key.login == connection.key && now < $0.value }
                .map(\.key.provider.rawValue).sorted()
            try expect(outcome == .listed(expected), "profiles \(expected)", "\(outcome)")
        case .getAuthentication, .cancel, .metadata, .logout, .preauthorize:
            guard connection.key == nil else { return }
            try expect(outcome == .failed, "no requestor, no answer", "\(outcome)")
        default: break
        }
        if case .logout = step, outcome != .failed {
            try expect(after.isEmpty, "nobody is logged in after a logout", "\(after.keys)")
        }
    }

    /// An app is told about other apps' actions only if its own answer has changed.
    private func checkTelling(
        _ step: Step, _ before: [Seat: ProviderID], _ after: [Seat: ProviderID], _ waiting: Set<Seat>, _ expect: Expect
    ) throws {
        if case .together = step { return }
        for (seat, connection) in connections {
            for reason in connection.heard.reasons where !(reason == .logout && step == .logout(seat)) {
                // Callbacks after the connection's own setup are already checked.
                if case .setRequestor(seat, _) = step { continue }
                // These two callbacks may also report that another connection has ended or replaced the open login.
                let isAboutLogin = reason == .sso || reason == .replaced
                try expect(
                    before[seat] != after[seat] || isAboutLogin && waiting.contains(seat),
                    "\(seat.rawValue) hears \(reason) if its answer changed, or its login was open",
                    before[seat]?.rawValue ?? "no login before")
                // If one login ends and another begins, both are reported; the last callback counts.
                try expect(
                    (after[seat] != nil) == (reason == .sso) || reason != connection.heard.reasons.last,
                    "\(seat.rawValue) hears \(reason) if it is so", after[seat]?.rawValue ?? "no login")
            }
        }
    }

    /// Every connection that shares a new or ended login is told, except the caller, which has its answer. Expired
    /// logins are not reported. rpc.md §5.
    private func checkToldAll(
        _ step: Step, _ known: Set<Seat>, _ before: [Seat: ProviderID], _ after: [Seat: ProviderID], _ expect: Expect
    ) throws {
        for (seat, connection) in connections where known.contains(seat) && !step.seats.contains(seat) {
            let isIn = after[seat] != nil
            guard (before[seat] != nil) != isIn, connection.key != nil, isIn || !step.isTime else { continue }
            let reasons: [Callback.Reason?] = isIn ? [.sso] : [.logout, .revoked]
            let isTold = connection.heard.statuses > 0 || reasons.contains(connection.heard.reasons.last)
            try expect(
                isTold, "\(seat.rawValue) hears that it is \(isIn ? "in" : "out")", "\(connection.heard.reasons)")
        }
    }

    /// After a logout, the only remaining logins are those that the service still knows or has reported as new.
    private func checkNothingOlder(_ facts: [ModelService.Fact], _ expect: Expect) throws {
        guard service.isUp else { return }
        for place in rules.logins.keys where service.login(at: place.provider) == nil {
            let isNew = facts.contains { fact in
                if case .loggedIn(let key, let profile) = fact {
                    key.profileKey(at: profile.provider) == place
                } else {
                    false
                }
            }
            try expect(isNew, "\(place.words) does not come back after the logout", "it does")
        }
    }

    /// Checks which connections show open codes, and which codes are polled.
    private func checkLogins(_ expect: Expect) throws {
        let open = engine.memory.contents.openLogins
        try expect(
            engine.openLogins.pollers.mapValues(\.login.code) == open.mapValues(\.code),
            "one poller for each open code",
            "\(engine.openLogins.pollers.count) pollers, \(open.count) codes")
        let unwatched = engine.openLogins.pollers.values.count(where: \.watchers.isEmpty)
        try expect(unwatched <= 8, "at most eight codes are polled for nobody (ruling 36)", "\(unwatched) are")
        for poller in engine.openLogins.pollers.values {
            try expect(poller.next != nil || service.now < poller.login.notAfter, "it is asked for", "no alarm is set")
        }
        for (seat, connection) in connections {
            switch connection.session.conversation.phase {
            case .idle, .choosing: break
            case .secondScreen(let login):
                let poller = connection.key.flatMap { engine.openLogins.pollers[$0] }
                try expect(
                    poller?.login.code == login.code && poller?.watchers.contains(connection.session.number) == true,
                    "\(seat.rawValue)'s code \(login.code) is polled", "\(poller?.login.code.rawValue ?? "nothing") is")
            default: try expect(false, "\(seat.rawValue)'s flow rests", "\(connection.session.conversation.phase)")
            }
        }
    }

    private static func words(_ places: some Swift.Sequence<ProfileKey>) -> String {
        "[\(places.map(\.words).sorted().joined(separator: ", "))]"
    }

    private static func words(_ selected: [RequestorID: ProviderID]) -> String {
        "[\(selected.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ", "))]"
    }
}
