// Made by clients/generate from the daemon's OpenRPC document.

/** Why the viewer is not signed in or may not play, as a constant of the SDK AccessEnabler; empty on success. */
export type ErrorCode = 
  | ""
  | "USER_NOT_AUTHENTICATED_ERROR"
  | "PROVIDER_NOT_SELECTED_ERROR"
  | "GENERIC_AUTHENTICATION_ERROR"
  | "INTERNAL_AUTHENTICATION_ERROR"
  | "USER_NOT_AUTHORIZED_ERROR"
  | "GENERIC_AUTHORIZATION_ERROR"
  | "INTERNAL_AUTHORIZATION_ERROR"
  | "PROVIDER_NOT_AVAILABLE_ERROR"
  | "MULTIPLE_AUTHENTICATION_REQUESTS_ERROR"
  | "INTERNAL_ERROR";

/** The name of a sentence that the box has for viewers. */
export type DisplayCode = 
  | "notPermitted"
  | "notPermittedNow"
  | "parentalControls"
  | "refusedOften"
  | "passUsedUp"
  | "tryLater"
  | "notAvailable"
  | "providerNotAvailable"
  | "signIn"
  | "signInAgain"
  | "signedOutElsewhere"
  | "codeExpired"
  | "codeInvalid"
  | "signInRefused"
  | "signInLater"
  | "signInOpen"
  | "anotherSignIn";

/** The names of the daemon's errors. */
export type ErrorName = 
  | "CFG400"
  | "CFG404"
  | "CFG429"
  | "CFG5xx"
  | "DENIED"
  | "FLOW_CONFLICT"
  | "INTERNAL_ERROR"
  | "INVALID_PARAMS"
  | "INVALID_REQUEST"
  | "LIMIT"
  | "METHOD_NOT_FOUND"
  | "N111"
  | "N130"
  | "N500"
  | "NOT_READY"
  | "P100"
  | "PARSE_ERROR"
  | "R400"
  | "R401"
  | "REG500"
  | "REQUESTOR_NOT_SET"
  | "SEC403"
  | "SEC420"
  | "Z120"
  | "Z130"
  | "Z500";

/** The peer as the kernel identifies it. */
export interface Identity {
  uid: number;
  /** 4294967295 if the group is unknown. */
  gid: number;
  /** 0 if the process is unknown. */
  pid: number;
  /** The systemd unit. */
  unit?: string;
  /** The NAME of the rule socket:NAME, for an app in a container. */
  socket?: string;
  /** The origin of a web app. */
  origin?: string;
  /** The first matching [app] stanza with the session's requestor; if there is none, the first matching one. */
  app?: string;
}

/**
 * The QR code of link (of url if there is no link), in the form that the option qr names; or why there is no QR
 * code.
 */
export interface QR {
  /** A text of 0 and 1 for each row; 1 is dark. Leave four light modules free around the code. */
  matrix?: Array<string>;
  /** An SVG picture, with its light margin. */
  svg?: string;
  /** A PNG file in Base64, with its light margin. */
  png?: string;
  /** Why there is no QR code. */
  problem?: string;
}

/** A TV provider. */
export interface MVPD {
  /** Case-sensitive. */
  id: string;
  /** The name that viewers see. */
  displayName: string;
  /** Empty if there is no logo. */
  logoURL: string;
  /** Sign-on through the platform works for this provider. */
  enablePlatformServices?: boolean;
  /**
   * PICKER: viewers choose the provider in the platform's list, but log in as usual. SUPPORTED: the platform does
   * the login.
   */
  boardingStatus?: "PICKER" | "SUPPORTED";
  /** A temporary pass: viewers can watch for a limited time without a login. */
  isTempPass?: boolean;
}

/** Why the service or the provider said no. */
export interface EnhancedError {
  /** The HTTP status; 0 if no server was involved. */
  status: number;
  /** The backend's stable name of the error. */
  code: string;
  /** What the backend recommends, e.g. none, retry, authentication. */
  action: string;
  message: string;
  /** The provider's own words, for the viewer. */
  details?: string;
  helpUrl?: string;
  /** The ID by which the backend's support finds the request. */
  trace?: string;
}

/** The provider's probable decision about one resource. */
export interface Decision {
  /** The resource as it was asked for. */
  id: string;
  authorized: boolean;
  /** Why it is not permitted. */
  error?: any;
  /**
   * If it is not permitted: the text for the viewer, from the provider or, if the provider has none, a sentence in
   * the language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
}

/** One login. */
export interface Profile {
  /** The provider's ID. */
  provider: string;
  /** How the viewer logged in, e.g. regular, temporary, degraded. */
  type: string;
  issuer: string;
  notBefore: number;
  notAfter: number;
  /** User metadata by name. */
  attributes: Record<string, any>;
}

/** A problem that an operator should look at. */
export interface Warning {
  /** Stable name. */
  code: string;
  message: string;
  remedy: string;
}

export interface ErrorData {
  /** The stable name. */
  code: string;
  /** What to do. */
  remedy: string;
  /** What the backend recommends. */
  action?: string;
  /** Seconds. */
  retryAfter?: number;
  /** The ID by which the backend's support finds the request. */
  trace?: string;
  details?: any;
  /** The limit that was exceeded, in bytes or items. */
  limit?: number;
  /**
   * If a viewer waits for the answer: the text for the viewer, from the provider or, if the provider has none, a
   * sentence in the language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
}

/** What failed, and what to do. */
export interface Error {
  code: number;
  /** A short sentence. */
  message: string;
  data: ErrorData;
}

/** For the journal only; it does not affect any decision. */
export interface HelloClient {
  name: string;
  version: string;
}

export interface HelloResult {
  /** The version that both sides speak. */
  protocol: number;
  /** The daemon's version. */
  version: string;
  features: Array<string>;
  identity: Identity;
}

export interface WhoamiResult {
  identity: Identity;
  may: Array<"entitlement" | "observe" | "household" | "admin">;
  /** The requestors that the peer may use; "*" means all. */
  requestors: Array<string>;
  /** The rule that decided, in words. */
  rule: string;
}

export interface SubscribeResult {
  /** Number of the last event before the snapshot. */
  seq: number;
  /** The state before the first event. */
  snapshot: Record<string, any>;
}

export interface SuggestionsResult {
  requestors: Array<string>;
  /** The providers' IDs. */
  providers: Array<string>;
  /** The newest first; only on the admin socket. */
  resources: Array<string>;
}

export interface DiscoverResult {
  openrpc: string;
  info: Record<string, any>;
  methods: Array<Record<string, any>>;
}

export interface SetRequestorResult {
  status: number;
  requestorID: string;
  authenticated: boolean;
  /** The ID of the viewer's provider. */
  provider?: string;
}

/** The login that this session has open, if any. */
export interface CheckAuthenticationResultOpenLogin {
  /** beginning: passd is asking the service. The other states are those of getAuthentication. */
  state: "beginning" | "selectProvider" | "secondScreen" | "browser" | "platformDialog";
  /** The code that the viewer types. */
  code?: string;
  /** An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code. */
  link?: string;
  /** The page where the viewer types the code, with the code in its address; or the login page for a browser. */
  url?: string;
  /** When the code expires, by the box's clock. */
  expires?: number;
  /** Only with the option qr. */
  qr?: any;
}

export interface CheckAuthenticationResult {
  status: number;
  authenticated: boolean;
  errorCode: ErrorCode;
  /** The ID of the viewer's provider. */
  provider?: string;
  expires?: number;
  /** e.g. regular, temporary, degraded. */
  type?: string;
  /** The login that this session has open, if any. */
  openLogin?: CheckAuthenticationResultOpenLogin;
  /**
   * If nobody is signed in: the text for the viewer, from the provider or, if the provider has none, a sentence in
   * the language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
}

/** For the platform's list of providers. */
export interface GetAuthenticationFilter {
  /** IDs of providers for the platform's list of providers, in order. */
  TV_PROVIDERS?: Array<string>;
  /** The providers to show first, a subset of TV_PROVIDERS. */
  FEATURED_TV_PROVIDERS?: Array<string>;
}

export interface GetAuthenticationResult {
  state: "authenticated" | "selectProvider" | "secondScreen" | "browser" | "platformDialog";
  /** The providers to choose from. */
  providers?: Array<MVPD>;
  /** The code that the viewer types. */
  code?: string;
  /** An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code. */
  link?: string;
  /** The page where the viewer types the code, with the code in its address; or the login page for a browser. */
  url?: string;
  /** When the code expires, by the box's clock. */
  expires?: number;
  /** Only with the option qr. */
  qr?: any;
}

export interface SetSelectedProviderResult {
  state: "secondScreen" | "browser" | "authenticated" | "selected" | "cancelled";
  /** The code that the viewer types. */
  code?: string;
  /** An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code. */
  link?: string;
  /** The page where the viewer types the code, with the code in its address; or the login page for a browser. */
  url?: string;
  /** When the code expires, by the box's clock. */
  expires?: number;
  /** Only with the option qr. */
  qr?: any;
}

export interface GetSelectedProviderResult {
  provider: MVPD | null;
  state: "New User" | "User Not Authenticated" | "User Authenticated";
}

export interface HandleExternalURLResult {
  authenticated: boolean;
  errorCode: ErrorCode;
  /**
   * If a login has failed: the text for the viewer, from the provider or, if the provider has none, a sentence in
   * the language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
}

export interface CheckAuthorizationResult {
  authorized: boolean;
  /** The resource, as the app wrote it. */
  resource: string;
  /** The serialized media token. */
  token?: string;
  expires?: number;
  /** Who decided, e.g. mvpd, degradation, temppass. */
  source?: string;
  /** User metadata that came with a permit, by name. getMetadata returns it too. */
  metadata?: Record<string, any>;
  errorCode?: ErrorCode;
  error?: EnhancedError;
  /**
   * With a refusal: the text for the viewer, from the provider or, if the provider has none, a sentence in the
   * language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
  /** With a refusal: a line for the app's log, with codes, the service's message and its trace. */
  log?: string;
}

export interface GetAuthorizationResult {
  authorized: boolean;
  /** The resource, as the app wrote it. */
  resource: string;
  /** The serialized media token. */
  token?: string;
  expires?: number;
  /** Who decided, e.g. mvpd, degradation, temppass. */
  source?: string;
  /** User metadata that came with a permit, by name. getMetadata returns it too. */
  metadata?: Record<string, any>;
  errorCode?: ErrorCode;
  error?: EnhancedError;
  /**
   * With a refusal: the text for the viewer, from the provider or, if the provider has none, a sentence in the
   * language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
  /** With a refusal: a line for the app's log, with codes, the service's message and its trace. */
  log?: string;
  /** True: the viewer has to log in first; callbacks tell the outcome. */
  pending?: boolean;
  state?: "selectProvider" | "secondScreen" | "browser" | "platformDialog";
  /** The code that the viewer types. */
  code?: string;
  /** An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code. */
  link?: string;
  /** The page where the viewer types the code, or the login page for a browser. */
  url?: string;
  /** Only with the option qr. */
  qr?: any;
  /** The providers to choose from. */
  providers?: Array<MVPD>;
}

export interface CheckPreauthorizedResourcesResult {
  /** The resources that would be permitted. */
  resources: Array<string>;
  /**
   * If nobody is signed in: the text for the viewer, from the provider or, if the provider has none, a sentence in
   * the language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
}

export interface PreauthorizeResult {
  decisions: Array<Decision>;
  /** Why there are no decisions. */
  status?: any;
  /**
   * With status: the text for the viewer, from the provider or, if the provider has none, a sentence in the
   * language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
}

export interface GetMetadataResult {
  /** The key, as in the call. */
  key: 
  | "METADATA_AUTHENTICATION"
  | "METADATA_AUTHORIZATION"
  | "METADATA_DEVICE_ID"
  | "METADATA_USER_META";
  /** Null if there is no value; a time is a string of milliseconds since 1970. */
  metadata: any;
  /** Whether the value is encrypted; only the programmer's private key decrypts the value. */
  encrypted: boolean;
  /** The params of the call. */
  arguments: Record<string, any>;
}

export interface LogoutResultActionsItem {
  /** The provider's ID. */
  provider: string;
  action: "none" | "browser" | "platformSettings";
  /** The address that the app opens in a browser. */
  url?: string;
  /** The provider's logout page, for a phone. The app may show it as a QR code. */
  link?: string;
  /**
   * False: the service has not accepted the logout, because the service cannot be reached or refuses. Absent: the
   * service has accepted the logout.
   */
  told?: boolean;
}

export interface LogoutResult {
  status: number;
  actions: Array<LogoutResultActionsItem>;
  /** False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk. */
  durable?: boolean;
}

export interface ListProvidersResult {
  providers: Array<MVPD>;
}

export interface ListProfilesResult {
  profiles: Array<Profile>;
}

export interface HouseholdResultLoginsItemAppsItem {
  /** The name of the app's stanza. */
  name: string;
  /** The title in the app's stanza, for screens. */
  title?: string;
  /** When the app last used this login. Absent: not since passd started. */
  lastUsed?: number;
}

export interface HouseholdResultLoginsItem {
  provider: MVPD;
  /** The kind of the oldest of these logins, like type in checkAuthentication's result. */
  kind: string;
  /** When the oldest of these logins was made. Absent: unknown. */
  since?: number;
  /** When the first of these logins ends: an app then has to sign in again. */
  until: number;
  /** The apps that use the login, the most recently used first. */
  apps: Array<HouseholdResultLoginsItemAppsItem>;
}

export interface HouseholdResultOpenCodesItem {
  /** The name of the app's stanza. */
  app: string;
  /** The title in the app's stanza, for screens. */
  title?: string;
  expires: number;
}

export interface HouseholdResult {
  /** Whether any login on the box is valid. */
  signedIn: boolean;
  /** The valid logins, one entry for each provider. */
  logins: Array<HouseholdResultLoginsItem>;
  /** The apps with open codes. The codes themselves are not included. */
  openCodes: Array<HouseholdResultOpenCodesItem>;
}

export interface SignOutResult {
  /** How many logins were removed. */
  forgotten: number;
  /** False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk. */
  durable?: boolean;
  /** How many logouts the service has not accepted yet. Absent: none. */
  untold?: number;
  /**
   * The providers of the box's TV account with which apps were signed in: their names, or their IDs if passd does
   * not know the names. The account stays signed in, and an app signs in with it at its next start. Absent: no app
   * was signed in with the account.
   */
  onPlatform?: Array<string>;
}

export interface StatusResultBackend {
  origin: string;
  protocol: "v2" | "v1";
  /** Null: not tried yet. */
  reachable: boolean | null;
  /** When the service last answered. */
  lastContact?: number;
  /** When passd last asked the service, if the service has not answered since. */
  lastFailure?: number;
}

export interface StatusResultClock {
  /** How far the service's clock is ahead, in milliseconds. */
  offset: number | null;
}

export interface StatusResultStore {
  health: string;
  path?: string;
}

export interface StatusResultSignedInItem {
  requestorID: string;
  /** The provider's ID. */
  provider: string;
  /** The provider's name. */
  name: string;
  kind: string;
  expires: number;
  /** When the service last confirmed the login, since the daemon started. */
  confirmed?: number;
}

export interface StatusResultRefusalsItem {
  /** The last time, if the decision was repeated. */
  time: number;
  /** The number of equal decisions. Absent: one. */
  times?: number;
  /** The first time, if the decision was repeated. */
  since?: number;
  kind: 
  | "play"
  | "hint"
  | "login-ended"
  | "call-denied"
  | "start-failed"
  | "login-failed"
  | "logout-refused";
  /** A verdict, the cause of an end, denied, or failed. */
  outcome: string;
  decidedBy?: "service" | "memory" | "policy";
  app?: string;
  /** The title in the app's stanza. */
  title?: string;
  requestorID?: string;
  /** The provider's ID. */
  provider?: string;
  resource?: string;
  /** Who ended a login. */
  by?: string;
  source?: string;
  code?: string;
  trace?: string;
  /** The provider's text for viewers. */
  text?: string;
  /** The service's message for developers. */
  message?: string;
  /** In plain words. */
  reason: string;
  /** What to do. */
  remedy?: string;
}

export interface StatusResult {
  version: string;
  /** The commit of the sources, with "-dirty" if they had further changes. */
  commit?: string;
  /** The id of the build, a digest of its sources and tools. */
  build?: string;
  /** In seconds. */
  uptime: number;
  readiness: "starting" | "ready" | "reloading" | "stopping";
  backend: StatusResultBackend;
  clock: StatusResultClock;
  /** How viewers of each app can sign in. */
  signIn?: string;
  store: StatusResultStore;
  /** The valid logins. */
  signedIn: Array<StatusResultSignedInItem>;
  /** Codes on screens. */
  openCodes: number;
  /** The last plays that were not permitted. */
  refusals: Array<StatusResultRefusalsItem>;
  sessions: number;
  warnings: Array<Warning>;
}

export interface SessionsResultSessionsItem {
  session: number;
  identity: Identity;
  since: number;
  requestorID?: string;
  /** The ID of the provider of the viewer's login. */
  provider?: string;
  providerName?: string;
  /** The client's name from passd.hello. */
  client?: string;
  pendingCalls: number;
  /** The open operations of the viewer or the app. */
  open: Array<"choice" | "code" | "browser" | "platform" | "events">;
}

export interface SessionsResult {
  sessions: Array<SessionsResultSessionsItem>;
}

export interface TokensResultTokensItem {
  requestorID: string;
  /** The provider's ID. */
  provider: string;
  kind: string;
  resource?: string;
  expires?: number;
}

export interface TokensResult {
  tokens: Array<TokensResultTokensItem>;
}

export interface ForgetResult {
  /** How many logins were removed. */
  forgotten: number;
  /** False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk. */
  durable?: boolean;
}

export interface LogoutAllResultUntoldItem {
  requestorID: string;
  provider: string;
}

export interface LogoutAllResult {
  /** How many logins were removed. */
  forgotten: number;
  /** False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk. */
  durable?: boolean;
  /** The logouts that the service has not accepted yet. Absent: there are none. */
  untold?: Array<LogoutAllResultUntoldItem>;
}

export interface ReloadResult {
  applied: boolean;
  /** Each as "file:line: problem". */
  problems: Array<string>;
  /** The settings and apps that took effect, and when. */
  changed: Array<string>;
  /** The settings that wait for a restart. */
  waiting: Array<string>;
}

export interface MetricsResult {
  contentType: string;
  text: string;
}

export interface PolicyExplainResult {
  allowed: boolean;
  /** The rule that decided, in words. */
  rule: string;
  /** The [app] stanza that matched. */
  app?: string;
  /** The user whose rights were checked. */
  uid?: number;
  unit?: string;
  origin?: string;
  /** Rules that never match, because the daemon cannot check them, and what to do. */
  notes?: Array<string>;
}

export interface DoctorResultChecksItem {
  name: string;
  outcome: "pass" | "warn" | "fail";
  message: string;
  remedy?: string;
}

export interface DoctorResult {
  checks: Array<DoctorResultChecksItem>;
}

export interface RecordResult {
  /** Requests and answers in order. Values are shown only if they are words of the interface, dates or kinds. */
  exchanges: Array<Record<string, any>>;
  /** False: exchanges are missing. More than 300 came since the last call, or some came after 15 minutes. */
  complete: boolean;
}

export interface DecisionsResultDecisionsItem {
  /** The last time, if the decision was repeated. */
  time: number;
  /** The number of equal decisions. Absent: one. */
  times?: number;
  /** The first time, if the decision was repeated. */
  since?: number;
  kind: 
  | "play"
  | "hint"
  | "login-ended"
  | "call-denied"
  | "start-failed"
  | "login-failed"
  | "logout-refused";
  /** A verdict, the cause of an end, denied, or failed. */
  outcome: string;
  decidedBy?: "service" | "memory" | "policy";
  app?: string;
  /** The title in the app's stanza. */
  title?: string;
  requestorID?: string;
  /** The provider's ID. */
  provider?: string;
  resource?: string;
  /** Who ended a login. */
  by?: string;
  source?: string;
  code?: string;
  trace?: string;
  /** The provider's text for viewers. */
  text?: string;
  /** The service's message for developers. */
  message?: string;
  /** In plain words. */
  reason: string;
  /** What to do. */
  remedy?: string;
}

export interface DecisionsResult {
  decisions: Array<DecisionsResultDecisionsItem>;
}

/** The value in the files now, if it differs from the value in force. */
export interface ConfigurationResultSettingsItemInFiles {
  value: string;
  origin: string;
}

export interface ConfigurationResultSettingsItem {
  section: string;
  key: string;
  /** If it is an address: only scheme, host and port. */
  value: string;
  default: string;
  /** "file:line", "default", or a flag of the command line. */
  origin: string;
  /** Whether the value differs from the default. */
  isChanged: boolean;
  /** When a change takes effect. */
  effect: string;
  /** The value in the files now, if it differs from the value in force. */
  inFiles?: ConfigurationResultSettingsItemInFiles;
}

export interface ConfigurationResultAppsItem {
  name: string;
  title?: string;
  /** Where the stanza begins. */
  origin: string;
  requestors: Array<string>;
  /** Where the software statement is, but not the statement itself. */
  statement: string;
  allow: Array<string>;
  may: Array<"entitlement" | "observe" | "household" | "admin">;
  /** Where each key was set, by its name in the files. "file:line", "default", or a flag of the command line. */
  origins: Record<string, string>;
  activationURL?: string;
  domainName?: string;
  redirectURL?: string;
  finishURL?: string;
}

export interface ConfigurationResult {
  settings: Array<ConfigurationResultSettingsItem>;
  apps: Array<ConfigurationResultAppsItem>;
  /** App stanzas that differ in the files now, and the errors in the files. */
  differences: Array<string>;
}

export interface ExportResult {
  /** The text of the backup. */
  backup: string;
  /** How many logins are in the backup. */
  logins: number;
  /** How many apps are in the backup. */
  apps: number;
}

export interface ImportResult {
  /** How many logins the store has now. */
  logins: number;
  /** Whether the service manager starts the daemon again. If not, start the daemon by hand. */
  restarts: boolean;
}

/** Tells whether setRequestor has succeeded. */
export interface SetRequestorCompleteParams {
  /** 1: success. */
  status: number;
}

/** Tells whether the viewer is logged in. */
export interface SetAuthenticationStatusParams {
  /** 1: success. */
  status: number;
  errorCode: ErrorCode;
  /**
   * sso: another app logged in. logout: any logout. revoked: the provider has ended the login, or the requestor no
   * longer works with the provider. expired: the login has expired. replaced: another app has started a sign-in,
   * and the service now knows only the code of that app.
   */
  reason?: "sso" | "logout" | "revoked" | "expired" | "replaced";
  /**
   * The outcome of a login that this app began; each login has one. authenticated: the viewer is signed in.
   * cancelled: the viewer or the app gave up, or a logout or another app's sign-in came first. expired: the code
   * expired. denied: the provider or the service refused. failed: an error, or the service forgot the code before
   * it expired. Absent if no login of this app ends.
   */
  outcome?: "authenticated" | "cancelled" | "expired" | "denied" | "failed";
  /** With outcome: the reason, as a code of the callback status. */
  cause?: string;
  /** With outcome: the code that the app showed for this login. */
  code?: string;
  /**
   * If nobody is signed in and the viewer has not just signed out, or with reason replaced: the text for the
   * viewer, from the provider or, if the provider has none, a sentence in the language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
}

/** Show the providers, then call setSelectedProvider. */
export interface DisplayProviderDialogParams {
  providers: Array<MVPD>;
}

/** Open this address in the app's browser. After the login or logout there, call handleExternalURL. */
export interface NavigateToUrlParams {
  url: string;
  /** The provider refuses plain web views: use the secure browser. */
  useSVC?: boolean;
}

/** Detailed status for logs. It may come before or after the other callbacks. */
export interface StatusParams {
  /** A status code of the SDK. With REGCODE, code is the code that the viewer types. */
  errorId: string;
  level: "error" | "warning" | "info" | "success";
  message: string;
  /** The code that the viewer types. */
  code?: string;
  /** An address for a QR code. It leads a phone to the provider's login, where the viewer need not type the code. */
  link?: string;
  /** The page where the viewer types the code, if known. */
  url?: string;
  /** The same as code, under the SDK's name. */
  regcode?: string;
  /** The same as url, under the SDK's name. */
  registrationURL?: string;
  /** When the code expires, by the box's clock. */
  expires?: number;
  /** Only with the option qr. */
  qr?: any;
  /** The resource that the status is about. */
  resource?: string;
  /** The next step. authentication: begin another login with getAuthentication. */
  action?: string;
}

/** A fresh media token. */
export interface SetTokenParams {
  token: string;
  /** The resource, as the app wrote it. */
  resource: string;
}

/** No media token for this resource. */
export interface TokenRequestFailedParams {
  /** The resource, as the app wrote it. */
  resource: string;
  errorCode: ErrorCode;
  /** The provider's words, or empty. */
  errorDescription: string;
  error?: EnhancedError;
  /**
   * With a refusal: the text for the viewer, from the provider or, if the provider has none, a sentence in the
   * language of the session.
   */
  display?: string;
  /** With display: whose words these are. */
  displaySource?: "provider" | "box";
  /** With a sentence of the box: its name, for translations. */
  displayCode?: any;
  /** With a refusal: a line for the app's log, with codes, the service's message and its trace. */
  log?: string;
}

/** The chosen provider. */
export interface SelectedProviderParams {
  provider: MVPD | null;
  state: "New User" | "User Not Authenticated" | "User Authenticated";
}

/** The resources that would be permitted. */
export interface PreauthorizedResourcesParams {
  resources: Array<string>;
}

/** The metadata that was asked for. */
export interface SetMetadataStatusParams {
  /** The key, as in the call. */
  key: 
  | "METADATA_AUTHENTICATION"
  | "METADATA_AUTHORIZATION"
  | "METADATA_DEVICE_ID"
  | "METADATA_USER_META";
  /** Null if there is no value; a time is a string of milliseconds since 1970. */
  metadata: any;
  /** Whether the value is encrypted; only the programmer's private key decrypts the value. */
  encrypted: boolean;
  /** The params of the call. */
  arguments: Record<string, any>;
}

/** Data for the app's analytics. */
export interface SendTrackingDataParams {
  event: "TRACKING_AUTHENTICATION" | "TRACKING_AUTHORIZATION" | "TRACKING_GET_SELECTED_PROVIDER";
  /** The values in a fixed order. A value that does not apply is empty. */
  data: Array<string>;
}

/** The platform is about to show its dialog. */
export interface PresentTvProviderDialogParams {
  /** The same value in both dialog callbacks. */
  handle?: string;
}

/** The platform's dialog has closed. */
export interface DismissTvProviderDialogParams {
  /** The same value in both dialog callbacks. */
  handle?: string;
}

/** An event for a subscriber. */
export interface EventParams {
  seq: number;
  type: 
  | "session.opened"
  | "session.closed"
  | "requestor"
  | "requestor.failed"
  | "login.opened"
  | "login.closed"
  | "authentication"
  | "authorization"
  | "hint"
  | "denied"
  | "configuration"
  | "readiness"
  | "warning"
  | "overrun";
  time: number;
  /** The members depend on the type; x-passd-events lists them. */
  data: Record<string, any>;
}

export interface SessionOpenedEvent {
  session: number;
  identity: Identity;
}

export interface SessionClosedEvent {
  session: number;
  reason: string;
}

export interface RequestorEvent {
  session: number;
  requestorID: string;
  app?: string;
  /** The client's name from passd.hello. */
  client?: string;
}

export interface RequestorFailedEvent {
  session: number;
  requestorID: string;
  /** The source of the decision, as the service names it. */
  source?: string;
  /** The code of the service's refusal, or of the fault. */
  code?: string;
  /** The ID by which the service's support finds the request. */
  trace?: string;
  /** The provider's text for viewers. */
  text?: string;
  app?: string;
  /** The client's name from passd.hello. */
  client?: string;
}

export interface LoginOpenedEvent {
  requestorID: string;
  /** The provider's ID. */
  provider?: string;
  app?: string;
  /** The client's name from passd.hello. */
  client?: string;
  expires?: number;
}

export interface LoginClosedEvent {
  requestorID: string;
  /** The provider's ID. */
  provider?: string;
  app?: string;
  /** The client's name from passd.hello. */
  client?: string;
  outcome: "authenticated" | "expired" | "cancelled" | "failed";
}

export interface AuthenticationEvent {
  requestorID: string;
  /** The provider's ID. */
  provider?: string;
  app?: string;
  /** The client's name from passd.hello. */
  client?: string;
  authenticated: boolean;
  /** Why a login has ended; or sso, if another app has made the login. */
  reason?: 
  | "sso"
  | "expired"
  | "revoked"
  | "logout"
  | "forgotten"
  | "replaced"
  | "another-device"
  | "store";
  /** Who ended the login: an app, operator, or the box's TV account. */
  by?: string;
}

export interface AuthorizationEvent {
  requestorID: string;
  /** The provider's ID. */
  provider?: string;
  app?: string;
  /** The client's name from passd.hello. */
  client?: string;
  resource: string;
  authorized: boolean;
  /** undecided if the service gave no answer. */
  outcome: "permitted" | "denied" | "unauthenticated" | "undecided";
  decidedBy?: "service" | "memory";
  /** The source of the decision, as the service names it. */
  source?: string;
  /** The code of the service's refusal, or of the fault. */
  code?: string;
  /** The ID by which the service's support finds the request. */
  trace?: string;
  /** The provider's text for viewers. */
  text?: string;
}

export interface HintEvent {
  requestorID: string;
  /** The provider's ID. */
  provider?: string;
  resource: string;
  /** undecided if the service gave no answer. */
  outcome: "permitted" | "denied" | "unauthenticated" | "undecided";
  /** The source of the decision, as the service names it. */
  source?: string;
  /** The code of the service's refusal, or of the fault. */
  code?: string;
  /** The ID by which the service's support finds the request. */
  trace?: string;
  /** The provider's text for viewers. */
  text?: string;
}

export interface DeniedEvent {
  session: number;
  requestorID?: string;
  method: string;
  reason: string;
  app?: string;
  /** The client's name from passd.hello. */
  client?: string;
}

export interface ConfigurationEvent {
  applied: boolean;
}

export interface ReadinessEvent {
  readiness: "starting" | "ready" | "reloading" | "stopping";
}

export interface WarningEvent {
  warning: Warning;
}

export interface HelloParams {
  /** For the journal only; it does not affect any decision. */
  client?: HelloClient;
  /** The newest version the client speaks. */
  protocol?: number;
}

export interface WhoamiParams {
}

export interface SubscribeParams {
  /** Only events of these types; absent: all. */
  types?: Array<
  | "session.opened"
  | "session.closed"
  | "requestor"
  | "requestor.failed"
  | "login.opened"
  | "login.closed"
  | "authentication"
  | "authorization"
  | "hint"
  | "denied"
  | "configuration"
  | "readiness"
  | "warning"
  | "overrun">;
}

export interface UnsubscribeParams {
}

export interface SuggestionsParams {
  /** Only the providers and resources of this requestor. */
  requestorID?: string;
}

export interface DiscoverParams {
}

export interface SetOptionsParams {
  /** Sent to the sandbox with every call, but not to a real service, whose name for this option is unknown. */
  applicationProfile?: string;
  /** Experience Cloud ID; sent with every call to the service. */
  visitorID?: string;
  /** The app opens the secure browser itself. */
  handleSVC?: boolean;
  /** Base64; replaces the whole description of the device that passd would send. */
  deviceInfo?: string;
  /** How the viewer logs in. */
  flow?: "secondScreen" | "browser";
  /** Whether the session gets notifications. */
  callbacks?: boolean;
  /** The form of the QR code that comes with each code for the second screen. */
  qr?: "none" | "matrix" | "svg" | "png";
  /**
   * BCP 47 tag, such as de-AT: the language of passd's sentences for the viewer. If there are no texts in this
   * language, the sentences are in English.
   */
  language?: string;
}

export interface SetRequestorParams {
  requestorID: string;
  /** Base URLs of services to use instead of the box's service; seldom needed. */
  serviceProviders?: Array<string>;
  /** A JWT. Absent: passd uses the statement of the app's stanza. */
  softwareStatement?: string;
  /** Which stored logins to check; the SDK's IntegrityCheckType. */
  storageCheck?: "none" | "all" | "clear";
}

export interface CheckAuthenticationParams {
}

export interface GetAuthenticationParams {
  /** Start a login even if the viewer is logged in. */
  forceAuthentication?: boolean;
  /** Data that passd sends to the service. */
  data?: Record<string, string>;
  /** For the platform's list of providers. */
  filter?: GetAuthenticationFilter;
}

export interface SetSelectedProviderParams {
  /** Null cancels the login and forgets the choice. */
  providerID: string | null;
}

export interface GetSelectedProviderParams {
}

export interface HandleExternalURLParams {
  /** The redirect URL that the browser was about to load. */
  url: string;
}

export interface CheckAuthorizationParams {
  /** A plain ID or MRSS, which passd does not change. */
  resource: string;
  /** Data that passd sends to the service. */
  data?: Record<string, string>;
}

export interface GetAuthorizationParams {
  /** A plain ID or MRSS, which passd does not change. */
  resource: string;
  /** Data that passd sends to the service. */
  data?: Record<string, string>;
}

export interface CheckPreauthorizedResourcesParams {
  resources: Array<string>;
  /** Whether to answer from the cache where possible. */
  cache?: boolean;
}

export interface PreauthorizeParams {
  resources: Array<string>;
  disabledFeatures?: Array<"LOCAL_CACHE" | "REMOTE_CACHE">;
}

export interface GetMetadataParams {
  key: 
  | "METADATA_AUTHENTICATION"
  | "METADATA_AUTHORIZATION"
  | "METADATA_DEVICE_ID"
  | "METADATA_USER_META";
  /** Required with METADATA_AUTHORIZATION. */
  resource?: string;
  /** Required with METADATA_USER_META. */
  userMetadataKey?: string;
}

export interface LogoutParams {
}

export interface ListProvidersParams {
  /** Include temporary passes. */
  includeTempPass?: boolean;
}

export interface ListProfilesParams {
}

export interface HouseholdParams {
}

export interface SignOutParams {
}

export interface StatusParams {
}

export interface SessionsParams {
}

export interface TokensParams {
}

export interface ForgetParams {
  /** Only logins of this requestor. */
  requestorID?: string;
  /** Only logins with this provider. */
  provider?: string;
}

export interface LogoutAllParams {
}

export interface ReloadParams {
}

export interface MetricsParams {
}

export interface PolicyExplainParams {
  method: string;
  /** The user of a process. The process does not have to exist. */
  uid?: number;
  /** A running process, instead of uid. */
  pid?: number;
  unit?: string;
  /** The origin of a web app. */
  origin?: string;
  /** The NAME of socket:NAME, if the process uses that socket. */
  socket?: string;
  requestorID?: string;
}

export interface DoctorParams {
  /** True: do not ask the service. */
  offline?: boolean;
}

export interface RecordParams {
  /** Whether to record from now on. */
  on: boolean;
}

export interface DecisionsParams {
  /** Only decisions about this resource, app or requestor, or about the RESOURCE_HASH of the journal. */
  about?: string;
  /** The max number of decisions. */
  limit?: number;
}

export interface ConfigurationParams {
}

export interface ExportParams {
}

export interface ImportParams {
  /** The text of the backup, from passd.export. */
  backup: string;
}

/** The daemon's callbacks, and the params that each brings. */
export interface Callbacks {
  setRequestorComplete: SetRequestorCompleteParams;
  setAuthenticationStatus: SetAuthenticationStatusParams;
  displayProviderDialog: DisplayProviderDialogParams;
  navigateToUrl: NavigateToUrlParams;
  status: StatusParams;
  setToken: SetTokenParams;
  tokenRequestFailed: TokenRequestFailedParams;
  selectedProvider: SelectedProviderParams;
  preauthorizedResources: PreauthorizedResourcesParams;
  setMetadataStatus: SetMetadataStatusParams;
  sendTrackingData: SendTrackingDataParams;
  presentTvProviderDialog: PresentTvProviderDialogParams;
  dismissTvProviderDialog: DismissTvProviderDialogParams;
  event: EventParams;
}

/** The data of each type of event. */
export interface Events {
  "session.opened": SessionOpenedEvent;
  "session.closed": SessionClosedEvent;
  "requestor": RequestorEvent;
  "requestor.failed": RequestorFailedEvent;
  "login.opened": LoginOpenedEvent;
  "login.closed": LoginClosedEvent;
  "authentication": AuthenticationEvent;
  "authorization": AuthorizationEvent;
  "hint": HintEvent;
  "denied": DeniedEvent;
  "configuration": ConfigurationEvent;
  "readiness": ReadinessEvent;
  "warning": WarningEvent;
  "overrun": Record<string, any>;
}
