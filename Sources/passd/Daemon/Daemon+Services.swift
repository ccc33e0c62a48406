// Makes the backend that the configuration asks for. For the facts about the box, see rest-v2.md §3.4.

import AccessEnabler
import Glibc
import PassArguments
import PassBackend
import PassConfiguration
import PassPlatform
import PassServer
import PassSystem
import PassVault
import Synchronization

/// The services that were made so far, for the metrics. May be used from any thread.
final class MeasuredServices: Sendable {
    private let parts = Mutex<[ServiceParts]>([])

    func add(_ service: ServiceParts) -> ServiceParts {
        parts.withLock { $0.append(service) }
        return service
    }

    var load: ServiceLoad { parts.withLock { $0 }.reduce(ServiceLoad()) { $0 + $1.load } }
}

extension Daemon {
    /// Makes the services that the box uses, and the view that the reports have of them.
    func makeServices(
        _ loaded: LoadedConfiguration, vault: Vault, contents: VaultContents, signOn: BoxSignOn
    ) throws(Failure) -> (book: ServiceBook, view: ServiceView) {
        let configuration = loaded.configuration
        let settings = configuration.backend
        let origin = try settings.origin.map { text throws(Failure) in try self.origin(text, "origin") }
        let codes = try settings.codeOrigin.map { text throws(Failure) in try self.origin(text, "regcode-origin") }
        applySites(loaded)
        let burstNote = BurstNote(in: configuration.storage.directory, now: { BoxClock.wall })
        let measured = MeasuredServices()
        let parts: @Sendable (Origin, Origin?) -> ServiceParts = {
            [clock, serviceTime, journal, meter, sites, exchanges] origin, codes in
            var service = ServiceConfiguration(
                origin: origin, codes: codes, http: settings.http, budget: settings.budget,
                device: configuration.device.facts, sites: sites)
            service.device.osVersion = Self.kernelRelease
            // passd's burst is one request smaller than the burst that the service accepts, because the service may count a
            // little differently.
            service.budget.burst = max(1, service.budget.burst - 1)
            service.budget.isNewBox = contents.registrations.isEmpty
            service.budget.oneTimeBurstRemains = burstNote.remaining(of: origin.description)
            let parts = ServiceParts(
                service, vault: vault, registrations: contents.registrations, clock: clock,
                budgetClock: clock.budgetClock(), platform: signOn, digest: { Digest.sha256($0.reveal()) },
                heard: { serviceTime.learn($0, asked: $1) },
                sent: { request in
                    journal.record(request)
                    meter.count(request)
                    exchanges.note { request.described() }
                },
                foundOneTimeBurst: {
                    journal.record(.oneTimeBurst, JournalField("ORIGIN", origin.description))
                    burstNote.note(origin.description)
                })
            return measured.add(parts)
        }
        // All services use the same protocol, without a fallback to the other protocol. rest-v2.md §19 item 2.
        let speak: @Sendable (ServiceParts) -> any EntitlementBackend =
            switch settings.version {
            case .v2: { [journal, meter] in RecordedBackend(V2Backend($0), journal, meter: meter) }
            case .v1:
                { [journal, meter] in
                    RecordedBackend(V1Backend($0, formerLogins: contents.profiles.keys), journal, meter: meter)
                }
            }
        let others: @Sendable (Origin) -> any EntitlementBackend = { speak(parts($0, nil)) }
        let absent = NoService(settings.version)
        var view = ServiceView(load: { measured.load })
        guard let origin else {
            let book = ServiceBook(absent, at: nil, others: settings.serviceProviders, absent: absent, make: others)
            return (book, view)
        }
        let own = parts(origin, codes)
        let book = ServiceBook(
            speak(own), at: origin, others: settings.serviceProviders, absent: absent, make: others)
        view.contact = { own.contact }
        view.look = { deadline throws(BackendFault) in try await own.look(until: deadline) }
        view.pageTrouble = { await own.trouble(ofPage: $0, named: $1, until: $2) }
        return (book, view)
    }

    private func origin(_ text: String, _ key: String) throws(Failure) -> Origin {
        do throws(HTTPFault) { return try Origin(text) } catch {
            throw Failure(description: "[backend] \(key): \(error)", status: .configuration)
        }
    }

    /// Applies the web addresses of the apps, at the start and after a reload.
    func applySites(_ loaded: LoadedConfiguration) {
        let (standard, apps) = Self.sites(loaded)
        sites.replace(standard, apps: apps)
    }

    static func sites(_ loaded: LoadedConfiguration) -> (standard: LoginSite, apps: [AppID: LoginSite]) {
        let apps = loaded.apps.map { (AppID(rawValue: $0.name), $0.site) }
        return (loaded.configuration.backend.site, Dictionary(apps) { _, later in later })
    }

    /// The engine's settings that an operator may choose.
    static func engineSettings(_ loaded: LoadedConfiguration) -> EngineSettings {
        let configuration = loaded.configuration
        var settings = configuration.engine
        settings.secureBrowserProviders = Set(
            configuration.signOn.secureBrowserProviders.map { ProviderID(rawValue: $0) })
        let addresses = ([configuration.backend.site] + loaded.apps.map(\.site)).map(\.redirectURL)
        settings.redirectAddresses = Set(addresses.compactMap { $0.map { String($0.prefix { $0 != "?" }) } })
        return settings
    }

    private nonisolated static var kernelRelease: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
