// Tests that identical pending reads are one request, and that sharing never makes a caller wait longer.

import AccessEnabler
import PassProtocol
import PassTestTools
import Synchronization
import Testing

@testable import PassBackend

@Suite("rest-v2.md §15: identical pending calls are shared") struct BackendSharingTests {
    private func box() throws -> Box {
        try Box { request, _ in request.url.path.hasPrefix("/api/") ? .held : nil }
    }

    @Test func `the same read from ten apps is one request`() async throws {
        let box = try box()
        let callers = (0..<10).map { _ in Task { try await box.backend.profiles(.all, box.caller()) } }
        let others = [box.caller(requestor: "OTHER"), box.caller(app: "other")].map { caller in
            Task { try await box.backend.profiles(.all, caller) }
        }
        await eventually { box.service.heldCount == 3 && box.backend.parts.profileLists.waiterCount == 12 }
        box.service.release(.answer(200, Sample.profile))
        for caller in callers + others { #expect(try await caller.value.count == 1) }
        #expect(box.service.calls.count == 3)
    }

    @Test func `different parameters make another request`() async throws {
        let box = try box()
        var visitor = box.caller()
        visitor.options.texts[.visitorID] = "ecid"
        var device = box.caller()
        device.device = DeviceID(rawValue: "other")
        var information = box.caller()
        information.options.texts[.deviceInfo] = "e30="
        let tasks = [box.caller(), visitor, device, information].map { caller in
            Task { try await box.backend.profiles(.all, caller) }
        }
        await eventually { box.service.heldCount == 4 }
        box.service.release(.answer(200, Sample.nobody))
        for task in tasks { _ = try await task.value }
    }

    @Test func `a caller with a short deadline leaves, and a caller with a longer deadline gets the answer`()
        async throws
    {
        let box = try box()
        let hasty = Task { try await box.backend.profiles(.all, box.caller(within: .seconds(2))) }
        await eventually { box.service.heldCount == 1 }
        let patient = Task { try await box.backend.profiles(.all, box.caller(within: .seconds(100))) }
        await eventually { box.backend.parts.profileLists.waiterCount == 2 }
        box.clock.advance(by: .seconds(3))
        await #expect(throws: BackendFault.self) { try await hasty.value }
        #expect(box.service.cancellations == 0)
        box.service.release(.answer(200, Sample.profile))
        #expect(try await patient.value.count == 1)
        #expect(box.service.calls.count == 1)
    }

    @Test func `the shared request has the latest deadline of its callers`() async throws {
        let box = try box()
        let hasty = Task { try await box.backend.profiles(.all, box.caller(within: .milliseconds(500))) }
        await eventually { box.service.heldCount == 1 }
        let patient = Task { try await box.backend.profiles(.all, box.caller(within: .seconds(100))) }
        await eventually { box.backend.parts.profileLists.waiterCount == 2 }
        let pause = box.clock.now + .seconds(1)
        box.service.follow { request, _ in request.url.path.hasPrefix("/api/") ? .answer(200, Sample.profile) : nil }
        box.service.release(.answer(503, ""))
        await eventually { box.clock.isSet(for: pause) }
        box.clock.advance(to: pause)
        await #expect(throws: BackendFault.self) { try await hasty.value }
        #expect(try await patient.value.count == 1)
        #expect(box.service.calls.count == 2)
    }

    @Test func `a request without callers is cancelled`() async throws {
        let box = try box()
        let callers = (0..<3).map { _ in Task { try await box.backend.providers(box.caller()) } }
        await eventually { box.service.heldCount == 1 && box.backend.parts.providerLists.waiterCount == 3 }
        for caller in callers { caller.cancel() }
        for caller in callers { await #expect(throws: BackendFault.self) { try await caller.value } }
        await eventually { box.service.cancellations == 1 }
        await eventually { box.clock.alarmCount == 0 }
    }

    @Test func `a registration continues after the first caller's deadline, for callers with a later one`() async throws
    {
        let box = try Box { request, _ in
            request.url.path == ScriptedService.registration
                ? .held : request.url.path.hasPrefix("/api/") ? .answer(200, Sample.profile) : nil
        }
        let hasty = Task { try await box.backend.profiles(.all, box.caller(within: .seconds(1))) }
        await eventually { box.service.heldCount == 1 && box.clock.alarmCount == 2 }
        let patient = Task { try await box.backend.profiles(.all, box.caller(within: .seconds(100))) }
        await eventually { box.clock.alarmCount == 3 }
        box.clock.advance(by: .seconds(1))
        #expect(try await Box.fault(of: hasty) == .deadline)
        box.service.release(.answer(201, #"{"client_id": "one", "client_secret": "s"}"#))
        #expect(try await patient.value.count == 1)
        #expect(box.service.registrations == 1)
    }

    @Test func `callers with a passed deadline leave no data behind`() async throws {
        let box = try box()
        let late = box.caller(within: .zero)
        for _ in 0..<3 { #expect(try await box.fault { try await box.backend.profiles(.all, late) } == .deadline) }
        let cancelled = Task { try await box.backend.profiles(.all, box.caller()) }
        cancelled.cancel()
        await #expect(throws: BackendFault.self) { try await cancelled.value }
        await eventually { box.backend.parts.profileLists.count == 0 }
    }

    @Test func `a read after a logout does not get the answer to an earlier read`() async throws {
        let box = try Box { request, _ in
            request.url.path.hasSuffix("/profiles")
                ? .held : request.url.path.contains("/logout/") ? .answer(200, #"{"logouts": {}}"#) : nil
        }
        let before = Task { try await box.backend.profiles(.all, box.caller()) }
        await eventually { box.service.heldCount == 1 }
        _ = try await box.backend.logout(north, box.caller())
        let after = Task { try await box.backend.profiles(.all, box.caller()) }
        await eventually { box.service.heldCount == 2 }
        box.service.release(.answer(200, Sample.nobody))
        for task in [before, after] { _ = try await task.value }
    }
}
