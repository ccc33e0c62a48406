// The two system calls of the listener that need a free descriptor. Tests replace these calls with failing ones.

import CLinux
import Dispatch
import Glibc

struct ListenerSystem: Sendable {
    enum Accepted: Sendable, Equatable {
        case accepted(Int32)
        /// No client is waiting.
        case none
        /// This client is gone. Another client may be waiting.
        case again
        /// passd has no descriptor or no memory for the client.
        case exhausted(Int32)
        case failed(Int32)
    }

    var accept: @Sendable (Int32) -> Accepted = { number in
        let client = pass_accept(number)
        if client >= 0 { return .accepted(client) }
        return switch errno {
        case EAGAIN: .none
        case EINTR, ECONNABORTED, EPROTO: .again
        case EMFILE, ENFILE, ENOMEM, ENOBUFS: .exhausted(errno)
        default: .failed(errno)
        }
    }

    var openReserve: @Sendable () -> Int32 = { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    var pause: DispatchTimeInterval = .milliseconds(100)
}
