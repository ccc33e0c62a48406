// The functions by which the reader of app stanzas looks at the machine: accounts, files and statements. Tests replace these
// functions.

package import AccessEnabler
import Glibc
package import PassSystem

package struct StanzaResources: Sendable {
    package var user: @Sendable (String) -> UInt32?
    package var group: @Sendable (String) -> UInt32?
    /// Looks up the groups of a user, who need not be connected.
    package var groups: @Sendable (UInt32) -> Set<UInt32>
    /// Called with each path before passd asks the path's file system, so that the path is known if the file system never
    /// answers.
    package var willAsk: @Sendable (String) -> Void = { _ in }
    /// Returns the reason why the file is unusable for this purpose; nil if it is usable.
    package var fileFault: @Sendable (String, FileUse) -> String? = { _, _ in nil }
    /// The box's date.
    package var now: @Sendable () -> ServerTime = { ServerTime(milliseconds: 0) }
    package var readStatement: @Sendable (SoftwareStatement.Source) -> Result<[UInt8], SoftwareStatement.Fault>

    package static func live(credentials: Credentials) -> StanzaResources {
        StanzaResources(
            user: Accounts.user, group: Accounts.group, groups: Accounts.groups,
            fileFault: { path, use in use.fault(of: path) },
            now: {
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                return ServerTime(milliseconds: Int64(now.tv_sec) * 1000)
            },
            readStatement: { source in
                switch source {
                case .file(let path):
                    do throws(TextFile.Fault) {
                        return .success(try TextFile.read(path, limit: SoftwareStatement.maxBytes))
                    } catch {
                        return .failure(SoftwareStatement.Fault(error.description))
                    }
                case .credential(let name):
                    do throws(Credentials.Fault) { return .success(try credentials.contents(of: name)) } catch {
                        let isUnknown = error == .missing && !credentials.arePassed
                        return .failure(SoftwareStatement.Fault(describe(error), isCertain: !isUnknown))
                    }
                }
            })
    }

    private static func describe(_ fault: Credentials.Fault) -> String {
        switch fault {
        case .badName: "is not the name of a credential"
        case .missing: "was not passed to the daemon; the unit needs LoadCredential="
        case .notAFile: "is not a file"
        case .tooLarge(let limit): "is larger than \(limit) bytes"
        case .unreadable(let reason): "cannot be read: " + String(cString: strerror(reason))
        }
    }
}
