// What a program that the daemon starts may know: where programs are, which language, and what the service manager says of
// the user. Credentials, sockets and the manager's own channels stay with the daemon.

import Glibc

public enum ProgramEnvironment {
    private static let names = ["PATH", "LANG", "HOME", "LOGNAME", "USER", "INVOCATION_ID"]
    private static let standard = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]

    /// Of this process, what passes on.
    public static func inherited() -> [String: String] {
        var environment = standard
        for name in names { if let value = getenv(name) { environment[name] = String(cString: value) } }
        return environment
    }
}
