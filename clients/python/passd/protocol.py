"""The daemon's methods, with their params and results. Made by clients/generate from the daemon's OpenRPC document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast, overload

ErrorName = Literal[
    "CFG400",
    "CFG404",
    "CFG429",
    "CFG5xx",
    "DENIED",
    "FLOW_CONFLICT",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "LIMIT",
    "METHOD_NOT_FOUND",
    "N111",
    "N130",
    "N500",
    "NOT_READY",
    "P100",
    "PARSE_ERROR",
    "R400",
    "R401",
    "REG500",
    "REQUESTOR_NOT_SET",
    "SEC403",
    "SEC420",
    "Z120",
    "Z130",
    "Z500",
]


class Identity(TypedDict):
    """The peer as the kernel identifies it."""

    uid: int
    # 4294967295 if the group is unknown.
    gid: int
    # 0 if the process is unknown.
    pid: int
    # The systemd unit.
    unit: NotRequired[str]
    # The NAME of the rule socket:NAME, for an app in a container.
    socket: NotRequired[str]
    # The origin of a web app.
    origin: NotRequired[str]
    # The first matching [app] stanza with the session's requestor; if there is none, the first matching one.
    app: NotRequired[str]


class QR(TypedDict):
    """The QR code of link (of url if there is no link), in the form that the option qr names; or why there is no
    QR code.
    """

    # A text of 0 and 1 for each row; 1 is dark. Leave four light modules free around the code.
    matrix: NotRequired[list[str]]
    # An SVG picture, with its light margin.
    svg: NotRequired[str]
    # A PNG file in Base64, with its light margin.
    png: NotRequired[str]
    # Why there is no QR code.
    problem: NotRequired[str]


class MVPD(TypedDict):
    """A TV provider."""

    # Case-sensitive.
    id: str
    # The name that viewers see.
    displayName: str
    # Empty if there is no logo.
    logoURL: str
    # Sign-on through the platform works for this provider.
    enablePlatformServices: NotRequired[bool]
    # PICKER: viewers choose the provider in the platform's list, but log in as usual. SUPPORTED: the platform does
    # the login.
    boardingStatus: NotRequired[Literal["PICKER", "SUPPORTED"]]
    # A temporary pass: viewers can watch for a limited time without a login.
    isTempPass: NotRequired[bool]


class EnhancedError(TypedDict):
    """Why the service or the provider said no."""

    # The HTTP status; 0 if no server was involved.
    status: int
    # The backend's stable name of the error.
    code: str
    # What the backend recommends, e.g. none, retry, authentication.
    action: str
    message: str
    # The provider's own words, for the viewer.
    details: NotRequired[str]
    helpUrl: NotRequired[str]
    # The ID by which the backend's support finds the request.
    trace: NotRequired[str]


class Decision(TypedDict):
    """The provider's probable decision about one resource."""

    # The resource as it was asked for.
    id: str
    authorized: bool
    # Why it is not permitted.
    error: NotRequired[Any]
    # If it is not permitted: the text for the viewer, from the provider or, if the provider has none, a sentence in
    # the language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]


class Profile(TypedDict):
    """One login."""

    # The provider's ID.
    provider: str
    # How the viewer logged in, e.g. regular, temporary, degraded.
    type: str
    issuer: str
    notBefore: int
    notAfter: int
    # User metadata by name.
    attributes: dict[str, Any]


class Warning(TypedDict):
    """A problem that an operator should look at."""

    # Stable name.
    code: str
    message: str
    remedy: str


class ErrorData(TypedDict):
    # The stable name.
    code: str
    # What to do.
    remedy: str
    # What the backend recommends.
    action: NotRequired[str]
    # Seconds.
    retryAfter: NotRequired[int]
    # The ID by which the backend's support finds the request.
    trace: NotRequired[str]
    details: NotRequired[Any]
    # The limit that was exceeded, in bytes or items.
    limit: NotRequired[int]
    # If a viewer waits for the answer: the text for the viewer, from the provider or, if the provider has none, a
    # sentence in the language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]


class Error(TypedDict):
    """What failed, and what to do."""

    code: int
    # A short sentence.
    message: str
    data: ErrorData


class HelloClient(TypedDict):
    """For the journal only; it does not affect any decision."""

    name: str
    version: str


class HelloResult(TypedDict):
    # The version that both sides speak.
    protocol: int
    # The daemon's version.
    version: str
    features: list[str]
    identity: Identity


class WhoamiResult(TypedDict):
    identity: Identity
    may: list[Literal["entitlement", "observe", "household", "admin"]]
    # The requestors that the peer may use; "*" means all.
    requestors: list[str]
    # The rule that decided, in words.
    rule: str


class SubscribeResult(TypedDict):
    # Number of the last event before the snapshot.
    seq: int
    # The state before the first event.
    snapshot: dict[str, Any]


class SuggestionsResult(TypedDict):
    requestors: list[str]
    # The providers' IDs.
    providers: list[str]
    # The newest first; only on the admin socket.
    resources: list[str]


class DiscoverResult(TypedDict):
    openrpc: str
    info: dict[str, Any]
    methods: list[dict[str, Any]]


class SetRequestorResult(TypedDict):
    status: int
    requestorID: str
    authenticated: bool
    # The ID of the viewer's provider.
    provider: NotRequired[str]


class CheckAuthenticationResultOpenLogin(TypedDict):
    """The login that this session has open, if any."""

    # beginning: passd is asking the service. The other states are those of getAuthentication.
    state: Literal["beginning", "selectProvider", "secondScreen", "browser", "platformDialog"]
    # The code that the viewer types.
    code: NotRequired[str]
    # An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code.
    link: NotRequired[str]
    # The page where the viewer types the code, with the code in its address; or the login page for a browser.
    url: NotRequired[str]
    # When the code expires, by the box's clock.
    expires: NotRequired[int]
    # Only with the option qr.
    qr: NotRequired[Any]


class CheckAuthenticationResult(TypedDict):
    status: int
    authenticated: bool
    errorCode: ErrorCode
    # The ID of the viewer's provider.
    provider: NotRequired[str]
    expires: NotRequired[int]
    # e.g. regular, temporary, degraded.
    type: NotRequired[str]
    # The login that this session has open, if any.
    openLogin: NotRequired[CheckAuthenticationResultOpenLogin]
    # If nobody is signed in: the text for the viewer, from the provider or, if the provider has none, a sentence in
    # the language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]


class GetAuthenticationFilter(TypedDict):
    """For the platform's list of providers."""

    # IDs of providers for the platform's list of providers, in order.
    TV_PROVIDERS: NotRequired[list[str]]
    # The providers to show first, a subset of TV_PROVIDERS.
    FEATURED_TV_PROVIDERS: NotRequired[list[str]]


class GetAuthenticationResult(TypedDict):
    state: Literal["authenticated", "selectProvider", "secondScreen", "browser", "platformDialog"]
    # The providers to choose from.
    providers: NotRequired[list[MVPD]]
    # The code that the viewer types.
    code: NotRequired[str]
    # An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code.
    link: NotRequired[str]
    # The page where the viewer types the code, with the code in its address; or the login page for a browser.
    url: NotRequired[str]
    # When the code expires, by the box's clock.
    expires: NotRequired[int]
    # Only with the option qr.
    qr: NotRequired[Any]


class SetSelectedProviderResult(TypedDict):
    state: Literal["secondScreen", "browser", "authenticated", "selected", "cancelled"]
    # The code that the viewer types.
    code: NotRequired[str]
    # An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code.
    link: NotRequired[str]
    # The page where the viewer types the code, with the code in its address; or the login page for a browser.
    url: NotRequired[str]
    # When the code expires, by the box's clock.
    expires: NotRequired[int]
    # Only with the option qr.
    qr: NotRequired[Any]


class GetSelectedProviderResult(TypedDict):
    provider: MVPD | None
    state: Literal["New User", "User Not Authenticated", "User Authenticated"]


class HandleExternalURLResult(TypedDict):
    authenticated: bool
    errorCode: ErrorCode
    # If a login has failed: the text for the viewer, from the provider or, if the provider has none, a sentence in
    # the language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]


class CheckAuthorizationResult(TypedDict):
    authorized: bool
    # The resource, as the app wrote it.
    resource: str
    # The serialized media token.
    token: NotRequired[str]
    expires: NotRequired[int]
    # Who decided, e.g. mvpd, degradation, temppass.
    source: NotRequired[str]
    # User metadata that came with a permit, by name. getMetadata returns it too.
    metadata: NotRequired[dict[str, Any]]
    errorCode: NotRequired[ErrorCode]
    error: NotRequired[EnhancedError]
    # With a refusal: the text for the viewer, from the provider or, if the provider has none, a sentence in the
    # language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]
    # With a refusal: a line for the app's log, with codes, the service's message and its trace.
    log: NotRequired[str]


class GetAuthorizationResult(TypedDict):
    authorized: bool
    # The resource, as the app wrote it.
    resource: str
    # The serialized media token.
    token: NotRequired[str]
    expires: NotRequired[int]
    # Who decided, e.g. mvpd, degradation, temppass.
    source: NotRequired[str]
    # User metadata that came with a permit, by name. getMetadata returns it too.
    metadata: NotRequired[dict[str, Any]]
    errorCode: NotRequired[ErrorCode]
    error: NotRequired[EnhancedError]
    # With a refusal: the text for the viewer, from the provider or, if the provider has none, a sentence in the
    # language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]
    # With a refusal: a line for the app's log, with codes, the service's message and its trace.
    log: NotRequired[str]
    # True: the viewer has to log in first; callbacks tell the outcome.
    pending: NotRequired[bool]
    state: NotRequired[Literal["selectProvider", "secondScreen", "browser", "platformDialog"]]
    # The code that the viewer types.
    code: NotRequired[str]
    # An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code.
    link: NotRequired[str]
    # The page where the viewer types the code, or the login page for a browser.
    url: NotRequired[str]
    # Only with the option qr.
    qr: NotRequired[Any]
    # The providers to choose from.
    providers: NotRequired[list[MVPD]]


class CheckPreauthorizedResourcesResult(TypedDict):
    # The resources that would be permitted.
    resources: list[str]
    # If nobody is signed in: the text for the viewer, from the provider or, if the provider has none, a sentence in
    # the language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]


class PreauthorizeResult(TypedDict):
    decisions: list[Decision]
    # Why there are no decisions.
    status: NotRequired[Any]
    # With status: the text for the viewer, from the provider or, if the provider has none, a sentence in the
    # language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]


class GetMetadataResult(TypedDict):
    # The key, as in the call.
    key: Literal[
    "METADATA_AUTHENTICATION",
    "METADATA_AUTHORIZATION",
    "METADATA_DEVICE_ID",
    "METADATA_USER_META",
]
    # Null if there is no value; a time is a string of milliseconds since 1970.
    metadata: Any
    # Whether the value is encrypted; only the programmer's private key decrypts the value.
    encrypted: bool
    # The params of the call.
    arguments: dict[str, Any]


class LogoutResultActionsItem(TypedDict):
    # The provider's ID.
    provider: str
    action: Literal["none", "browser", "platformSettings"]
    # The address that the app opens in a browser.
    url: NotRequired[str]
    # The provider's logout page, for a phone. The app may show it as a QR code.
    link: NotRequired[str]
    # False: the service has not accepted the logout, because the service cannot be reached or refuses. Absent: the
    # service has accepted the logout.
    told: NotRequired[bool]


class LogoutResult(TypedDict):
    status: int
    actions: list[LogoutResultActionsItem]
    # False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk.
    durable: NotRequired[bool]


class ListProvidersResult(TypedDict):
    providers: list[MVPD]


class ListProfilesResult(TypedDict):
    profiles: list[Profile]


class HouseholdResultLoginsItemAppsItem(TypedDict):
    # The name of the app's stanza.
    name: str
    # The title in the app's stanza, for screens.
    title: NotRequired[str]
    # When the app last used this login. Absent: not since passd started.
    lastUsed: NotRequired[int]


class HouseholdResultLoginsItem(TypedDict):
    provider: MVPD
    # The kind of the oldest of these logins, like type in checkAuthentication's result.
    kind: str
    # When the oldest of these logins was made. Absent: unknown.
    since: NotRequired[int]
    # When the first of these logins ends: an app then has to sign in again.
    until: int
    # The apps that use the login, the most recently used first.
    apps: list[HouseholdResultLoginsItemAppsItem]


class HouseholdResultOpenCodesItem(TypedDict):
    # The name of the app's stanza.
    app: str
    # The title in the app's stanza, for screens.
    title: NotRequired[str]
    expires: int


class HouseholdResult(TypedDict):
    # Whether any login on the box is valid.
    signedIn: bool
    # The valid logins, one entry for each provider.
    logins: list[HouseholdResultLoginsItem]
    # The apps with open codes. The codes themselves are not included.
    openCodes: list[HouseholdResultOpenCodesItem]


class SignOutResult(TypedDict):
    # How many logins were removed.
    forgotten: int
    # False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk.
    durable: NotRequired[bool]
    # How many logouts the service has not accepted yet. Absent: none.
    untold: NotRequired[int]
    # The providers of the box's TV account with which apps were signed in: their names, or their IDs if passd does
    # not know the names. The account stays signed in, and an app signs in with it at its next start. Absent: no app
    # was signed in with the account.
    onPlatform: NotRequired[list[str]]


class StatusResultBackend(TypedDict):
    origin: str
    protocol: Literal["v2", "v1"]
    # Null: not tried yet.
    reachable: bool | None
    # When the service last answered.
    lastContact: NotRequired[int]
    # When passd last asked the service, if the service has not answered since.
    lastFailure: NotRequired[int]


class StatusResultClock(TypedDict):
    # How far the service's clock is ahead, in milliseconds.
    offset: int | None


class StatusResultStore(TypedDict):
    health: str
    path: NotRequired[str]


class StatusResultSignedInItem(TypedDict):
    requestorID: str
    # The provider's ID.
    provider: str
    # The provider's name.
    name: str
    kind: str
    expires: int
    # When the service last confirmed the login, since the daemon started.
    confirmed: NotRequired[int]


class StatusResultRefusalsItem(TypedDict):
    # The last time, if the decision was repeated.
    time: int
    # The number of equal decisions. Absent: one.
    times: NotRequired[int]
    # The first time, if the decision was repeated.
    since: NotRequired[int]
    kind: Literal[
    "play",
    "hint",
    "login-ended",
    "call-denied",
    "start-failed",
    "login-failed",
    "logout-refused",
]
    # A verdict, the cause of an end, denied, or failed.
    outcome: str
    decidedBy: NotRequired[Literal["service", "memory", "policy"]]
    app: NotRequired[str]
    # The title in the app's stanza.
    title: NotRequired[str]
    requestorID: NotRequired[str]
    # The provider's ID.
    provider: NotRequired[str]
    resource: NotRequired[str]
    # Who ended a login.
    by: NotRequired[str]
    source: NotRequired[str]
    code: NotRequired[str]
    trace: NotRequired[str]
    # The provider's text for viewers.
    text: NotRequired[str]
    # The service's message for developers.
    message: NotRequired[str]
    # In plain words.
    reason: str
    # What to do.
    remedy: NotRequired[str]


class StatusResult(TypedDict):
    version: str
    # The commit of the sources, with "-dirty" if they had further changes.
    commit: NotRequired[str]
    # The id of the build, a digest of its sources and tools.
    build: NotRequired[str]
    # In seconds.
    uptime: int
    readiness: Literal["starting", "ready", "reloading", "stopping"]
    backend: StatusResultBackend
    clock: StatusResultClock
    # How viewers of each app can sign in.
    signIn: NotRequired[str]
    store: StatusResultStore
    # The valid logins.
    signedIn: list[StatusResultSignedInItem]
    # Codes on screens.
    openCodes: int
    # The last plays that were not permitted.
    refusals: list[StatusResultRefusalsItem]
    sessions: int
    warnings: list[Warning]


class SessionsResultSessionsItem(TypedDict):
    session: int
    identity: Identity
    since: int
    requestorID: NotRequired[str]
    # The ID of the provider of the viewer's login.
    provider: NotRequired[str]
    providerName: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]
    pendingCalls: int
    # The open operations of the viewer or the app.
    open: list[Literal["choice", "code", "browser", "platform", "events"]]


class SessionsResult(TypedDict):
    sessions: list[SessionsResultSessionsItem]


class TokensResultTokensItem(TypedDict):
    requestorID: str
    # The provider's ID.
    provider: str
    kind: str
    resource: NotRequired[str]
    expires: NotRequired[int]


class TokensResult(TypedDict):
    tokens: list[TokensResultTokensItem]


class ForgetResult(TypedDict):
    # How many logins were removed.
    forgotten: int
    # False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk.
    durable: NotRequired[bool]


class LogoutAllResultUntoldItem(TypedDict):
    requestorID: str
    provider: str


class LogoutAllResult(TypedDict):
    # How many logins were removed.
    forgotten: int
    # False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk.
    durable: NotRequired[bool]
    # The logouts that the service has not accepted yet. Absent: there are none.
    untold: NotRequired[list[LogoutAllResultUntoldItem]]


class ReloadResult(TypedDict):
    applied: bool
    # Each as "file:line: problem".
    problems: list[str]
    # The settings and apps that took effect, and when.
    changed: list[str]
    # The settings that wait for a restart.
    waiting: list[str]


class MetricsResult(TypedDict):
    contentType: str
    text: str


class PolicyExplainResult(TypedDict):
    allowed: bool
    # The rule that decided, in words.
    rule: str
    # The [app] stanza that matched.
    app: NotRequired[str]
    # The user whose rights were checked.
    uid: NotRequired[int]
    unit: NotRequired[str]
    origin: NotRequired[str]
    # Rules that never match, because the daemon cannot check them, and what to do.
    notes: NotRequired[list[str]]


class DoctorResultChecksItem(TypedDict):
    name: str
    outcome: Literal["pass", "warn", "fail"]
    message: str
    remedy: NotRequired[str]


class DoctorResult(TypedDict):
    checks: list[DoctorResultChecksItem]


class RecordResult(TypedDict):
    # Requests and answers in order. Values are shown only if they are words of the interface, dates or kinds.
    exchanges: list[dict[str, Any]]
    # False: exchanges are missing. More than 300 came since the last call, or some came after 15 minutes.
    complete: bool


class DecisionsResultDecisionsItem(TypedDict):
    # The last time, if the decision was repeated.
    time: int
    # The number of equal decisions. Absent: one.
    times: NotRequired[int]
    # The first time, if the decision was repeated.
    since: NotRequired[int]
    kind: Literal[
    "play",
    "hint",
    "login-ended",
    "call-denied",
    "start-failed",
    "login-failed",
    "logout-refused",
]
    # A verdict, the cause of an end, denied, or failed.
    outcome: str
    decidedBy: NotRequired[Literal["service", "memory", "policy"]]
    app: NotRequired[str]
    # The title in the app's stanza.
    title: NotRequired[str]
    requestorID: NotRequired[str]
    # The provider's ID.
    provider: NotRequired[str]
    resource: NotRequired[str]
    # Who ended a login.
    by: NotRequired[str]
    source: NotRequired[str]
    code: NotRequired[str]
    trace: NotRequired[str]
    # The provider's text for viewers.
    text: NotRequired[str]
    # The service's message for developers.
    message: NotRequired[str]
    # In plain words.
    reason: str
    # What to do.
    remedy: NotRequired[str]


class DecisionsResult(TypedDict):
    decisions: list[DecisionsResultDecisionsItem]


class ConfigurationResultSettingsItemInFiles(TypedDict):
    """The value in the files now, if it differs from the value in force."""

    value: str
    origin: str


class ConfigurationResultSettingsItem(TypedDict):
    section: str
    key: str
    # If it is an address: only scheme, host and port.
    value: str
    default: str
    # "file:line", "default", or a flag of the command line.
    origin: str
    # Whether the value differs from the default.
    isChanged: bool
    # When a change takes effect.
    effect: str
    # The value in the files now, if it differs from the value in force.
    inFiles: NotRequired[ConfigurationResultSettingsItemInFiles]


class ConfigurationResultAppsItem(TypedDict):
    name: str
    title: NotRequired[str]
    # Where the stanza begins.
    origin: str
    requestors: list[str]
    # Where the software statement is, but not the statement itself.
    statement: str
    allow: list[str]
    may: list[Literal["entitlement", "observe", "household", "admin"]]
    # Where each key was set, by its name in the files. "file:line", "default", or a flag of the command line.
    origins: dict[str, str]
    activationURL: NotRequired[str]
    domainName: NotRequired[str]
    redirectURL: NotRequired[str]
    finishURL: NotRequired[str]


class ConfigurationResult(TypedDict):
    settings: list[ConfigurationResultSettingsItem]
    apps: list[ConfigurationResultAppsItem]
    # App stanzas that differ in the files now, and the errors in the files.
    differences: list[str]


class ExportResult(TypedDict):
    # The text of the backup.
    backup: str
    # How many logins are in the backup.
    logins: int
    # How many apps are in the backup.
    apps: int


class ImportResult(TypedDict):
    # How many logins the store has now.
    logins: int
    # Whether the service manager starts the daemon again. If not, start the daemon by hand.
    restarts: bool


class SetRequestorCompleteParams(TypedDict):
    """Tells whether setRequestor has succeeded."""

    # 1: success.
    status: int


class SetAuthenticationStatusParams(TypedDict):
    """Tells whether the viewer is logged in."""

    # 1: success.
    status: int
    errorCode: ErrorCode
    # sso: another app logged in. logout: any logout. revoked: the provider has ended the login, or the requestor no
    # longer works with the provider. expired: the login has expired. replaced: another app has started a sign-in,
    # and the service now knows only the code of that app.
    reason: NotRequired[Literal["sso", "logout", "revoked", "expired", "replaced"]]
    # The outcome of a login that this app began; each login has one. authenticated: the viewer is signed in.
    # cancelled: the viewer or the app gave up, or a logout or another app's sign-in came first. expired: the code
    # expired. denied: the provider or the service refused. failed: an error, or the service forgot the code before
    # it expired. Absent if no login of this app ends.
    outcome: NotRequired[Literal["authenticated", "cancelled", "expired", "denied", "failed"]]
    # With outcome: the reason, as a code of the callback status.
    cause: NotRequired[str]
    # With outcome: the code that the app showed for this login.
    code: NotRequired[str]
    # If nobody is signed in and the viewer has not just signed out, or with reason replaced: the text for the
    # viewer, from the provider or, if the provider has none, a sentence in the language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]


class DisplayProviderDialogParams(TypedDict):
    """Show the providers, then call setSelectedProvider."""

    providers: list[MVPD]


class NavigateToUrlParams(TypedDict):
    """Open this address in the app's browser. After the login or logout there, call handleExternalURL."""

    url: str
    # The provider refuses plain web views: use the secure browser.
    useSVC: NotRequired[bool]


class StatusParams(TypedDict):
    """Detailed status for logs. It may come before or after the other callbacks."""

    # A status code of the SDK. With REGCODE, code is the code that the viewer types.
    errorId: str
    level: Literal["error", "warning", "info", "success"]
    message: str
    # The code that the viewer types.
    code: NotRequired[str]
    # An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code.
    link: NotRequired[str]
    # The page where the viewer types the code, if known.
    url: NotRequired[str]
    # The same as code, under the SDK's name.
    regcode: NotRequired[str]
    # The same as url, under the SDK's name.
    registrationURL: NotRequired[str]
    # When the code expires, by the box's clock.
    expires: NotRequired[int]
    # Only with the option qr.
    qr: NotRequired[Any]
    # The resource that the status is about.
    resource: NotRequired[str]
    # The next step. authentication: begin another login with getAuthentication.
    action: NotRequired[str]


class SetTokenParams(TypedDict):
    """A fresh media token."""

    token: str
    # The resource, as the app wrote it.
    resource: str


class TokenRequestFailedParams(TypedDict):
    """No media token for this resource."""

    # The resource, as the app wrote it.
    resource: str
    errorCode: ErrorCode
    # The provider's words, or empty.
    errorDescription: str
    error: NotRequired[EnhancedError]
    # With a refusal: the text for the viewer, from the provider or, if the provider has none, a sentence in the
    # language of the session.
    display: NotRequired[str]
    # With display: whose words these are.
    displaySource: NotRequired[Literal["provider", "box"]]
    # With a sentence of the box: its name, for translations.
    displayCode: NotRequired[Any]
    # With a refusal: a line for the app's log, with codes, the service's message and its trace.
    log: NotRequired[str]


class SelectedProviderParams(TypedDict):
    """The chosen provider."""

    provider: MVPD | None
    state: Literal["New User", "User Not Authenticated", "User Authenticated"]


class PreauthorizedResourcesParams(TypedDict):
    """The resources that would be permitted."""

    resources: list[str]


class SetMetadataStatusParams(TypedDict):
    """The metadata that was asked for."""

    # The key, as in the call.
    key: Literal[
    "METADATA_AUTHENTICATION",
    "METADATA_AUTHORIZATION",
    "METADATA_DEVICE_ID",
    "METADATA_USER_META",
]
    # Null if there is no value; a time is a string of milliseconds since 1970.
    metadata: Any
    # Whether the value is encrypted; only the programmer's private key decrypts the value.
    encrypted: bool
    # The params of the call.
    arguments: dict[str, Any]


class SendTrackingDataParams(TypedDict):
    """Data for the app's analytics."""

    event: Literal["TRACKING_AUTHENTICATION", "TRACKING_AUTHORIZATION", "TRACKING_GET_SELECTED_PROVIDER"]
    # The values in a fixed order. A value that does not apply is empty.
    data: list[str]


class PresentTvProviderDialogParams(TypedDict):
    """The platform is about to show its dialog."""

    # The same value in both dialog callbacks.
    handle: NotRequired[str]


class DismissTvProviderDialogParams(TypedDict):
    """The platform's dialog has closed."""

    # The same value in both dialog callbacks.
    handle: NotRequired[str]


class EventParams(TypedDict):
    """An event for a subscriber."""

    seq: int
    type: Literal[
    "session.opened",
    "session.closed",
    "requestor",
    "requestor.failed",
    "login.opened",
    "login.closed",
    "authentication",
    "authorization",
    "hint",
    "denied",
    "configuration",
    "readiness",
    "warning",
    "overrun",
]
    time: int
    # The members depend on the type; x-passd-events lists them.
    data: dict[str, Any]


class SessionOpenedEvent(TypedDict):
    session: int
    identity: Identity


class SessionClosedEvent(TypedDict):
    session: int
    reason: str


class RequestorEvent(TypedDict):
    session: int
    requestorID: str
    app: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]


class RequestorFailedEvent(TypedDict):
    session: int
    requestorID: str
    # The source of the decision, as the service names it.
    source: NotRequired[str]
    # The code of the service's refusal, or of the fault.
    code: NotRequired[str]
    # The ID by which the service's support finds the request.
    trace: NotRequired[str]
    # The provider's text for viewers.
    text: NotRequired[str]
    app: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]


class LoginOpenedEvent(TypedDict):
    requestorID: str
    # The provider's ID.
    provider: NotRequired[str]
    app: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]
    expires: NotRequired[int]


class LoginClosedEvent(TypedDict):
    requestorID: str
    # The provider's ID.
    provider: NotRequired[str]
    app: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]
    outcome: Literal["authenticated", "expired", "cancelled", "failed"]


class AuthenticationEvent(TypedDict):
    requestorID: str
    # The provider's ID.
    provider: NotRequired[str]
    app: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]
    authenticated: bool
    # Why a login has ended; or sso, if another app has made the login.
    reason: NotRequired[Literal["sso", "expired", "revoked", "logout", "forgotten", "replaced", "another-device", "store"]]
    # Who ended the login: an app, operator, or the box's TV account.
    by: NotRequired[str]


class AuthorizationEvent(TypedDict):
    requestorID: str
    # The provider's ID.
    provider: NotRequired[str]
    app: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]
    resource: str
    authorized: bool
    # undecided if the service gave no answer.
    outcome: Literal["permitted", "denied", "unauthenticated", "undecided"]
    decidedBy: NotRequired[Literal["service", "memory"]]
    # The source of the decision, as the service names it.
    source: NotRequired[str]
    # The code of the service's refusal, or of the fault.
    code: NotRequired[str]
    # The ID by which the service's support finds the request.
    trace: NotRequired[str]
    # The provider's text for viewers.
    text: NotRequired[str]


class HintEvent(TypedDict):
    requestorID: str
    # The provider's ID.
    provider: NotRequired[str]
    resource: str
    # undecided if the service gave no answer.
    outcome: Literal["permitted", "denied", "unauthenticated", "undecided"]
    # The source of the decision, as the service names it.
    source: NotRequired[str]
    # The code of the service's refusal, or of the fault.
    code: NotRequired[str]
    # The ID by which the service's support finds the request.
    trace: NotRequired[str]
    # The provider's text for viewers.
    text: NotRequired[str]


class DeniedEvent(TypedDict):
    session: int
    requestorID: NotRequired[str]
    method: str
    reason: str
    app: NotRequired[str]
    # The client's name from passd.hello.
    client: NotRequired[str]


class ConfigurationEvent(TypedDict):
    applied: bool


class ReadinessEvent(TypedDict):
    readiness: Literal["starting", "ready", "reloading", "stopping"]


class WarningEvent(TypedDict):
    warning: Warning


ErrorCode = Literal[
    "",
    "USER_NOT_AUTHENTICATED_ERROR",
    "PROVIDER_NOT_SELECTED_ERROR",
    "GENERIC_AUTHENTICATION_ERROR",
    "INTERNAL_AUTHENTICATION_ERROR",
    "USER_NOT_AUTHORIZED_ERROR",
    "GENERIC_AUTHORIZATION_ERROR",
    "INTERNAL_AUTHORIZATION_ERROR",
    "PROVIDER_NOT_AVAILABLE_ERROR",
    "MULTIPLE_AUTHENTICATION_REQUESTS_ERROR",
    "INTERNAL_ERROR",
]

DisplayCode = Literal[
    "notPermitted",
    "notPermittedNow",
    "parentalControls",
    "refusedOften",
    "passUsedUp",
    "tryLater",
    "notAvailable",
    "providerNotAvailable",
    "signIn",
    "signInAgain",
    "signedOutElsewhere",
    "codeExpired",
    "codeInvalid",
    "signInRefused",
    "signInLater",
    "signInOpen",
    "anotherSignIn",
]

CALLBACKS = (
    "setRequestorComplete",
    "setAuthenticationStatus",
    "displayProviderDialog",
    "navigateToUrl",
    "status",
    "setToken",
    "tokenRequestFailed",
    "selectedProvider",
    "preauthorizedResources",
    "setMetadataStatus",
    "sendTrackingData",
    "presentTvProviderDialog",
    "dismissTvProviderDialog",
    "event",
)


def _given(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


class Handlers:
    """Calls functions of the app when the daemon sends something."""

    @overload
    def on(self, name: Literal["setRequestorComplete"], handler: Callable[[SetRequestorCompleteParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["setAuthenticationStatus"], handler: Callable[[SetAuthenticationStatusParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["displayProviderDialog"], handler: Callable[[DisplayProviderDialogParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["navigateToUrl"], handler: Callable[[NavigateToUrlParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["status"], handler: Callable[[StatusParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["setToken"], handler: Callable[[SetTokenParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["tokenRequestFailed"], handler: Callable[[TokenRequestFailedParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["selectedProvider"], handler: Callable[[SelectedProviderParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["preauthorizedResources"], handler: Callable[[PreauthorizedResourcesParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["setMetadataStatus"], handler: Callable[[SetMetadataStatusParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["sendTrackingData"], handler: Callable[[SendTrackingDataParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["presentTvProviderDialog"], handler: Callable[[PresentTvProviderDialogParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["dismissTvProviderDialog"], handler: Callable[[DismissTvProviderDialogParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["event"], handler: Callable[[EventParams], object]) -> Callable[[], None]: ...

    @overload
    def on(self, name: Literal["disconnected", "reconnected"], handler: Callable[[Any], object]) -> Callable[[], None]: ...

    def on(self, name: str, handler: Callable[[Any], object]) -> Callable[[], None]:
        """Calls `handler` with the params of each callback of this name. Returns a function that removes the handler.

        Raises ValueError for a name that this library does not know, because the handler would never be called.
        """
        return self._add_handler(name, handler)

    def _add_handler(self, name: str, handler: Callable[[Any], object]) -> Callable[[], None]:
        raise NotImplementedError


class Calls:
    """The daemon's methods. `within` is the time limit for this answer in seconds."""

    async def call(self, method: str, params: Mapping[str, Any] | None = None, *, within: float | None = None) -> Any:
        """Calls any method by its name."""
        raise NotImplementedError

    async def hello(
        self,
        *,
        client: HelloClient | None = None,
        protocol: int | None = None,
        within: float | None = None,
    ) -> HelloResult:
        """Introduces the client, and returns what the daemon knows about the client.

        client: For the journal only; it does not affect any decision.
        protocol: The newest version the client speaks.
        """
        return cast("HelloResult", await self.call("passd.hello", _given({"client": client, "protocol": protocol}), within=within))

    async def whoami(self, *, within: float | None = None) -> WhoamiResult:
        """Tells who the peer is, what policy allows the peer, and which rule decided."""
        return cast("WhoamiResult", await self.call("passd.whoami", {}, within=within))

    async def subscribe(
        self,
        *,
        types: list[Literal[
    "session.opened",
    "session.closed",
    "requestor",
    "requestor.failed",
    "login.opened",
    "login.closed",
    "authentication",
    "authorization",
    "hint",
    "denied",
    "configuration",
    "readiness",
    "warning",
    "overrun",
]] | None = None,
        within: float | None = None,
    ) -> SubscribeResult:
        """Sends events from now on. If a client reads too slowly, the daemon sends overrun as the last event, and
        disconnects the client.

        types: Only events of these types; absent: all.
        """
        return cast("SubscribeResult", await self.call("passd.subscribe", _given({"types": types}), within=within))

    async def unsubscribe(self, *, within: float | None = None) -> dict[str, Any]:
        """Stops the events."""
        return cast("dict[str, Any]", await self.call("passd.unsubscribe", {}, within=within))

    async def suggestions(self, *, requestor_id: str | None = None, within: float | None = None) -> SuggestionsResult:
        """Lists the requestors that the peer may use, with the providers and resources that the daemon remembers
        for them.

        requestor_id: Only the providers and resources of this requestor.
        """
        return cast("SuggestionsResult", await self.call("passd.suggestions", _given({"requestorID": requestor_id}), within=within))

    async def discover(self, *, within: float | None = None) -> DiscoverResult:
        """Returns the description of this interface as OpenRPC 1.4."""
        return cast("DiscoverResult", await self.call("rpc.discover", {}, within=within))

    async def set_options(
        self,
        *,
        application_profile: str | None = None,
        visitor_id: str | None = None,
        handle_svc: bool | None = None,
        device_info: str | None = None,
        flow: Literal["secondScreen", "browser"] | None = None,
        callbacks: bool | None = None,
        qr: Literal["none", "matrix", "svg", "png"] | None = None,
        language: str | None = None,
        within: float | None = None,
    ) -> dict[str, Any]:
        """Sets options for all later calls of this session. Options that the call leaves out do not change.

        application_profile: Sent to the sandbox with every call, but not to a real service, whose name for
            this option is unknown.
        visitor_id: Experience Cloud ID; sent with every call to the service.
        handle_svc: The app opens the secure browser itself.
        device_info: Base64; replaces the whole description of the device that passd would send.
        flow: How the viewer logs in.
        callbacks: Whether the session gets notifications.
        qr: The form of the QR code that comes with each code for the second screen.
        language: BCP 47 tag, such as de-AT: the language of passd's sentences for the viewer. If there are
            no texts in this language, the sentences are in English.
        """
        return cast("dict[str, Any]", await self.call("setOptions", _given({"applicationProfile": application_profile, "visitorID": visitor_id, "handleSVC": handle_svc, "deviceInfo": device_info, "flow": flow, "callbacks": callbacks, "qr": qr, "language": language}), within=within))

    async def set_requestor(
        self,
        requestor_id: str,
        *,
        service_providers: list[str] | None = None,
        software_statement: str | None = None,
        storage_check: Literal["none", "all", "clear"] | None = None,
        within: float | None = None,
    ) -> SetRequestorResult:
        """Chooses the requestor, once for each connection. Until setRequestor has succeeded, other entitlement
        methods fail, except setOptions.

        service_providers: Base URLs of services to use instead of the box's service; seldom needed.
        software_statement: A JWT. Absent: passd uses the statement of the app's stanza.
        storage_check: Which stored logins to check; the SDK's IntegrityCheckType.
        """
        return cast("SetRequestorResult", await self.call("setRequestor", {"requestorID": requestor_id} | _given({"serviceProviders": service_providers, "softwareStatement": software_statement, "storageCheck": storage_check}), within=within))

    async def check_authentication(self, *, within: float | None = None) -> CheckAuthenticationResult:
        """Tells whether the viewer is logged in. Does not ask the service."""
        return cast("CheckAuthenticationResult", await self.call("checkAuthentication", {}, within=within))

    async def get_authentication(
        self,
        *,
        force_authentication: bool | None = None,
        data: dict[str, str] | None = None,
        filter: GetAuthenticationFilter | None = None,
        within: float | None = None,
    ) -> GetAuthenticationResult:
        """Starts a login, and does not wait for the viewer. In the result, state says what the app must do next.
        authenticated: nothing. selectProvider: show providers and call setSelectedProvider. secondScreen: show
        link as a QR code, and show code with url. browser: open url. platformDialog: nothing, because the box
        itself asks the viewer. The callback setAuthenticationStatus tells the outcome of the login.

        force_authentication: Start a login even if the viewer is logged in.
        data: Data that passd sends to the service.
        filter: For the platform's list of providers.
        """
        return cast("GetAuthenticationResult", await self.call("getAuthentication", _given({"forceAuthentication": force_authentication, "data": data, "filter": filter}), within=within))

    async def set_selected_provider(
        self,
        provider_id: str | None,
        *,
        within: float | None = None,
    ) -> SetSelectedProviderResult:
        """Chooses the provider and continues the login. The state selected means that no login is open; the next
        login uses the choice. With providerID null, cancels the login and forgets the choice. With the setting
        cancel-signs-out, null also signs this requestor out, until the next choice or login, or until a later
        setRequestor finds a login at the service.

        provider_id: Null cancels the login and forgets the choice.
        """
        return cast("SetSelectedProviderResult", await self.call("setSelectedProvider", {"providerID": provider_id}, within=within))

    async def get_selected_provider(self, *, within: float | None = None) -> GetSelectedProviderResult:
        """Tells which provider is chosen. Does not ask the service."""
        return cast("GetSelectedProviderResult", await self.call("getSelectedProvider", {}, within=within))

    async def handle_external_url(self, url: str, *, within: float | None = None) -> HandleExternalURLResult:
        """Completes a login or logout in the app's own browser. When the browser is about to load the redirect URL
        of the box, the app closes the browser and calls this method with the URL.

        url: The redirect URL that the browser was about to load.
        """
        return cast("HandleExternalURLResult", await self.call("handleExternalURL", {"url": url}, within=within))

    async def check_authorization(
        self,
        resource: str,
        *,
        data: dict[str, str] | None = None,
        within: float | None = None,
    ) -> CheckAuthorizationResult:
        """Authorizes a resource and returns a media token. If the viewer is not logged in, the result says so, and
        no login begins.

        resource: A plain ID or MRSS, which passd does not change.
        data: Data that passd sends to the service.
        """
        return cast("CheckAuthorizationResult", await self.call("checkAuthorization", {"resource": resource} | _given({"data": data}), within=within))

    async def get_authorization(
        self,
        resource: str,
        *,
        data: dict[str, str] | None = None,
        within: float | None = None,
    ) -> GetAuthorizationResult:
        """Authorizes a resource and returns a media token. If the viewer is not logged in, a login begins, and the
        result has pending and the members of getAuthentication's result. After the login, setToken or
        tokenRequestFailed follows. If the login fails, only setAuthenticationStatus follows.

        resource: A plain ID or MRSS, which passd does not change.
        data: Data that passd sends to the service.
        """
        return cast("GetAuthorizationResult", await self.call("getAuthorization", {"resource": resource} | _given({"data": data}), within=within))

    async def check_preauthorized_resources(
        self,
        resources: list[str],
        *,
        cache: bool | None = None,
        within: float | None = None,
    ) -> CheckPreauthorizedResourcesResult:
        """Returns the resources that would be permitted, for a menu. Before a play, call getAuthorization or
        checkAuthorization.

        cache: Whether to answer from the cache where possible.
        """
        return cast("CheckPreauthorizedResourcesResult", await self.call("checkPreauthorizedResources", {"resources": resources} | _given({"cache": cache}), within=within))

    async def preauthorize(
        self,
        resources: list[str],
        *,
        disabled_features: list[Literal["LOCAL_CACHE", "REMOTE_CACHE"]] | None = None,
        within: float | None = None,
    ) -> PreauthorizeResult:
        """Returns a decision for each resource, for a menu, with the reason for each refusal. The reason
        decision_missing means that the service's answer has no decision about the resource.
        """
        return cast("PreauthorizeResult", await self.call("preauthorize", {"resources": resources} | _given({"disabledFeatures": disabled_features}), within=within))

    async def get_metadata(
        self,
        key: Literal[
    "METADATA_AUTHENTICATION",
    "METADATA_AUTHORIZATION",
    "METADATA_DEVICE_ID",
    "METADATA_USER_META",
],
        *,
        resource: str | None = None,
        user_metadata_key: str | None = None,
        within: float | None = None,
    ) -> GetMetadataResult:
        """Reads one value. METADATA_AUTHENTICATION: when the login ends. METADATA_AUTHORIZATION: when the
        authorization of resource ends. METADATA_DEVICE_ID: the device's ID, if expose-identity is on.
        METADATA_USER_META: a value about the viewer, named by userMetadataKey. In the result, metadata is null
        if there is no value, and a time is a string of milliseconds.

        resource: Required with METADATA_AUTHORIZATION.
        user_metadata_key: Required with METADATA_USER_META.
        """
        return cast("GetMetadataResult", await self.call("getMetadata", {"key": key} | _given({"resource": resource, "userMetadataKey": user_metadata_key}), within=within))

    async def logout(self, *, within: float | None = None) -> LogoutResult:
        """Logs the viewer out of all apps on the box. With the setting logout-scope = requestor, the viewer stays
        logged in for other requestors. In the result, actions says for each provider what is left to do. none:
        nothing. browser: open url. platformSettings: the viewer signs out in the settings of the box.
        """
        return cast("LogoutResult", await self.call("logout", {}, within=within))

    async def list_providers(
        self,
        *,
        include_temp_pass: bool | None = None,
        within: float | None = None,
    ) -> ListProvidersResult:
        """Lists the providers that this requestor works with.

        include_temp_pass: Include temporary passes.
        """
        return cast("ListProvidersResult", await self.call("listProviders", _given({"includeTempPass": include_temp_pass}), within=within))

    async def list_profiles(self, *, within: float | None = None) -> ListProfilesResult:
        """Lists the logins of this requestor."""
        return cast("ListProfilesResult", await self.call("listProfiles", {}, within=within))

    async def household(self, *, within: float | None = None) -> HouseholdResult:
        """Shows who is signed in on the box, which apps use each login, and for which apps a code is open."""
        return cast("HouseholdResult", await self.call("passd.household", {}, within=within))

    async def sign_out(self, *, within: float | None = None) -> SignOutResult:
        """Signs the viewer out of all apps, on the box and at the service, and ends the codes that no app shows.
        Waits at most 15 s for the service. passd reports the remaining logouts again later.
        """
        return cast("SignOutResult", await self.call("passd.signOut", {}, within=within))

    async def status(self, *, within: float | None = None) -> StatusResult:
        """Returns the version, the readiness, the service, the logins, the codes on screens, the last refusals,
        the store and the warnings.
        """
        return cast("StatusResult", await self.call("passd.status", {}, within=within))

    async def sessions(self, *, within: float | None = None) -> SessionsResult:
        """Lists the connected apps."""
        return cast("SessionsResult", await self.call("passd.sessions", {}, within=within))

    async def tokens(self, *, within: float | None = None) -> TokensResult:
        """Lists the stored logins, without any secret."""
        return cast("TokensResult", await self.call("passd.tokens", {}, within=within))

    async def forget(
        self,
        *,
        requestor_id: str | None = None,
        provider: str | None = None,
        within: float | None = None,
    ) -> ForgetResult:
        """Removes stored logins from this device only: all logins, or those that the params select.

        requestor_id: Only logins of this requestor.
        provider: Only logins with this provider.
        """
        return cast("ForgetResult", await self.call("passd.forget", _given({"requestorID": requestor_id, "provider": provider}), within=within))

    async def logout_all(self, *, within: float | None = None) -> LogoutAllResult:
        """Logs the viewer out of every requestor, on this box and at the service. Waits at most 15 s for the
        service. passd reports the remaining logouts again later.
        """
        return cast("LogoutAllResult", await self.call("passd.logoutAll", {}, within=within))

    async def reload(self, *, within: float | None = None) -> ReloadResult:
        """Reads the configuration again. A configuration with errors changes nothing."""
        return cast("ReloadResult", await self.call("passd.reload", {}, within=within))

    async def metrics(self, *, within: float | None = None) -> MetricsResult:
        """Returns the daemon's metrics in the text format of Prometheus."""
        return cast("MetricsResult", await self.call("passd.metrics", {}, within=within))

    async def policy_explain(
        self,
        method: str,
        *,
        uid: int | None = None,
        pid: int | None = None,
        unit: str | None = None,
        origin: str | None = None,
        socket: str | None = None,
        requestor_id: str | None = None,
        within: float | None = None,
    ) -> PolicyExplainResult:
        """Tells what policy would decide, and by which rule.

        uid: The user of a process. The process does not have to exist.
        pid: A running process, instead of uid.
        origin: The origin of a web app.
        socket: The NAME of socket:NAME, if the process uses that socket.
        """
        return cast("PolicyExplainResult", await self.call("passd.policyExplain", {"method": method} | _given({"uid": uid, "pid": pid, "unit": unit, "origin": origin, "socket": socket, "requestorID": requestor_id}), within=within))

    async def doctor(self, *, offline: bool | None = None, within: float | None = None) -> DoctorResult:
        """Runs named checks, and explains how to fix failures. Asks the service whether it answers, and registers
        apps that are not registered yet.

        offline: True: do not ask the service.
        """
        return cast("DoctorResult", await self.call("passd.doctor", _given({"offline": offline}), within=within))

    async def record(self, on: bool, *, within: float | None = None) -> RecordResult:
        """Records the exchanges with the service, without secrets. on = true begins or continues a record, and on
        = false ends the record. Each call returns the exchanges since the previous call. A record also ends 15
        minutes after the last call.

        on: Whether to record from now on.
        """
        return cast("RecordResult", await self.call("passd.record", {"on": on}, within=within))

    async def decisions(
        self,
        *,
        about: str | None = None,
        limit: int | None = None,
        within: float | None = None,
    ) -> DecisionsResult:
        """Lists the last decisions; the newest comes last. The list has all plays. It also has menu entries that
        are not permitted, ends of logins, refused logouts, calls that policy denied, and apps and logins that
        could not start. After a restart, the list still has refusals and ends of logins of the last seven days,
        at most 50. In these older decisions, resource is a hash, unless the param about is the name of the
        resource.

        about: Only decisions about this resource, app or requestor, or about the RESOURCE_HASH of the
            journal.
        limit: The max number of decisions.
        """
        return cast("DecisionsResult", await self.call("passd.decisions", _given({"about": about, "limit": limit}), within=within))

    async def configuration(self, *, within: float | None = None) -> ConfigurationResult:
        """Shows the settings and app stanzas in force, the origin of each value, and how the files differ now."""
        return cast("ConfigurationResult", await self.call("passd.configuration", {}, within=within))

    async def export(self, *, within: float | None = None) -> ExportResult:
        """Returns the store as a sealed backup for this device."""
        return cast("ExportResult", await self.call("passd.export", {}, within=within))

    async def import_(self, backup: str, *, within: float | None = None) -> ImportResult:
        """Replaces the store with a sealed backup of this device, and restarts the daemon.

        backup: The text of the backup, from passd.export.
        """
        return cast("ImportResult", await self.call("passd.import", {"backup": backup}, within=within))


class BlockingCalls:
    """The daemon's methods. `within` is the time limit for this answer in seconds."""

    def call(self, method: str, params: Mapping[str, Any] | None = None, *, within: float | None = None) -> Any:
        """Calls any method by its name."""
        raise NotImplementedError

    def hello(
        self,
        *,
        client: HelloClient | None = None,
        protocol: int | None = None,
        within: float | None = None,
    ) -> HelloResult:
        """Introduces the client, and returns what the daemon knows about the client.

        client: For the journal only; it does not affect any decision.
        protocol: The newest version the client speaks.
        """
        return cast("HelloResult", self.call("passd.hello", _given({"client": client, "protocol": protocol}), within=within))

    def whoami(self, *, within: float | None = None) -> WhoamiResult:
        """Tells who the peer is, what policy allows the peer, and which rule decided."""
        return cast("WhoamiResult", self.call("passd.whoami", {}, within=within))

    def subscribe(
        self,
        *,
        types: list[Literal[
    "session.opened",
    "session.closed",
    "requestor",
    "requestor.failed",
    "login.opened",
    "login.closed",
    "authentication",
    "authorization",
    "hint",
    "denied",
    "configuration",
    "readiness",
    "warning",
    "overrun",
]] | None = None,
        within: float | None = None,
    ) -> SubscribeResult:
        """Sends events from now on. If a client reads too slowly, the daemon sends overrun as the last event, and
        disconnects the client.

        types: Only events of these types; absent: all.
        """
        return cast("SubscribeResult", self.call("passd.subscribe", _given({"types": types}), within=within))

    def unsubscribe(self, *, within: float | None = None) -> dict[str, Any]:
        """Stops the events."""
        return cast("dict[str, Any]", self.call("passd.unsubscribe", {}, within=within))

    def suggestions(self, *, requestor_id: str | None = None, within: float | None = None) -> SuggestionsResult:
        """Lists the requestors that the peer may use, with the providers and resources that the daemon remembers
        for them.

        requestor_id: Only the providers and resources of this requestor.
        """
        return cast("SuggestionsResult", self.call("passd.suggestions", _given({"requestorID": requestor_id}), within=within))

    def discover(self, *, within: float | None = None) -> DiscoverResult:
        """Returns the description of this interface as OpenRPC 1.4."""
        return cast("DiscoverResult", self.call("rpc.discover", {}, within=within))

    def set_options(
        self,
        *,
        application_profile: str | None = None,
        visitor_id: str | None = None,
        handle_svc: bool | None = None,
        device_info: str | None = None,
        flow: Literal["secondScreen", "browser"] | None = None,
        callbacks: bool | None = None,
        qr: Literal["none", "matrix", "svg", "png"] | None = None,
        language: str | None = None,
        within: float | None = None,
    ) -> dict[str, Any]:
        """Sets options for all later calls of this session. Options that the call leaves out do not change.

        application_profile: Sent to the sandbox with every call, but not to a real service, whose name for
            this option is unknown.
        visitor_id: Experience Cloud ID; sent with every call to the service.
        handle_svc: The app opens the secure browser itself.
        device_info: Base64; replaces the whole description of the device that passd would send.
        flow: How the viewer logs in.
        callbacks: Whether the session gets notifications.
        qr: The form of the QR code that comes with each code for the second screen.
        language: BCP 47 tag, such as de-AT: the language of passd's sentences for the viewer. If there are
            no texts in this language, the sentences are in English.
        """
        return cast("dict[str, Any]", self.call("setOptions", _given({"applicationProfile": application_profile, "visitorID": visitor_id, "handleSVC": handle_svc, "deviceInfo": device_info, "flow": flow, "callbacks": callbacks, "qr": qr, "language": language}), within=within))

    def set_requestor(
        self,
        requestor_id: str,
        *,
        service_providers: list[str] | None = None,
        software_statement: str | None = None,
        storage_check: Literal["none", "all", "clear"] | None = None,
        within: float | None = None,
    ) -> SetRequestorResult:
        """Chooses the requestor, once for each connection. Until setRequestor has succeeded, other entitlement
        methods fail, except setOptions.

        service_providers: Base URLs of services to use instead of the box's service; seldom needed.
        software_statement: A JWT. Absent: passd uses the statement of the app's stanza.
        storage_check: Which stored logins to check; the SDK's IntegrityCheckType.
        """
        return cast("SetRequestorResult", self.call("setRequestor", {"requestorID": requestor_id} | _given({"serviceProviders": service_providers, "softwareStatement": software_statement, "storageCheck": storage_check}), within=within))

    def check_authentication(self, *, within: float | None = None) -> CheckAuthenticationResult:
        """Tells whether the viewer is logged in. Does not ask the service."""
        return cast("CheckAuthenticationResult", self.call("checkAuthentication", {}, within=within))

    def get_authentication(
        self,
        *,
        force_authentication: bool | None = None,
        data: dict[str, str] | None = None,
        filter: GetAuthenticationFilter | None = None,
        within: float | None = None,
    ) -> GetAuthenticationResult:
        """Starts a login, and does not wait for the viewer. In the result, state says what the app must do next.
        authenticated: nothing. selectProvider: show providers and call setSelectedProvider. secondScreen: show
        link as a QR code, and show code with url. browser: open url. platformDialog: nothing, because the box
        itself asks the viewer. The callback setAuthenticationStatus tells the outcome of the login.

        force_authentication: Start a login even if the viewer is logged in.
        data: Data that passd sends to the service.
        filter: For the platform's list of providers.
        """
        return cast("GetAuthenticationResult", self.call("getAuthentication", _given({"forceAuthentication": force_authentication, "data": data, "filter": filter}), within=within))

    def set_selected_provider(
        self,
        provider_id: str | None,
        *,
        within: float | None = None,
    ) -> SetSelectedProviderResult:
        """Chooses the provider and continues the login. The state selected means that no login is open; the next
        login uses the choice. With providerID null, cancels the login and forgets the choice. With the setting
        cancel-signs-out, null also signs this requestor out, until the next choice or login, or until a later
        setRequestor finds a login at the service.

        provider_id: Null cancels the login and forgets the choice.
        """
        return cast("SetSelectedProviderResult", self.call("setSelectedProvider", {"providerID": provider_id}, within=within))

    def get_selected_provider(self, *, within: float | None = None) -> GetSelectedProviderResult:
        """Tells which provider is chosen. Does not ask the service."""
        return cast("GetSelectedProviderResult", self.call("getSelectedProvider", {}, within=within))

    def handle_external_url(self, url: str, *, within: float | None = None) -> HandleExternalURLResult:
        """Completes a login or logout in the app's own browser. When the browser is about to load the redirect URL
        of the box, the app closes the browser and calls this method with the URL.

        url: The redirect URL that the browser was about to load.
        """
        return cast("HandleExternalURLResult", self.call("handleExternalURL", {"url": url}, within=within))

    def check_authorization(
        self,
        resource: str,
        *,
        data: dict[str, str] | None = None,
        within: float | None = None,
    ) -> CheckAuthorizationResult:
        """Authorizes a resource and returns a media token. If the viewer is not logged in, the result says so, and
        no login begins.

        resource: A plain ID or MRSS, which passd does not change.
        data: Data that passd sends to the service.
        """
        return cast("CheckAuthorizationResult", self.call("checkAuthorization", {"resource": resource} | _given({"data": data}), within=within))

    def get_authorization(
        self,
        resource: str,
        *,
        data: dict[str, str] | None = None,
        within: float | None = None,
    ) -> GetAuthorizationResult:
        """Authorizes a resource and returns a media token. If the viewer is not logged in, a login begins, and the
        result has pending and the members of getAuthentication's result. After the login, setToken or
        tokenRequestFailed follows. If the login fails, only setAuthenticationStatus follows.

        resource: A plain ID or MRSS, which passd does not change.
        data: Data that passd sends to the service.
        """
        return cast("GetAuthorizationResult", self.call("getAuthorization", {"resource": resource} | _given({"data": data}), within=within))

    def check_preauthorized_resources(
        self,
        resources: list[str],
        *,
        cache: bool | None = None,
        within: float | None = None,
    ) -> CheckPreauthorizedResourcesResult:
        """Returns the resources that would be permitted, for a menu. Before a play, call getAuthorization or
        checkAuthorization.

        cache: Whether to answer from the cache where possible.
        """
        return cast("CheckPreauthorizedResourcesResult", self.call("checkPreauthorizedResources", {"resources": resources} | _given({"cache": cache}), within=within))

    def preauthorize(
        self,
        resources: list[str],
        *,
        disabled_features: list[Literal["LOCAL_CACHE", "REMOTE_CACHE"]] | None = None,
        within: float | None = None,
    ) -> PreauthorizeResult:
        """Returns a decision for each resource, for a menu, with the reason for each refusal. The reason
        decision_missing means that the service's answer has no decision about the resource.
        """
        return cast("PreauthorizeResult", self.call("preauthorize", {"resources": resources} | _given({"disabledFeatures": disabled_features}), within=within))

    def get_metadata(
        self,
        key: Literal[
    "METADATA_AUTHENTICATION",
    "METADATA_AUTHORIZATION",
    "METADATA_DEVICE_ID",
    "METADATA_USER_META",
],
        *,
        resource: str | None = None,
        user_metadata_key: str | None = None,
        within: float | None = None,
    ) -> GetMetadataResult:
        """Reads one value. METADATA_AUTHENTICATION: when the login ends. METADATA_AUTHORIZATION: when the
        authorization of resource ends. METADATA_DEVICE_ID: the device's ID, if expose-identity is on.
        METADATA_USER_META: a value about the viewer, named by userMetadataKey. In the result, metadata is null
        if there is no value, and a time is a string of milliseconds.

        resource: Required with METADATA_AUTHORIZATION.
        user_metadata_key: Required with METADATA_USER_META.
        """
        return cast("GetMetadataResult", self.call("getMetadata", {"key": key} | _given({"resource": resource, "userMetadataKey": user_metadata_key}), within=within))

    def logout(self, *, within: float | None = None) -> LogoutResult:
        """Logs the viewer out of all apps on the box. With the setting logout-scope = requestor, the viewer stays
        logged in for other requestors. In the result, actions says for each provider what is left to do. none:
        nothing. browser: open url. platformSettings: the viewer signs out in the settings of the box.
        """
        return cast("LogoutResult", self.call("logout", {}, within=within))

    def list_providers(
        self,
        *,
        include_temp_pass: bool | None = None,
        within: float | None = None,
    ) -> ListProvidersResult:
        """Lists the providers that this requestor works with.

        include_temp_pass: Include temporary passes.
        """
        return cast("ListProvidersResult", self.call("listProviders", _given({"includeTempPass": include_temp_pass}), within=within))

    def list_profiles(self, *, within: float | None = None) -> ListProfilesResult:
        """Lists the logins of this requestor."""
        return cast("ListProfilesResult", self.call("listProfiles", {}, within=within))

    def household(self, *, within: float | None = None) -> HouseholdResult:
        """Shows who is signed in on the box, which apps use each login, and for which apps a code is open."""
        return cast("HouseholdResult", self.call("passd.household", {}, within=within))

    def sign_out(self, *, within: float | None = None) -> SignOutResult:
        """Signs the viewer out of all apps, on the box and at the service, and ends the codes that no app shows.
        Waits at most 15 s for the service. passd reports the remaining logouts again later.
        """
        return cast("SignOutResult", self.call("passd.signOut", {}, within=within))

    def status(self, *, within: float | None = None) -> StatusResult:
        """Returns the version, the readiness, the service, the logins, the codes on screens, the last refusals,
        the store and the warnings.
        """
        return cast("StatusResult", self.call("passd.status", {}, within=within))

    def sessions(self, *, within: float | None = None) -> SessionsResult:
        """Lists the connected apps."""
        return cast("SessionsResult", self.call("passd.sessions", {}, within=within))

    def tokens(self, *, within: float | None = None) -> TokensResult:
        """Lists the stored logins, without any secret."""
        return cast("TokensResult", self.call("passd.tokens", {}, within=within))

    def forget(
        self,
        *,
        requestor_id: str | None = None,
        provider: str | None = None,
        within: float | None = None,
    ) -> ForgetResult:
        """Removes stored logins from this device only: all logins, or those that the params select.

        requestor_id: Only logins of this requestor.
        provider: Only logins with this provider.
        """
        return cast("ForgetResult", self.call("passd.forget", _given({"requestorID": requestor_id, "provider": provider}), within=within))

    def logout_all(self, *, within: float | None = None) -> LogoutAllResult:
        """Logs the viewer out of every requestor, on this box and at the service. Waits at most 15 s for the
        service. passd reports the remaining logouts again later.
        """
        return cast("LogoutAllResult", self.call("passd.logoutAll", {}, within=within))

    def reload(self, *, within: float | None = None) -> ReloadResult:
        """Reads the configuration again. A configuration with errors changes nothing."""
        return cast("ReloadResult", self.call("passd.reload", {}, within=within))

    def metrics(self, *, within: float | None = None) -> MetricsResult:
        """Returns the daemon's metrics in the text format of Prometheus."""
        return cast("MetricsResult", self.call("passd.metrics", {}, within=within))

    def policy_explain(
        self,
        method: str,
        *,
        uid: int | None = None,
        pid: int | None = None,
        unit: str | None = None,
        origin: str | None = None,
        socket: str | None = None,
        requestor_id: str | None = None,
        within: float | None = None,
    ) -> PolicyExplainResult:
        """Tells what policy would decide, and by which rule.

        uid: The user of a process. The process does not have to exist.
        pid: A running process, instead of uid.
        origin: The origin of a web app.
        socket: The NAME of socket:NAME, if the process uses that socket.
        """
        return cast("PolicyExplainResult", self.call("passd.policyExplain", {"method": method} | _given({"uid": uid, "pid": pid, "unit": unit, "origin": origin, "socket": socket, "requestorID": requestor_id}), within=within))

    def doctor(self, *, offline: bool | None = None, within: float | None = None) -> DoctorResult:
        """Runs named checks, and explains how to fix failures. Asks the service whether it answers, and registers
        apps that are not registered yet.

        offline: True: do not ask the service.
        """
        return cast("DoctorResult", self.call("passd.doctor", _given({"offline": offline}), within=within))

    def record(self, on: bool, *, within: float | None = None) -> RecordResult:
        """Records the exchanges with the service, without secrets. on = true begins or continues a record, and on
        = false ends the record. Each call returns the exchanges since the previous call. A record also ends 15
        minutes after the last call.

        on: Whether to record from now on.
        """
        return cast("RecordResult", self.call("passd.record", {"on": on}, within=within))

    def decisions(
        self,
        *,
        about: str | None = None,
        limit: int | None = None,
        within: float | None = None,
    ) -> DecisionsResult:
        """Lists the last decisions; the newest comes last. The list has all plays. It also has menu entries that
        are not permitted, ends of logins, refused logouts, calls that policy denied, and apps and logins that
        could not start. After a restart, the list still has refusals and ends of logins of the last seven days,
        at most 50. In these older decisions, resource is a hash, unless the param about is the name of the
        resource.

        about: Only decisions about this resource, app or requestor, or about the RESOURCE_HASH of the
            journal.
        limit: The max number of decisions.
        """
        return cast("DecisionsResult", self.call("passd.decisions", _given({"about": about, "limit": limit}), within=within))

    def configuration(self, *, within: float | None = None) -> ConfigurationResult:
        """Shows the settings and app stanzas in force, the origin of each value, and how the files differ now."""
        return cast("ConfigurationResult", self.call("passd.configuration", {}, within=within))

    def export(self, *, within: float | None = None) -> ExportResult:
        """Returns the store as a sealed backup for this device."""
        return cast("ExportResult", self.call("passd.export", {}, within=within))

    def import_(self, backup: str, *, within: float | None = None) -> ImportResult:
        """Replaces the store with a sealed backup of this device, and restarts the daemon.

        backup: The text of the backup, from passd.export.
        """
        return cast("ImportResult", self.call("passd.import", {"backup": backup}, within=within))
