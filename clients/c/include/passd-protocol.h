/* Made by clients/generate from the daemon's OpenRPC document. */
#ifndef PASSD_PROTOCOL_H
#define PASSD_PROTOCOL_H

#define PASSD_VERSION "0.1.0"

/* Methods, for passd_call and passd_ask, with their params; those with a question mark may be left out. */

/* Introduces the client, and returns what the daemon knows about the client. {client?: object, protocol?: integer} */
#define PASSD_HELLO "passd.hello"
/* Tells who the peer is, what policy allows the peer, and which rule decided. */
#define PASSD_WHOAMI "passd.whoami"
/* Sends events from now on. If a client reads too slowly, the daemon sends overrun as the last event, and
 * disconnects the client. {types?: array} */
#define PASSD_SUBSCRIBE "passd.subscribe"
/* Stops the events. */
#define PASSD_UNSUBSCRIBE "passd.unsubscribe"
/* Lists the requestors that the peer may use, with the providers and resources that the daemon remembers for them.
 * {requestorID?: string} */
#define PASSD_SUGGESTIONS "passd.suggestions"
/* Returns the description of this interface as OpenRPC 1.4. */
#define PASSD_DISCOVER "rpc.discover"
/* Sets options for all later calls of this session. Options that the call leaves out do not change.
 * {applicationProfile?: string, visitorID?: string, handleSVC?: boolean, deviceInfo?: string, flow?: string,
 * callbacks?: boolean, qr?: string, language?: string} */
#define PASSD_SET_OPTIONS "setOptions"
/* Chooses the requestor, once for each connection. Until setRequestor has succeeded, other entitlement methods
 * fail, except setOptions. {requestorID: string, serviceProviders?: array, softwareStatement?: string,
 * storageCheck?: string} */
#define PASSD_SET_REQUESTOR "setRequestor"
/* Tells whether the viewer is logged in. Does not ask the service. */
#define PASSD_CHECK_AUTHENTICATION "checkAuthentication"
/* Starts a login, and does not wait for the viewer. In the result, state says what the app must do next.
 * authenticated: nothing. selectProvider: show providers and call setSelectedProvider. secondScreen: show link as
 * a QR code, and show code with url. browser: open url. platformDialog: nothing, because the box itself asks the
 * viewer. The callback setAuthenticationStatus tells the outcome of the login. {forceAuthentication?: boolean,
 * data?: object, filter?: object} */
#define PASSD_GET_AUTHENTICATION "getAuthentication"
/* Chooses the provider and continues the login. The state selected means that no login is open; the next login
 * uses the choice. With providerID null, cancels the login and forgets the choice. With the setting cancel-signs-
 * out, null also signs this requestor out, until the next choice or login, or until a later setRequestor finds a
 * login at the service. {providerID: string or null} */
#define PASSD_SET_SELECTED_PROVIDER "setSelectedProvider"
/* Tells which provider is chosen. Does not ask the service. */
#define PASSD_GET_SELECTED_PROVIDER "getSelectedProvider"
/* Completes a login or logout in the app's own browser. When the browser is about to load the redirect URL of the
 * box, the app closes the browser and calls this method with the URL. {url: string} */
#define PASSD_HANDLE_EXTERNAL_URL "handleExternalURL"
/* Authorizes a resource and returns a media token. If the viewer is not logged in, the result says so, and no
 * login begins. {resource: string, data?: object} */
#define PASSD_CHECK_AUTHORIZATION "checkAuthorization"
/* Authorizes a resource and returns a media token. If the viewer is not logged in, a login begins, and the result
 * has pending and the members of getAuthentication's result. After the login, setToken or tokenRequestFailed
 * follows. If the login fails, only setAuthenticationStatus follows. {resource: string, data?: object} */
#define PASSD_GET_AUTHORIZATION "getAuthorization"
/* Returns the resources that would be permitted, for a menu. Before a play, call getAuthorization or
 * checkAuthorization. {resources: array, cache?: boolean} */
#define PASSD_CHECK_PREAUTHORIZED_RESOURCES "checkPreauthorizedResources"
/* Returns a decision for each resource, for a menu, with the reason for each refusal. The reason decision_missing
 * means that the service's answer has no decision about the resource. {resources: array, disabledFeatures?: array} */
#define PASSD_PREAUTHORIZE "preauthorize"
/* Reads one value. METADATA_AUTHENTICATION: when the login ends. METADATA_AUTHORIZATION: when the authorization of
 * resource ends. METADATA_DEVICE_ID: the device's ID, if expose-identity is on. METADATA_USER_META: a value about
 * the viewer, named by userMetadataKey. In the result, metadata is null if there is no value, and a time is a
 * string of milliseconds. {key: string, resource?: string, userMetadataKey?: string} */
#define PASSD_GET_METADATA "getMetadata"
/* Logs the viewer out of all apps on the box. With the setting logout-scope = requestor, the viewer stays logged
 * in for other requestors. In the result, actions says for each provider what is left to do. none: nothing.
 * browser: open url. platformSettings: the viewer signs out in the settings of the box. */
#define PASSD_LOGOUT "logout"
/* Lists the providers that this requestor works with. {includeTempPass?: boolean} */
#define PASSD_LIST_PROVIDERS "listProviders"
/* Lists the logins of this requestor. */
#define PASSD_LIST_PROFILES "listProfiles"
/* Shows who is signed in on the box, which apps use each login, and for which apps a code is open. */
#define PASSD_HOUSEHOLD "passd.household"
/* Signs the viewer out of all apps, on the box and at the service, and ends the codes that no app shows. Waits at
 * most 15 s for the service. passd reports the remaining logouts again later. */
#define PASSD_SIGN_OUT "passd.signOut"
/* Returns the version, the readiness, the service, the logins, the codes on screens, the last refusals, the store
 * and the warnings. */
#define PASSD_STATUS "passd.status"
/* Lists the connected apps. */
#define PASSD_SESSIONS "passd.sessions"
/* Lists the stored logins, without any secret. */
#define PASSD_TOKENS "passd.tokens"
/* Removes stored logins from this device only: all logins, or those that the params select. {requestorID?: string,
 * provider?: string} */
#define PASSD_FORGET "passd.forget"
/* Logs the viewer out of every requestor, on this box and at the service. Waits at most 15 s for the service.
 * passd reports the remaining logouts again later. */
#define PASSD_LOGOUT_ALL "passd.logoutAll"
/* Reads the configuration again. A configuration with errors changes nothing. */
#define PASSD_RELOAD "passd.reload"
/* Returns the daemon's metrics in the text format of Prometheus. */
#define PASSD_METRICS "passd.metrics"
/* Tells what policy would decide, and by which rule. {method: string, uid?: integer, pid?: integer, unit?: string,
 * origin?: string, socket?: string, requestorID?: string} */
#define PASSD_POLICY_EXPLAIN "passd.policyExplain"
/* Runs named checks, and explains how to fix failures. Asks the service whether it answers, and registers apps
 * that are not registered yet. {offline?: boolean} */
#define PASSD_DOCTOR "passd.doctor"
/* Records the exchanges with the service, without secrets. on = true begins or continues a record, and on = false
 * ends the record. Each call returns the exchanges since the previous call. A record also ends 15 minutes after
 * the last call. {on: boolean} */
#define PASSD_RECORD "passd.record"
/* Lists the last decisions; the newest comes last. The list has all plays. It also has menu entries that are not
 * permitted, ends of logins, refused logouts, calls that policy denied, and apps and logins that could not start.
 * After a restart, the list still has refusals and ends of logins of the last seven days, at most 50. In these
 * older decisions, resource is a hash, unless the param about is the name of the resource. {about?: string,
 * limit?: integer} */
#define PASSD_DECISIONS "passd.decisions"
/* Shows the settings and app stanzas in force, the origin of each value, and how the files differ now. */
#define PASSD_CONFIGURATION "passd.configuration"
/* Returns the store as a sealed backup for this device. */
#define PASSD_EXPORT "passd.export"
/* Replaces the store with a sealed backup of this device, and restarts the daemon. {backup: string} */
#define PASSD_IMPORT "passd.import"

/* Callbacks, for passd_on_callback. `disconnected` and `reconnected` come from the library. */

/* Tells whether setRequestor has succeeded. {status: integer} */
#define PASSD_ON_SET_REQUESTOR_COMPLETE "setRequestorComplete"
/* Tells whether the viewer is logged in. {status: integer, errorCode: string, reason?: string, outcome?: string,
 * cause?: string, code?: string, display?: string, displaySource?: string, displayCode?: any} */
#define PASSD_ON_SET_AUTHENTICATION_STATUS "setAuthenticationStatus"
/* Show the providers, then call setSelectedProvider. {providers: array} */
#define PASSD_ON_DISPLAY_PROVIDER_DIALOG "displayProviderDialog"
/* Open this address in the app's browser. After the login or logout there, call handleExternalURL. {url: string,
 * useSVC?: boolean} */
#define PASSD_ON_NAVIGATE_TO_URL "navigateToUrl"
/* Detailed status for logs. It may come before or after the other callbacks. {errorId: string, level: string,
 * message: string, code?: string, link?: string, url?: string, regcode?: string, registrationURL?: string,
 * expires?: integer, qr?: any, resource?: string, action?: string} */
#define PASSD_ON_STATUS "status"
/* A fresh media token. {token: string, resource: string} */
#define PASSD_ON_SET_TOKEN "setToken"
/* No media token for this resource. {resource: string, errorCode: string, errorDescription: string, error?:
 * object, display?: string, displaySource?: string, displayCode?: any, log?: string} */
#define PASSD_ON_TOKEN_REQUEST_FAILED "tokenRequestFailed"
/* The chosen provider. {provider: object or null, state: string} */
#define PASSD_ON_SELECTED_PROVIDER "selectedProvider"
/* The resources that would be permitted. {resources: array} */
#define PASSD_ON_PREAUTHORIZED_RESOURCES "preauthorizedResources"
/* The metadata that was asked for. {key: string, metadata: any, encrypted: boolean, arguments: object} */
#define PASSD_ON_SET_METADATA_STATUS "setMetadataStatus"
/* Data for the app's analytics. {event: string, data: array} */
#define PASSD_ON_SEND_TRACKING_DATA "sendTrackingData"
/* The platform is about to show its dialog. {handle?: string} */
#define PASSD_ON_PRESENT_TV_PROVIDER_DIALOG "presentTvProviderDialog"
/* The platform's dialog has closed. {handle?: string} */
#define PASSD_ON_DISMISS_TV_PROVIDER_DIALOG "dismissTvProviderDialog"
/* An event for a subscriber. {seq: integer, type: string, time: integer, data: object} */
#define PASSD_ON_EVENT "event"
#define PASSD_ON_DISCONNECTED "disconnected"
#define PASSD_ON_RECONNECTED "reconnected"

/* The types of events, after passd.subscribe. */

#define PASSD_EVENT_SESSION_OPENED "session.opened"
#define PASSD_EVENT_SESSION_CLOSED "session.closed"
#define PASSD_EVENT_REQUESTOR "requestor"
#define PASSD_EVENT_REQUESTOR_FAILED "requestor.failed"
#define PASSD_EVENT_LOGIN_OPENED "login.opened"
#define PASSD_EVENT_LOGIN_CLOSED "login.closed"
#define PASSD_EVENT_AUTHENTICATION "authentication"
#define PASSD_EVENT_AUTHORIZATION "authorization"
#define PASSD_EVENT_HINT "hint"
#define PASSD_EVENT_DENIED "denied"
#define PASSD_EVENT_CONFIGURATION "configuration"
#define PASSD_EVENT_READINESS "readiness"
#define PASSD_EVENT_WARNING "warning"
#define PASSD_EVENT_OVERRUN "overrun"

/* What `code` of an error can be. */

#define PASSD_ERROR_CFG400 "CFG400"
#define PASSD_ERROR_CFG404 "CFG404"
#define PASSD_ERROR_CFG429 "CFG429"
#define PASSD_ERROR_CFG5XX "CFG5xx"
#define PASSD_ERROR_DENIED "DENIED"
#define PASSD_ERROR_FLOW_CONFLICT "FLOW_CONFLICT"
#define PASSD_ERROR_INTERNAL_ERROR "INTERNAL_ERROR"
#define PASSD_ERROR_INVALID_PARAMS "INVALID_PARAMS"
#define PASSD_ERROR_INVALID_REQUEST "INVALID_REQUEST"
#define PASSD_ERROR_LIMIT "LIMIT"
#define PASSD_ERROR_METHOD_NOT_FOUND "METHOD_NOT_FOUND"
#define PASSD_ERROR_N111 "N111"
#define PASSD_ERROR_N130 "N130"
#define PASSD_ERROR_N500 "N500"
#define PASSD_ERROR_NOT_READY "NOT_READY"
#define PASSD_ERROR_P100 "P100"
#define PASSD_ERROR_PARSE_ERROR "PARSE_ERROR"
#define PASSD_ERROR_R400 "R400"
#define PASSD_ERROR_R401 "R401"
#define PASSD_ERROR_REG500 "REG500"
#define PASSD_ERROR_REQUESTOR_NOT_SET "REQUESTOR_NOT_SET"
#define PASSD_ERROR_SEC403 "SEC403"
#define PASSD_ERROR_SEC420 "SEC420"
#define PASSD_ERROR_Z120 "Z120"
#define PASSD_ERROR_Z130 "Z130"
#define PASSD_ERROR_Z500 "Z500"

#endif
