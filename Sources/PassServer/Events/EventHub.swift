// Numbers events and sends them to the clients that subscribed. The numbers have no gaps; a subscriber that falls
// behind gets an `overrun` event and is closed. rpc.md §6.

import AccessEnabler
import PassJSON
import PassProtocol
import PassWire

@EngineActor final class EventHub {
    /// The max number of unread bytes of a subscriber.
    private static let maxBacklog = 1 << 20

    private let clock: any EngineClock
    private(set) var sequence: Int64 = 0
    private var subscribers: [ObjectIdentifier: ConnectedClient] = [:]
    /// Events that wait until all subscribers have the present one. Sending an event may close a connection, which is a
    /// further event.
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

    /// Ends the subscriptions and closes the connections of the clients for which `mayNot` returns true.
    func dismiss(_ mayNot: (ConnectedClient) -> Bool) {
        for client in subscribers.values.filter(mayNot) {
            unsubscribe(client)
            client.connection.finish(.requested("policy no longer lets it receive events"))
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
        guard !subscribers.isEmpty else { return }
        let callback = WrittenCallback(.event(event))
        for client in subscribers.values where client.subscription?.contains(event.type) == true {
            guard client.connection.backlog <= Self.maxBacklog else {
                unsubscribe(client)
                let overrun = Event(sequence: event.sequence, type: .overrun, time: event.time, data: JSONObject())
                client.connection.notify(.event(overrun))
                client.connection.drain(.requested("a subscriber fell behind"))
                continue
            }
            client.connection.notify(callback)
        }
    }

    func tell(_ event: EngineEvent) {
        if case .preauthorization(_, let requestor, let provider, let hints) = event {
            for hint in hints.filter({ $0.verdict != .permitted }).prefix(Self.maxHints) {
                tell(.hint, Self.shape(hint, requestor: requestor, provider: provider))
            }
        } else if let (type, data) = Self.shape(event) {
            tell(type, data)
        }
    }

    /// The max number of hints of one menu that are sent.
    private static let maxHints = 64

    private static func object(_ members: [(String, JSONValue?)]) -> JSONObject {
        JSONObject(members.compactMap { name, value in value.map { (name, $0) } })
    }

    private static func members(_ cause: EngineEvent.Cause) -> [(String, JSONValue?)] {
        [
            ("source", cause.source.map { .string($0) }), ("code", cause.code.map { .string($0) }),
            ("trace", cause.trace.map { .string($0) }), ("text", cause.text.map { .string($0) }),
        ]
    }

    private static func shape(
        _ hint: EngineEvent.Hint, requestor: RequestorID, provider: ProviderID
    ) -> JSONObject {
        object(
            [
                ("requestorID", .string(requestor.rawValue)), ("provider", .string(provider.rawValue)),
                ("resource", .string(hint.resource.rawValue)), ("outcome", .string(hint.verdict.rawValue)),
            ] + members(hint.cause))
    }

    /// The event as subscribers see it; nil for events that only the journal records.
    private static func shape(_ event: EngineEvent) -> (EventType, JSONObject)? {
        switch event {
        case .requestor(let session, let requestor):
            return (.requestor, object([("session", .int(session)), ("requestorID", .string(requestor.rawValue))]))
        case .loginOpened(let requestor, let provider, let expires):
            return (
                .loginOpened,
                object([
                    ("requestorID", .string(requestor.rawValue)), ("provider", provider.map { .string($0.rawValue) }),
                    ("expires", .int(expires)),
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
        case .signedIn(let requestor, let provider, let reason):
            return (
                .authentication,
                object([
                    ("requestorID", .string(requestor.rawValue)), ("provider", .string(provider.rawValue)),
                    ("authenticated", true), ("reason", reason.map { .string($0.rawValue) }),
                ])
            )
        case .signedOut(let requestor, let provider, let cause, let by):
            return (
                .authentication,
                object([
                    ("requestorID", .string(requestor.rawValue)), ("provider", .string(provider.rawValue)),
                    ("authenticated", false), ("reason", .string(cause.rawValue)), ("by", by.map { .string($0) }),
                ])
            )
        case .authorization(_, let requestor, let provider, let resource, let verdict, let cause):
            return (
                .authorization,
                object(
                    [
                        ("requestorID", .string(requestor.rawValue)),
                        ("provider", provider.map { .string($0.rawValue) }),
                        ("resource", .string(resource.rawValue)), ("authorized", .bool(verdict == .permitted)),
                        ("outcome", .string(verdict.rawValue)),
                        ("decidedBy", cause.decider.map { .string($0.rawValue) }),
                    ] + members(cause))
            )
        // Operators get these as a warning and in `doctor`.
        case .logoutRefused, .loginFailed: return nil
        case .requestorFailed(let session, let requestor, let cause):
            return (
                .requestorFailed,
                object(
                    [("session", .int(session)), ("requestorID", .string(requestor.rawValue))] + members(cause))
            )
        case .preauthorization, .store, .status: return nil
        }
    }
}
