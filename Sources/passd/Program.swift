// The daemon's start: reads flags and configuration, installs the signal handlers, and starts the daemon. Everything
// else runs on queues.

import AccessEnabler
import Dispatch
import Glibc
import PassArguments
import PassConfiguration
import PassProtocol
import PassServer
import PassSystem
import PassWire

/// Prints the text and ends the process. An answer goes to standard output, everything else to standard error. Control
/// characters from files are removed.
private func end(_ status: ExitCode, _ text: String) -> Never {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }
    _ = Descriptors.write(lines.joined(separator: "\n"), to: status == .done ? STDOUT_FILENO : STDERR_FILENO)
    // The reason for `_exit` instead of `exit` is at the end of `Daemon.stop`.
    _exit(status.rawValue)
}

/// The directory at which relative paths in flags begin.
private func workingDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
}

private func run(_ options: Invocation.Options) -> Never {
    Heap.share()
    TaskQueue.install()
    Hardening.forbidMemoryDumps()
    DescriptorLimit.raise()
    let credentials = Credentials.inherited()
    let resources = StanzaResources.live(credentials: credentials)
    let loaded = options.load(resources)
    guard loaded.isUsable else { end(.configuration, ConfigurationCheck(loaded).text) }
    let activation: SocketActivation
    do throws(SocketActivation.Fault) { activation = try .take() } catch {
        end(.configuration, "passd: \(error.description)\n")
    }
    let journal = Journal(level: loaded.configuration.daemon.logLevel)
    CrashReport.install(for: "passd", as: .crashed, goesToJournal: journal.goesToJournal)
    EngineActor.queue.async {
        EngineActor.assumeIsolated {
            begin(
                options, loaded: loaded, resources: resources, journal: journal, credentials: credentials,
                activation: activation)
        }
    }
    dispatchMain()
}

@EngineActor private func begin(
    _ options: Invocation.Options, loaded: LoadedConfiguration, resources: StanzaResources, journal: Journal,
    credentials: Credentials, activation: SocketActivation
) {
    do throws(Daemon.Failure) {
        let daemon = try Daemon(
            options, loaded: loaded, resources: resources, journal: journal, credentials: credentials)
        daemon.turns = EngineActor.turns.startTurns(of: EngineActor.queue)
        daemon.signals = SignalSources(queue: EngineActor.queue) { signal in
            EngineActor.assumeIsolated { daemon.obey(signal) }
        }
        Task { @EngineActor in
            do throws(Daemon.Failure) {
                try await daemon.start(activation)
            } catch {
                end(error.status, "passd: \(error.description)\n")
            }
        }
    } catch {
        end(error.status, "passd: \(error.description)\n")
    }
}

package enum Program {
    /// Runs the daemon with the arguments of the process, and ends the process.
    package static func main() -> Never {
        do throws(Mistake) {
            switch try Invocation(ProgramArguments.all.dropFirst(), workingDirectory: workingDirectory()) {
            case .answer(let text): end(.done, text)
            case .checkConfiguration(let options):
                let check = ConfigurationCheck(
                    options.load(.live(credentials: .inherited())), searched: options.files.places,
                    isStrict: options.isStrict)
                end(check.status, check.text)
            case .run(let options): run(options)
            }
        } catch {
            end(.usage, "passd: \(error.description)\n")
        }
    }
}
