// The invitation for an app on a box with the right time.

import PassProtocol

@testable import AccessEnabler

extension OpenLogin {
    var invitation: LoginInvitation {
        LoginInvitation(code: code.rawValue, url: page, expires: notAfter.milliseconds)
    }
}
