// The options that an app has set by `setOptions`. Each call replaces only what it names. Contract:
// access-enabler.md §5.3.

import PassProtocol

struct SessionOptions: Sendable {
    var visitorID: String?
    var deviceInfo: String?
    var applicationProfile: String?
    var style = LoginStyle.secondScreen
    /// The app opens the secure browser itself. Contract: access-enabler.md §7.5.
    var handlesSecureBrowser = false
    var wantsCallbacks = true

    mutating func apply(_ params: SetOptions.Params) {
        if let visitorID = params.visitorID { self.visitorID = visitorID.isEmpty ? nil : visitorID }
        if let deviceInfo = params.deviceInfo { self.deviceInfo = deviceInfo.isEmpty ? nil : deviceInfo }
        if let profile = params.applicationProfile { applicationProfile = profile.isEmpty ? nil : profile }
        if let flow = params.flow { style = flow == .browser ? .browser : .secondScreen }
        if let handleSVC = params.handleSVC { handlesSecureBrowser = handleSVC }
        if let callbacks = params.callbacks { wantsCallbacks = callbacks }
    }
}
