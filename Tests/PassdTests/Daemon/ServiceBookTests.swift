// Tests lists of services that apps name. The same list in any order is the same service, and lists cannot exhaust the
// memory.

import AccessEnabler
import PassTestKit
import Synchronization
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("access-enabler.md §6.1: several services") struct ServiceBookTests {
    private static let addresses = ["https://a.example", "https://b.example", "https://c.example", "https://d.example"]
    private let book = ServiceBook(NoService(.v2), at: nil, others: Self.addresses, absent: NoService(.v2)) { _ in
        FakeBackend()
    }

    private static func areSame(_ one: (any EntitlementBackend)?, _ other: (any EntitlementBackend)?) -> Bool {
        guard let one, let other else { return false }
        return ObjectIdentifier(one as AnyObject) == ObjectIdentifier(other as AnyObject)
    }

    private static func orders(_ items: [String]) -> [[String]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index -> [[String]] in
            var rest = items
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test func `a list in another order or with repetitions is the same service`() {
        let one = book.service(at: Self.addresses)
        for order in Self.orders(Self.addresses) {
            #expect(Self.areSame(book.service(at: order), one))
            #expect(Self.areSame(book.service(at: order + order), one))
        }
        #expect(book.state.withLock(\.unions.count) == 1)
        let single = book.service(at: ["https://a.example"])
        #expect(Self.areSame(book.service(at: ["https://a.example", "https://a.example/"]), single))
    }

    @Test func `unused lists are dropped, but not those in use`() {
        let names = (0..<8).map { "https://s\($0).example" }
        let book = ServiceBook(NoService(.v2), at: nil, others: names, absent: NoService(.v2)) { _ in FakeBackend() }
        let used = book.service(at: [names[0], names[1]])
        for bits in 3..<256 {
            let list = names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] }
            if list.count > 1 { _ = book.service(at: list) }
        }
        #expect(book.state.withLock(\.unions.count) <= ServiceBook.maxUnused + 2)
        #expect(Self.areSame(book.service(at: [names[1], names[0]]), used))
    }

    @Test func `an app can name neither a thousand services nor a service with a name of a thousand letters`() {
        let long = "https://a.example/" + String(repeating: "/", count: ServiceBook.maxAddressSize)
        let count = ServiceBook.maxAddresses
        #expect(book.service(at: Array(repeating: "https://a.example", count: count)) != nil)
        #expect(book.service(at: Array(repeating: "https://a.example", count: count + 1)) == nil)
        #expect(book.service(at: [long]) == nil)
        #expect(book.service(at: []) == nil)
    }
}
