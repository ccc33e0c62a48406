// Numbers events and sends them to the clients that subscribed. The numbers have no gaps. A subscriber that falls behind gets
// an `overrun` event and is closed. rpc.md §6.

import AccessEnabler
import PassJSON
import PassProtocol
import PassSystem
import PassWire

@EngineActor final class EventHub {
    /// The max number of unread bytes of a subscriber.
    private static let maxBacklog = 1 << 20

    private let clock: any EngineClock
    private(set) var sequence: Int64 = 0
    private var subscribers: [ObjectIdentifier: ConnectedClient] = [:]
    /// Events that wait until all subscribers have the present event. They occur because sending an event may close a
    /// connection, and this causes another event.
    private var untold: [Event] = []
    private var isTelling = false
    /// The denied calls of the present minute.
    private var denials: (since: BootTime, count: Int)?

    init(clock: any EngineClock) { self.clock = clock }

    func subscribe(_ client: ConnectedClient, _ types: [EventType]?) {
        client.subscription = Set(types ?? EventType.allCases)
        subscribers[ObjectIdentifier(client)] = client
    }

    func unsubscribe(_ client: ConnectedClient) {
        client.subscription = nil
        subscribers[ObjectIdentifier(client)] = nil
    }

    /// If `mayNot` is true for a client, ends its subscription and closes its connection.
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
            if event.type == .denied, client.socket != .admin { continue }
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

    func tell(_ event: EngineEvent, _ form: EventForm, app: String?, client: ConnectedClient?) {
        if case .preauthorization(let hints) = event.kind {
            for hint in hints.filter({ $0.verdict != .permitted }).prefix(Self.maxHints) {
                tell(.hint, EventForm.data(of: hint, in: event))
            }
        } else if let type = form.type {
            tell(type, form.data(Self.caller(app, client?.introduction)))
        }
    }

    /// Tells operators about a denied call. Apps do not learn of it, because the reason can quote other apps' stanzas. The number
    /// per minute and the sizes have limits, because any process of the box can cause these events.
    func tell(_ audit: Audit) {
        let now = clock.boot
        if denials.map({ $0.since.duration(to: now) >= .seconds(60) }) ?? true { denials = (now, 0) }
        denials?.count += 1
        guard let count = denials?.count, count <= Self.maxDenials else { return }
        let data: [(String, JSONValue?)] = [
            ("session", .int(audit.session)), ("method", .string(audit.method)),
            ("requestorID", audit.requestor.map { .string(DecisionLog.name($0)) }),
            ("reason", .string(DecisionLog.text(audit.rule))),
        ]
        tell(.denied, EventForm.object(data + Self.caller(audit.app, audit.client)))
    }

    private static func caller(_ app: String?, _ client: String?) -> [(String, JSONValue?)] {
        [("app", app.map(JSONValue.string)), ("client", client.map(JSONValue.string))]
    }

    /// The max number of events about denied calls in a minute.
    private static let maxDenials = JournalEvent.decisions
    /// The max number of hints in the events of one preauthorization.
    private static let maxHints = 64
}
