// Events for whoever subscribed: numbered without gaps, and a subscriber that falls behind is told so and closed.
// rpc.md §6.

import AccessEnabler
import PassJSON
import PassProtocol

@EngineActor final class EventHub {
    /// What may wait for a subscriber that does not read.
    private static let longestBacklog = 1 << 20

    private let clock: any EngineClock
    private(set) var sequence: Int64 = 0
    private var subscribers: [ObjectIdentifier: ConnectedClient] = [:]
    /// Telling one event may end a connection, which is an event again: that one waits until everybody has the first.
    private var untold: [Event] = []
    private var isTelling = false

    init(clock: any EngineClock) { self.clock = clock }

    func subscribe(_ client: ConnectedClient, _ types: [EventType]?) {
        client.subscription = Set(types ?? EventType.allCases)
        subscribers[ObjectIdentifier(client)] = client
    }

    func unsubscribe(_ client: ConnectedClient) {
        client.subscription = nil
        subscribers[ObjectIdentifier(client)] = nil
    }

    /// Those who may not watch any more.
    func dismiss(_ mayNot: (ConnectedClient) -> Bool) {
        for client in subscribers.values.filter(mayNot) {
            unsubscribe(client)
            client.connection.finish(.requested("policy no longer allows it to observe"))
        }
    }

    func tell(_ type: EventType, _ data: JSONObject) {
        sequence += 1
        untold.append(Event(sequence: sequence, type: type, time: clock.wall.milliseconds, data: data))
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while !untold.isEmpty { send(untold.removeFirst()) }
    }

    private func send(_ event: Event) {
        for client in subscribers.values where client.subscription?.contains(event.type) == true {
            guard client.connection.backlog <= Self.longestBacklog else {
                unsubscribe(client)
                let overrun = Event(sequence: event.sequence, type: .overrun, time: event.time, data: JSONObject())
                client.connection.notify(.event(overrun))
                client.connection.drain(.requested("a subscriber fell behind"))
                continue
            }
            client.connection.notify(.event(event))
        }
    }

    func tell(_ event: EngineEvent) {
        guard let (type, data) = Self.shape(event) else { return }
        tell(type, data)
    }

    /// Nil for what is the journal's alone.
    private static func shape(_ event: EngineEvent) -> (EventType, JSONObject)? {
        func object(_ members: [(String, JSONValue?)]) -> JSONObject {
            JSONObject(members.compactMap { name, value in value.map { (name, $0) } })
        }
        switch event {
        case .requestor(let session, let requestor):
            return (.requestor, object([("session", .int(session)), ("requestorID", .string(requestor.rawValue))]))
        case .loginOpened(let requestor, let provider, let expires):
            return (
                .loginOpened,
                object([
                    ("requestorID", .string(requestor.rawValue)), ("provider", provider.map { .string($0.rawValue) }),
                    ("expires", .int(expires.milliseconds)),
                ])
            )
        case .loginClosed(let requestor, let provider, let outcome):
            return (
                .loginClosed,
                object([
                    ("requestorID", .string(requestor.rawValue)), ("provider", provider.map { .string($0.rawValue) }),
                    ("outcome", .string(outcome.rawValue)),
                ])
            )
        case .authentication(let requestor, let provider, let isAuthenticated, let reason):
            return (
                .authentication,
                object([
                    ("requestorID", .string(requestor.rawValue)), ("provider", provider.map { .string($0.rawValue) }),
                    ("authenticated", .bool(isAuthenticated)), ("reason", reason.map { .string($0.rawValue) }),
                ])
            )
        // No answer is no event.
        case .authorization(_, _, _, _, .undecided): return nil
        case .authorization(_, let requestor, let provider, let resource, let verdict):
            return (
                .authorization,
                object([
                    ("requestorID", .string(requestor.rawValue)), ("provider", .string(provider.rawValue)),
                    ("resource", .string(resource.rawValue)), ("authorized", .bool(verdict == .permitted)),
                ])
            )
        case .preauthorization, .store, .status: return nil
        }
    }
}
