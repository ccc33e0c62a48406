// The environment of programs that the daemon starts. It has the path, the language, and the service manager's variables about
// the user. Credentials, sockets and the manager's own channels are not passed on.

import Glibc

public enum ProgramEnvironment {
    private static let names = ["PATH", "LANG", "HOME", "LOGNAME", "USER", "INVOCATION_ID"]
    private static let standard = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]

    /// The part of this process's environment that is passed on.
    public static func inherited() -> [String: String] {
        var environment = standard
        for name in names { if let value = getenv(name) { environment[name] = String(cString: value) } }
        return environment
    }
}
