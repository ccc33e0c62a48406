// Types of values that name a source: `file:PATH`, `command:PATH`, or a word for a built-in source.

import PassBackend
import PassSystem

extension ValueType where Value == DeviceIdentitySource {
    static var deviceIdentity: ValueType {
        ValueType("machine-id | file:PATH | machine-id+file:PATH, with an absolute path") { text in
            text == "machine-id"
                ? .machineID
                : Paths.path(text, after: "file").map(DeviceIdentitySource.file)
                    ?? Paths.path(text, after: "machine-id+file").map(DeviceIdentitySource.machineIDAndFile)
        }
    }
}

extension ValueType where Value == Configuration.SignOn.PlatformIdentity {
    static var platformIdentity: ValueType {
        ValueType("none | device-key | command:PATH with an absolute path") { text in
            switch text {
            case "none": Value.none
            case "device-key": .deviceKey
            default: Paths.path(text, after: "command").map(Value.command)
            }
        }
    }
}

extension ValueType where Value == Configuration.SignOn.ServiceToken {
    static var serviceToken: ValueType {
        ValueType("none | file:PATH | command:PATH, with an absolute path") { text in
            text == "none"
                ? Value.none
                : Paths.path(text, after: "file").map(Value.file)
                    ?? Paths.path(text, after: "command").map(Value.command)
        }
    }
}

extension ValueType where Value == Configuration.SignOn.Partner {
    static var partner: ValueType {
        ValueType("none | command:PATH with an absolute path") { text in
            text == "none" ? Value.none : Paths.path(text, after: "command").map(Value.command)
        }
    }
}

extension ValueType where Value == String {
    /// A word that becomes part of an address.
    static var serviceWord: ValueType {
        ValueType("1 to 64 letters, digits, hyphens and underscores") { text in
            let isWord = text.utf8.allSatisfy { Paths.isLetterOrDigit($0) || [0x2D, 0x5F].contains($0) }
            return isWord && (1...64).contains(text.utf8.count) ? text : nil
        }
    }
}

extension ValueType where Value == Origin {
    /// The origin as text in its shortest spelling, so that another spelling of the same origin is not a change.
    var text: ValueType<String> {
        let read = read
        return ValueType<String>(form) { text throws(ValueFault) in try read(text).description }
    }
}

extension ValueType where Value == String {
    /// A path that fits into a socket's address. The path of the admin socket in the same directory has to fit, too.
    static var socketPath: ValueType {
        ValueType("an absolute path of at most 107 bytes that does not end in /admin.sock") { text in
            let folder = text.lastIndex(of: "/").map { text[...$0].utf8.count } ?? 0
            guard Paths.isAbsolute(text, limit: 107), folder + 10 <= 107, !text.hasSuffix("/"),
                !text.hasSuffix("/admin.sock")
            else { return nil }
            return text
        }
    }
}
