let configurationEndpoints: [Endpoint] = []
let profileEndpoints: [Endpoint] = []
let decisionEndpoints: [Endpoint] = []
let logoutEndpoints: [Endpoint] = []
let partnerEndpoints: [Endpoint] = []
let signOnServiceEndpoints: [Endpoint] = []
extension World { mutating func forgetDecisions(of owner: Owner, _ mvpd: String) {} }
