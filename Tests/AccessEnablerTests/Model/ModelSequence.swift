// Draws a sequence of steps from a seed, with a preference for useful combinations: completed logins, and outages with
// calls during them.

/// A small, fast random generator with the same results on every machine.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    mutating func pick<Element>(_ list: [Element]) -> Element { list[pick(list.count)] }
}

struct Sequence: Sendable {
    let seed: UInt64
    let steps: [Step]

    init(seed: UInt64) {
        var author = Author(random: SplitMix64(seed: seed))
        self.seed = seed
        steps = author.write()
    }

    /// Draws only steps that let a logout race a setup or another login.
    init(racing seed: UInt64) {
        var author = Author(random: SplitMix64(seed: seed))
        self.seed = seed
        steps = author.writeRace()
    }
}

private struct Author {
    var random: SplitMix64
    /// The last channel that each connection has set.
    private var channels: [Seat: Channel] = [:]
    private var steps: [Step] = []

    init(random: SplitMix64) { self.random = random }

    mutating func write() -> [Step] {
        for seat in Seat.allCases where random.pick(3) > 0 { add(setup(seat)) }
        let count = steps.count + 5 + random.pick(6)
        while steps.count < count { chapter() }
        switch random.pick(6) {
        case 0: add(.together(call(), call()))
        case 1: race()
        default: break
        }
        return steps
    }

    mutating func writeRace() -> [Step] {
        for seat in Seat.allCases { add(setup(seat)) }
        race()
        return steps
    }

    private mutating func add(_ step: Step) { steps.append(step) }

    private mutating func setup(_ seat: Seat) -> Step {
        let channel = random.pick(Channel.allCases)
        channels[seat] = channel
        return .setRequestor(seat, channel)
    }

    private mutating func seat() -> Seat { random.pick(Seat.allCases) }

    /// Draws a provider, usually one of the requestor's providers.
    private mutating func provider(_ seat: Seat) -> Operator {
        random.pick(8) == 0 ? random.pick(Operator.allCases) : random.pick((channels[seat] ?? .r1).operators)
    }

    private mutating func chapter() {
        switch random.pick(13) {
        case 0, 1, 2: login()
        case 3:
            let seat = seat()
            add(.appears(provider(seat)))
            add(random.pick(2) == 0 ? setup(seat) : .getAuthentication(seat))
        case 4:
            add(.network(isUp: false))
            for _ in 0...random.pick(3) { add(random.pick(3) == 0 ? step() : call()) }
            add(.network(isUp: true))
        case 5:
            let seat = seat()
            add(.revoked(provider(seat)))
            add(.getAuthorization(seat))
        case 6:
            add(.logout(seat()))
            add(random.pick(2) == 0 ? setup(seat()) : call())
        default: add(step())
        }
    }

    /// Draws the steps from a choice to a login, sometimes with others in between.
    private mutating func login() {
        let seat = seat()
        if channels[seat] == nil { add(setup(seat)) }
        var way: [Step] = [.getAuthentication(seat), .select(seat, provider(seat)), .viewerLogsIn, .pass(seconds: 5)]
        if random.pick(3) == 0 { way.swapAt(0, 1) }
        if random.pick(3) == 0 { way[0] = .getAuthorization(seat) }
        if random.pick(3) == 0 { way.insert(step(), at: 1 + random.pick(3)) }
        steps += way
    }

    /// One app is logged in, and another shows a code. A logout, a setup and the code's login happen at once.
    private mutating func race() {
        login()
        let (leaver, guest) = (seat(), seat())
        if channels[guest] == nil { add(setup(guest)) }
        steps += [.cancel(guest), .getAuthentication(guest), .select(guest, provider(guest))]
        switch random.pick(5) {
        case 0, 1: add(.together(.logout(leaver), .loginCompletes))
        case 2, 3: add(.together(.logout(leaver), setup(seat())))
        default: add(.together(setup(seat()), .loginCompletes))
        }
    }

    private mutating func step() -> Step {
        switch random.pick(30) {
        case 0: .viewerLogsIn
        case 1: .appears(random.pick(Operator.allCases))
        case 2: .revoked(random.pick(Operator.allCases))
        case 3: .network(isUp: false)
        case 4: .network(isUp: true)
        case 5: .vault(isWell: random.pick(3) > 0)
        case 6, 7: .pass(seconds: 5)
        case 8: .pass(seconds: 61)
        case 9: .pass(seconds: 10800)
        case 10: .date(daysAhead: random.pick([0, 0, 3, -3]))
        case 11: .restart
        default: call()
        }
    }

    private mutating func call() -> Step {
        let seat = seat()
        return switch random.pick(22) {
        case 0, 1: setup(seat)
        case 2, 3: .check(seat)
        case 4, 5, 6: .getAuthentication(seat)
        case 7, 8, 9: .select(seat, provider(seat))
        case 10, 11: .cancel(seat)
        case 12, 13, 14: .getAuthorization(seat)
        case 15: .checkAuthorization(seat)
        case 16: .preauthorize(seat)
        case 17: .metadata(seat)
        case 18: .profiles(seat)
        case 19, 20: .logout(seat)
        default: .close(seat)
        }
    }
}
