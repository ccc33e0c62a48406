// Takes the token from a file. The file is read again after it was replaced or changed.

package import AccessEnabler
import Glibc
import PassSystem
import Synchronization

package final class TokenFile: TokenSource {
    /// Facts about a file. A change of the content also changes these facts.
    private struct Facts: Equatable {
        var device: UInt
        var inode: UInt
        var size: Int
        var modified: [Int]
        var changed: [Int]

        init?(_ path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            device = UInt(facts.st_dev)
            inode = UInt(facts.st_ino)
            size = Int(facts.st_size)
            modified = [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec]
            changed = [facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec]
        }
    }

    private struct Known {
        var facts: Facts
        var content: Result<SignOnToken, SignOnToken.Fault>
    }

    private static let maxBytes = 16 << 10

    package struct Reading: Sendable {
        let token: Secret?
        /// The reason why there is no token.
        let reason: String?
    }

    /// Calls the closure on a separate thread, because a file system may never answer. Returns nil after a timeout.
    package typealias Asking = @Sendable (@escaping @Sendable () -> Reading) async -> Reading?

    private let path: String
    private let ask: Asking
    private let trouble: TokenTrouble
    private let known = Mutex<Known?>(nil)

    package init(_ path: String, _ report: @escaping @Sendable (String) -> Void, ask: @escaping Asking) {
        self.path = path
        self.ask = ask
        trouble = TokenTrouble(report)
    }

    package func token(at time: ServerTime) async -> Secret? {
        let reading = await ask { [self] in read(at: time) }
        trouble.now(reading.map(\.reason) ?? "its file system does not answer")
        return reading?.token
    }

    private func read(at time: ServerTime) -> Reading {
        known.withLock { known in
            do throws(TextFile.Fault) {
                switch try content(&known, time) {
                case .success(let token) where token.isGood(at: time): return Reading(token: token.text, reason: nil)
                case .success: return Reading(token: nil, reason: SignOnToken.Fault.expired.description)
                case .failure(let fault): return Reading(token: nil, reason: fault.description)
                }
            } catch {
                known = nil
                return Reading(token: nil, reason: error.description)
            }
        }
    }

    private func content(
        _ known: inout Known?, _ time: ServerTime
    ) throws(TextFile.Fault) -> Result<SignOnToken, SignOnToken.Fault> {
        // Reads the facts before the content. If the file changes in between, the next call notices the change.
        let facts = Facts(path)
        if let known, known.facts == facts { return known.content }
        let bytes = try TextFile.read(path, limit: Self.maxBytes)
        let content: Result<SignOnToken, SignOnToken.Fault>
        do throws(SignOnToken.Fault) { content = .success(try SignOnToken(bytes, at: time)) } catch {
            content = .failure(error)
        }
        known = facts.map { Known(facts: $0, content: content) }
        return content
    }
}
