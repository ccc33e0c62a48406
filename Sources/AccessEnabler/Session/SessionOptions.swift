// The options that an app has set with `setOptions`. A call replaces the options that it names, and an empty text
// removes one. The session owns them. Contract: access-enabler.md §5.3.

import PassProtocol

struct SessionOptions: Sendable {
    var visitorID: String?
    var deviceInfo: String?
    var applicationProfile: String?
    /// Where the viewer logs in: on a second screen with a code, or in a browser of the app.
    var style = LoginStyle.secondScreen
    /// Whether the app can open the secure browser itself. Contract: access-enabler.md §7.5.
    var handlesSecureBrowser = false
    /// Without it the session writes no callbacks, and answers alone tell what happened.
    var wantsCallbacks = true
    /// How QR codes come along with codes; nil if they do not.
    var qr: QRForm?

    mutating func apply(_ params: SetOptions.Params) {
        if let visitorID = params.visitorID { self.visitorID = visitorID.isEmpty ? nil : visitorID }
        if let deviceInfo = params.deviceInfo { self.deviceInfo = deviceInfo.isEmpty ? nil : deviceInfo }
        if let profile = params.applicationProfile { applicationProfile = profile.isEmpty ? nil : profile }
        if let flow = params.flow { style = flow == .browser ? .browser : .secondScreen }
        if let handleSVC = params.handleSVC { handlesSecureBrowser = handleSVC }
        if let callbacks = params.callbacks { wantsCallbacks = callbacks }
        if let wish = params.qr { qr = wish }
    }
}
