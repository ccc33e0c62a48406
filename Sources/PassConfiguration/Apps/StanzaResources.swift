// What app stanzas need of the machine: accounts by their names, and the bytes of a statement.

import Glibc
import PassSystem

package struct StanzaResources: Sendable {
    package var user: @Sendable (String) -> UInt32?
    package var group: @Sendable (String) -> UInt32?
    /// The groups of a user that is not connected.
    package var groups: @Sendable (UInt32) -> Set<UInt32>
    package var statement: @Sendable (SoftwareStatement.Source) -> Result<[UInt8], SoftwareStatement.Fault>

    package static func live(credentials: Credentials) -> StanzaResources {
        StanzaResources(
            user: Accounts.user, group: Accounts.group, groups: Accounts.groups,
            statement: { source in
                switch source {
                case .file(let path):
                    do throws(TextFile.Fault) {
                        return .success(try TextFile.read(path, limit: SoftwareStatement.mostBytes))
                    } catch {
                        return .failure(SoftwareStatement.Fault(error.description))
                    }
                case .credential(let name):
                    do throws(Credentials.Fault) { return .success(try credentials.contents(of: name)) } catch {
                        return .failure(SoftwareStatement.Fault(describe(error)))
                    }
                }
            })
    }

    private static func describe(_ fault: Credentials.Fault) -> String {
        switch fault {
        case .badName: "is not a credential's name"
        case .missing: "was not passed to the daemon; the unit needs LoadCredential="
        case .notAFile: "is not a file"
        case .tooLarge(let limit): "is larger than \(limit) bytes"
        case .unreadable(let reason): "cannot be read: " + String(cString: strerror(reason))
        }
    }
}
