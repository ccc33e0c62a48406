// The meanings of a refusal's codes in plain words, with remedies. `passd.decisions` and `passd-cli why` show them. These texts
// are for operators. The service's own message is for developers of apps. The provider's text is for viewers. Contract:
// rest-v2.md §6.2, §6.3; access-enabler.md §13.3, §14.2.

public typealias RefusalReason = (meaning: String, remedy: String)

public enum ReasonTable {
    /// The reason of a code; nil if the code is unknown.
    public static func reason(of code: String) -> RefusalReason? {
        table[code] ?? table[v2Name(code)]
            ?? (code.hasPrefix("invalid_configuration_")
                ? ("The service is not configured for this.", "Tell the programmer of the app.") : nil)
    }

    /// All codes that have a row, for the manual.
    public static let codes = table.keys.sorted()

    /// The REST V2 name of a code. Ported apps know some codes by other names.
    private static func v2Name(_ code: String) -> String {
        let (old, new) = ("authentication_session_", "authenticated_profile_")
        return code.hasPrefix(old) ? new + code.dropFirst(old.count) : code
    }

    private static let again =
        "Try again later. If the problem persists, tell the operator of the service, and "
        + "give the trace."
    private static let signIn = "Sign in again."
    /// A sentence that is added to several remedies.
    private static let remembered = " passd waits 30 seconds before it registers the app with the same statement again."

    private static func row(_ meaning: String, remedy: String) -> RefusalReason { (meaning, remedy) }

    private static let table: [String: RefusalReason] = [
        "authorization_denied_by_mvpd": row(
            "The provider does not permit this play.",
            remedy:
                "Ask the provider. If the provider gave no reason, the viewer's package probably lacks the "
                + "channel, or the app has sent a wrong resource ID."),
        "preauthorization_denied_by_mvpd": row(
            "The provider would not permit this play.",
            remedy:
                "Play the resource to get details. If the provider gives no reason, the viewer's package probably "
                + "lacks the channel, or the app has sent a wrong resource ID."
        ),
        "authorization_denied_by_parental_controls": row(
            "The provider's parental controls do not permit this play.",
            remedy: "Change the viewer's limit at the provider."),
        "authorization_denied_by_degradation_rule": row(
            "The operator of the service has switched permissions off for this provider.",
            remedy: "Wait until the operator of the service switches the permissions on again."),
        "authorization_denied_by_degradation_configuration_change": row(
            "The service gave access by an emergency rule, which has ended.", remedy: signIn),
        "authorization_denied_by_hba_policies": row(
            "The viewer was signed in without a password because the box was at home. The box has left this home.",
            remedy: signIn),
        "authorization_denied_by_session_invalidated": row(
            "The provider has ended the viewer's session.", remedy: signIn),
        "authenticated_profile_missing": row("Nobody is signed in.", remedy: "Sign in."),
        "authenticated_profile_expired": row("The viewer's login has expired.", remedy: signIn),
        "authenticated_profile_invalidated": row("The provider has ended the viewer's login.", remedy: signIn),
        "identity_not_recognized_by_mvpd": row(
            "The provider no longer knows this viewer.",
            remedy: "Sign in again. If that does not help, ask the provider."),
        "invalid_integration": row(
            "The app does not work with the viewer's provider at the moment, or not any more.",
            remedy:
                "Try again later, or choose another provider. When the app works with the provider again, the old login "
                + "is valid again."
        ),
        "invalid_parameter_mvpd": row(
            "The app no longer works with the viewer's provider.",
            remedy: "Choose another provider, or ask the programmer of the app."),
        "invalid_parameter_service_provider": row(
            "The service does not know this requestor.",
            remedy: "Compare the requestor in the app's stanza with the requestor that the service's operator has "
                + "registered."),
        "invalid_parameter_domain_name": row(
            "The domain of the login is not registered with the service.",
            remedy:
                "Set domain-name in [backend] or in the app's stanza to a domain that the programmer has registered "
                + "with the service."
        ),
        "invalid_parameter_redirect_url": row(
            "The return address of the login is not registered with the service.",
            remedy: "Set finish-url or redirect-url to an address that the programmer has registered with the service."),
        "invalid_parameter_resources": row(
            "The service does not know this resource.", remedy: "Tell the programmer of the app."),
        "invalid_access_token_service_provider": row(
            "The app's software statement is not for this requestor.",
            remedy: "Get a statement for this requestor from the service's operator."),
        "invalid_access_token_client_application": row(
            "The service does not accept the app's registration.",
            remedy: "Ask the service's operator whether the app's software statement is still valid."),
        "temporary_access_duration_limit_exceeded": row(
            "The temporary pass has expired.", remedy: "Sign in with a provider."),
        "temporary_access_resources_limit_exceeded": row(
            "The temporary pass is used up.", remedy: "Sign in with a provider."),
        "invalid_header_identity_for_temporary_access": row(
            "The temporary pass needs the viewer's identity, which the app has not sent.",
            remedy: "The app must send the viewer's identity in the param \"data\" of its call, see passd(7)."),
        "too_many_resources": row(
            "The app asked about more resources at once than the service allows.",
            remedy: "Tell the programmer of the app."),
        "decision_missing": row(
            "The service left this resource out of its answer. Perhaps the resource needs no permission.",
            remedy: "If the resource does not play, tell the programmer of the app."),
        "maximum_attempts_exceeded": row(
            "The provider has refused this several times. For now, the service does not ask the provider "
                + "again.",
            remedy: "Wait a while."),
        "network_received_error": row("The provider's answer could not be read.", remedy: again),
        "network_connection_timeout": row("The service did not reach the provider in time.", remedy: again),
        "maximum_execution_time_exceeded": row("The provider took too long to answer.", remedy: again),
        "internal_server_error": row("The service has failed.", remedy: again),
        // The daemon's own codes, for cases without a code of the service: `BackendFault.Kind.name`.
        "unreachable": row(
            "The service could not be reached.", remedy: "Check the network. passd-cli doctor says more."),
        "deadline": row("The service did not answer in time.", remedy: "Try again. passd-cli doctor says more."),
        "insecure": row(
            "The service could not be reached over TLS.",
            remedy: "Check the clock, proxies and certificates. passd-cli doctor says more."),
        "throttled": row("The service limits the rate of requests.", remedy: "Wait a few seconds and try again."),
        "overloaded": row(
            "This box has sent all requests that it may send at the moment.",
            remedy: "Wait a few seconds and try again."),
        "unusable-answer": row(
            "The answer did not come from the service, but from another system between the box and the "
                + "service.",
            remedy: "Look for a captive portal or a proxy."),
        // The codes of a refused registration. Contract: dcr.md §3, §4.
        "invalid_software_statement": row(
            "The service does not accept the form or the signature of the app's software statement.",
            remedy:
                "Get the statement from the operator of this service. The service does not accept statements of "
                + "another service."
                + remembered),
        "unapproved_software_statement": row(
            "The app's software statement was revoked, or the service does not know the application in "
                + "it.",
            remedy: "Get a new statement from the service's operator, put it into the app's stanza, and reload."
                + remembered),
        "invalid_client": row(
            "The service no longer accepts the app's registration, and refuses a new registration.",
            remedy: "Ask the service's operator whether the app's software statement was revoked."),
        "too_many_registrations": row(
            "The app has used 16 software statements within a day. passd accepts no more from one app.",
            remedy: "Put one statement into the app's stanza, and restart passd."),
        "registration_of_another_service": row(
            "The app's registration belongs to another service.", remedy: "Restart the app."),
        "registration-refused": row(
            "The service refuses to register the app.",
            remedy:
                "Check the app's software statement. Set finish-url or redirect-url, because the service may "
                + "require an address."
                + remembered),
        "invalid_redirect_uri": row(
            "The address of finish-url or redirect-url is not registered with the service.",
            remedy: "Ask the programmer to register this address for the app. Or correct the address, and reload."
                + remembered),
        "token-refused": row(
            "The service does not accept the app's access token.",
            remedy: "Check the app's software statement with the service's operator."),
        "cancelled": row("The request was cancelled, because the app or the login ended.", remedy: "Try again."),
        "no-statement": row(
            "The app has no software statement.",
            remedy:
                "Put the statement from the service's operator into the app's stanza, or let the app send the statement."
        ),
        "no-service": row(
            "No service is configured.", remedy: "Set [backend] origin, or run passd-setup."),
    ]
}
