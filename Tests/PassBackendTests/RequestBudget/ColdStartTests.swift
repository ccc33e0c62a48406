// Tests when several apps that start together on a new box get their codes. The tests run a timeline of pure states
// with the shipped figures. `ColdStartCallTests` counts the requests of an app.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("ruling 48, rest-v2.md §15: several apps on a cold box") struct ColdStartTests {
    /// The calls of an app up to its code, each with the ranks of its requests: the setup with a registration, a token
    /// and the question about logins; the picker; and the code.
    static let calls: [[CallRank]] = [[.start, .start, .start], [.viewer], [.viewer]]
    static let callTime = Duration.seconds(15)

    struct App {
        let name: AppID
        var call = 0
        var request = 0
        var began = Duration.zero
        var ticket: RequestBudget.Ticket?
        var code: Duration?

        var owner: RequestOwner { call == 0 && request < 2 ? .box(for: name) : .user(5001, name) }
    }

    struct Outcome {
        var codes: [Duration] = []
        var longestCall = Duration.zero
        var failures = 0
    }

    /// The service answers at once.
    private func run(_ count: Int, isNewBox: Bool = true, interval: Duration = .zero) throws -> Outcome {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 8, isNewBox: isNewBox), at: .zero)
        var service = ServiceBucket(burstRefills: true, at: .zero)
        var apps = (0..<count).map { App(name: AppID(rawValue: "app\($0)"), began: interval * $0) }
        var outcome = Outcome()
        var now = Duration.zero
        while apps.contains(where: { $0.code == nil }), now < .seconds(120) {
            for index in apps.indices
            where apps[index].ticket == nil && apps[index].code == nil && apps[index].began <= now {
                let app = apps[index]
                let place = budget.enter(
                    Self.calls[app.call][app.request], of: app.owner, deadline: app.began + Self.callTime)
                apps[index].ticket = try #require(place).ticket
            }
            let outcomes = budget.advance(to: now)
            for event in outcomes {
                switch event {
                case .granted(let ticket, _):
                    let isAdmitted = service.admits(at: now)
                    #expect(isAdmitted, "the service would answer with a 429")
                    let index = try #require(apps.firstIndex { $0.ticket == ticket })
                    apps[index].ticket = nil
                    apps[index].request += 1
                    guard apps[index].request == Self.calls[apps[index].call].count else { continue }
                    outcome.longestCall = max(outcome.longestCall, now - apps[index].began)
                    (apps[index].call, apps[index].request, apps[index].began) = (apps[index].call + 1, 0, now)
                    if apps[index].call == Self.calls.count {
                        apps[index].code = now - interval * index
                        outcome.codes.append(now)
                    }
                case .refused(let ticket, _):
                    // The app repeats the call.
                    outcome.failures += 1
                    let index = try #require(apps.firstIndex { $0.ticket == ticket })
                    (apps[index].ticket, apps[index].began) = (nil, now)
                }
            }
            if outcomes.isEmpty {
                let starts = apps.filter { $0.ticket == nil && $0.code == nil }.map(\.began).filter { $0 > now }
                now = try #require((starts + [budget.nextMoment(after: now)].compactMap(\.self)).min())
            }
        }
        return outcome
    }

    @Test(arguments: [true, false]) func `a single app gets its code at once`(isNewBox: Bool) throws {
        let outcome = try run(1, isNewBox: isNewBox)
        #expect(outcome.codes == [.zero] && outcome.failures == 0)
    }

    @Test(arguments: [2, 3, 4, 5])
    func `each app gets its code as soon as the rate allows, and no call fails`(count: Int) throws {
        let outcome = try run(count)
        #expect(outcome.failures == 0)
        #expect(outcome.codes.count == count)
        #expect(outcome.longestCall < Self.callTime, "\(outcome.longestCall)")
        let requests = count * Self.calls.reduce(0) { $0 + $1.count }
        #expect(outcome.codes.last == .milliseconds(1050) * max(0, requests - 9))
    }

    @Test(arguments: [6, 10, 20]) func `with more apps each app gets its code too, sometimes after a repeated call`(
        count: Int
    ) throws {
        let outcome = try run(count)
        #expect(outcome.codes.count == count && outcome.failures > 0)
        #expect(outcome.codes.last == .milliseconds(1050) * (5 * count - 9), "repeated calls need no more requests")
    }
}
