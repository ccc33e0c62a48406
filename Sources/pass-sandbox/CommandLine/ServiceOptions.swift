// The options of the verbs that run the service.

import PassArguments
import PassSandbox

func sandboxOptions(_ arguments: Arguments) throws -> SandboxOptions {
    var options = SandboxOptions(catalogue: "")
    if let text = arguments[.listen] {
        guard let address = ListenAddress(text) else {
            throw Failure(
                .usage, "--listen \(text): should be an address and a port, such as 127.0.0.1:8642 or [::1]:8642")
        }
        options.listen = address
    }
    options.seed = try seed(arguments)
    options.throttled = !arguments.has(.noThrottle)
    options.isForeign = arguments.has(.foreign)
    if let text = arguments[.publicURL] { options.publicURL = try ServerURL(option: .publicURL, text).origin }
    if let text = arguments[.requestTime] {
        guard let time = Duration(written: text), .seconds(1)...(.seconds(3600)) ~= time else {
            throw Failure(.usage, "--request-time \(text): should be a time from 1s to 60m, such as 20s")
        }
        options.limits.requestTime = time / .seconds(1)
        options.limits.silence = min(options.limits.silence, Int(options.limits.requestTime))
    }
    options.catalogue = try cataloguePath(arguments)
    return options
}
