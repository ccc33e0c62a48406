// Writes phases, effects and outcomes of the login flow as text, for the tests of the flow.

import PassProtocol

@testable import AccessEnabler

extension AuthenticationFlowTests {
    func name(_ phase: AuthenticationFlow.Phase) -> String {
        switch phase {
        case .idle: "idle"
        case .listing: "listing"
        case .onPlatform: "on the platform"
        case .choosing: "choosing"
        case .beginning(let provider): "beginning \(provider)"
        case .secondScreen: "second screen"
        case .browser: "browser"
        case .completing: "completing"
        }
    }

    func name(_ effect: AuthenticationEffect) -> String {
        switch effect {
        case .status(.authenticated, let outcome): "status 1\(name(outcome))"
        case .status(let code, let outcome): "status 0 \(code.rawValue)\(name(outcome))"
        case .report(let status): "report \(status.rawValue)"
        case .tellReplaced(let outcome): "tell replaced\(name(outcome))"
        case .track(.authentication(let provider, let isCached)): "track \(provider)\(isCached ? " cached" : "")"
        case .track(.authenticationFailed): "track failed"
        case .track(.selection(let provider)): "track selection \(provider)"
        case .fetchProviders: "fetch providers"
        case .signOnWithPlatform: "sign on with the platform"
        case .reportPlatform(let obstacle): "report \(obstacle)"
        case .showProviders(let providers): "show " + providers.map(\.id.rawValue).joined(separator: " ")
        case .select(let provider): "select \(provider)"
        case .deselect: "deselect"
        case .remember(let canAuthenticate): "remember \(canAuthenticate)"
        case .beginLogin(let request, _): "begin \(request.provider?.rawValue ?? "-")"
        case .showCode(let login): "show code \(login.code)"
        case .navigate(let login): "navigate \(login.code)"
        case .navigateAgain(let login): "navigate again \(login.code)"
        case .watch(let login): "watch \(login.code)"
        case .leaveLogin: "stop polling"
        case .complete(let login): "complete \(login.code)"
        case .refreshProfile(let provider): "refresh \(provider)"
        case .authorize(let resource, _): "authorize \(resource)"
        }
    }
    func name(_ outcome: LoginOutcome?) -> String {
        guard let outcome else { return "" }
        return [outcome.kind.rawValue, outcome.cause?.rawValue, outcome.code].compactMap(\.self)
            .map { " \($0)" }.joined()
    }
}
