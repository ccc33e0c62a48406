// What an app gets of a login whose box has the right time.

import PassProtocol

@testable import AccessEnabler

extension OpenLogin {
    var invitation: LoginInvitation {
        LoginInvitation(code: code.rawValue, url: page, expires: notAfter.milliseconds)
    }
}
