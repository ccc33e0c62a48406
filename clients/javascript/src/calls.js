// Made by clients/generate from the daemon's OpenRPC document.

/**
 * The options of a call, which every call takes after its params. `within` is the max time for the call in milliseconds.
 * `signal` cancels the call.
 * @typedef {{within?: number, signal?: AbortSignal}} CallOptions
 */

/** The names of the daemon's callbacks. */
export const CALLBACKS = [
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
];

/**
 * The params of the daemon's methods, for error messages; those with a question mark may be left out.
 * @type {Record<string, string>}
 */
export const PARAMS = {
  "passd.hello": "{ client?, protocol? }",
  "passd.whoami": "{}",
  "passd.subscribe": "{ types? }",
  "passd.unsubscribe": "{}",
  "passd.suggestions": "{ requestorID? }",
  "rpc.discover": "{}",
  "setOptions": "{ applicationProfile?, visitorID?, handleSVC?, deviceInfo?, flow?, callbacks?, qr?, language? }",
  "setRequestor": "{ requestorID, serviceProviders?, softwareStatement?, storageCheck? }",
  "checkAuthentication": "{}",
  "getAuthentication": "{ forceAuthentication?, data?, filter? }",
  "setSelectedProvider": "{ providerID }",
  "getSelectedProvider": "{}",
  "handleExternalURL": "{ url }",
  "checkAuthorization": "{ resource, data? }",
  "getAuthorization": "{ resource, data? }",
  "checkPreauthorizedResources": "{ resources, cache? }",
  "preauthorize": "{ resources, disabledFeatures? }",
  "getMetadata": "{ key, resource?, userMetadataKey? }",
  "logout": "{}",
  "listProviders": "{ includeTempPass? }",
  "listProfiles": "{}",
  "passd.household": "{}",
  "passd.signOut": "{}",
  "passd.status": "{}",
  "passd.sessions": "{}",
  "passd.tokens": "{}",
  "passd.forget": "{ requestorID?, provider? }",
  "passd.logoutAll": "{}",
  "passd.reload": "{}",
  "passd.metrics": "{}",
  "passd.policyExplain": "{ method, uid?, pid?, unit?, origin?, socket?, requestorID? }",
  "passd.doctor": "{ offline? }",
  "passd.record": "{ on }",
  "passd.decisions": "{ about?, limit? }",
  "passd.configuration": "{}",
  "passd.export": "{}",
  "passd.import": "{ backup }",
};

/** The daemon's methods. */
export class Calls {
  /**
   * Calls any method by its name.
   * @param {string} method
   * @param {object} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<any>}
   */
  call(method, params, options) {
    throw new Error(`${method} is called without a connection`, { cause: { params, options } });
  }

  /**
   * Introduces the client, and returns what the daemon knows about the client.
   * @param {import("./protocol.js").HelloParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").HelloResult>}
   */
  hello(params, options) {
    return this.call("passd.hello", params, options);
  }

  /**
   * Tells who the peer is, what policy allows the peer, and which rule decided.
   * @param {import("./protocol.js").WhoamiParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").WhoamiResult>}
   */
  whoami(params, options) {
    return this.call("passd.whoami", params, options);
  }

  /**
   * Sends events from now on. If a client reads too slowly, the daemon sends overrun as the last event, and
   * disconnects the client.
   * @param {import("./protocol.js").SubscribeParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").SubscribeResult>}
   */
  subscribe(params, options) {
    return this.call("passd.subscribe", params, options);
  }

  /**
   * Stops the events.
   * @param {import("./protocol.js").UnsubscribeParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<Record<string, any>>}
   */
  unsubscribe(params, options) {
    return this.call("passd.unsubscribe", params, options);
  }

  /**
   * Lists the requestors that the peer may use, with the providers and resources that the daemon remembers for
   * them.
   * @param {import("./protocol.js").SuggestionsParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").SuggestionsResult>}
   */
  suggestions(params, options) {
    return this.call("passd.suggestions", params, options);
  }

  /**
   * Returns the description of this interface as OpenRPC 1.4.
   * @param {import("./protocol.js").DiscoverParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").DiscoverResult>}
   */
  discover(params, options) {
    return this.call("rpc.discover", params, options);
  }

  /**
   * Sets options for all later calls of this session. Options that the call leaves out do not change.
   * @param {import("./protocol.js").SetOptionsParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<Record<string, any>>}
   */
  setOptions(params, options) {
    return this.call("setOptions", params, options);
  }

  /**
   * Chooses the requestor, once for each connection. Until setRequestor has succeeded, other entitlement methods
   * fail, except setOptions.
   * @param {import("./protocol.js").SetRequestorParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").SetRequestorResult>}
   */
  setRequestor(params, options) {
    return this.call("setRequestor", params, options);
  }

  /**
   * Tells whether the viewer is logged in. Does not ask the service.
   * @param {import("./protocol.js").CheckAuthenticationParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").CheckAuthenticationResult>}
   */
  checkAuthentication(params, options) {
    return this.call("checkAuthentication", params, options);
  }

  /**
   * Starts a login, and does not wait for the viewer. In the result, state says what the app must do next.
   * authenticated: nothing. selectProvider: show providers and call setSelectedProvider. secondScreen: show link
   * as a QR code, and show code with url. browser: open url. platformDialog: nothing, because the box itself asks
   * the viewer. The callback setAuthenticationStatus tells the outcome of the login.
   * @param {import("./protocol.js").GetAuthenticationParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").GetAuthenticationResult>}
   */
  getAuthentication(params, options) {
    return this.call("getAuthentication", params, options);
  }

  /**
   * Chooses the provider and continues the login. The state selected means that no login is open; the next login
   * uses the choice. With providerID null, cancels the login and forgets the choice. With the setting cancel-
   * signs-out, null also signs this requestor out, until the next choice or login, or until a later setRequestor
   * finds a login at the service.
   * @param {import("./protocol.js").SetSelectedProviderParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").SetSelectedProviderResult>}
   */
  setSelectedProvider(params, options) {
    return this.call("setSelectedProvider", params, options);
  }

  /**
   * Tells which provider is chosen. Does not ask the service.
   * @param {import("./protocol.js").GetSelectedProviderParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").GetSelectedProviderResult>}
   */
  getSelectedProvider(params, options) {
    return this.call("getSelectedProvider", params, options);
  }

  /**
   * Completes a login or logout in the app's own browser. When the browser is about to load the redirect URL of
   * the box, the app closes the browser and calls this method with the URL.
   * @param {import("./protocol.js").HandleExternalURLParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").HandleExternalURLResult>}
   */
  handleExternalURL(params, options) {
    return this.call("handleExternalURL", params, options);
  }

  /**
   * Authorizes a resource and returns a media token. If the viewer is not logged in, the result says so, and no
   * login begins.
   * @param {import("./protocol.js").CheckAuthorizationParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").CheckAuthorizationResult>}
   */
  checkAuthorization(params, options) {
    return this.call("checkAuthorization", params, options);
  }

  /**
   * Authorizes a resource and returns a media token. If the viewer is not logged in, a login begins, and the
   * result has pending and the members of getAuthentication's result. After the login, setToken or
   * tokenRequestFailed follows. If the login fails, only setAuthenticationStatus follows.
   * @param {import("./protocol.js").GetAuthorizationParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").GetAuthorizationResult>}
   */
  getAuthorization(params, options) {
    return this.call("getAuthorization", params, options);
  }

  /**
   * Returns the resources that would be permitted, for a menu. Before a play, call getAuthorization or
   * checkAuthorization.
   * @param {import("./protocol.js").CheckPreauthorizedResourcesParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").CheckPreauthorizedResourcesResult>}
   */
  checkPreauthorizedResources(params, options) {
    return this.call("checkPreauthorizedResources", params, options);
  }

  /**
   * Returns a decision for each resource, for a menu, with the reason for each refusal. The reason
   * decision_missing means that the service's answer has no decision about the resource.
   * @param {import("./protocol.js").PreauthorizeParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").PreauthorizeResult>}
   */
  preauthorize(params, options) {
    return this.call("preauthorize", params, options);
  }

  /**
   * Reads one value. METADATA_AUTHENTICATION: when the login ends. METADATA_AUTHORIZATION: when the authorization
   * of resource ends. METADATA_DEVICE_ID: the device's ID, if expose-identity is on. METADATA_USER_META: a value
   * about the viewer, named by userMetadataKey. In the result, metadata is null if there is no value, and a time
   * is a string of milliseconds.
   * @param {import("./protocol.js").GetMetadataParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").GetMetadataResult>}
   */
  getMetadata(params, options) {
    return this.call("getMetadata", params, options);
  }

  /**
   * Logs the viewer out of all apps on the box. With the setting logout-scope = requestor, the viewer stays logged
   * in for other requestors. In the result, actions says for each provider what is left to do. none: nothing.
   * browser: open url. platformSettings: the viewer signs out in the settings of the box.
   * @param {import("./protocol.js").LogoutParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").LogoutResult>}
   */
  logout(params, options) {
    return this.call("logout", params, options);
  }

  /**
   * Lists the providers that this requestor works with.
   * @param {import("./protocol.js").ListProvidersParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").ListProvidersResult>}
   */
  listProviders(params, options) {
    return this.call("listProviders", params, options);
  }

  /**
   * Lists the logins of this requestor.
   * @param {import("./protocol.js").ListProfilesParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").ListProfilesResult>}
   */
  listProfiles(params, options) {
    return this.call("listProfiles", params, options);
  }

  /**
   * Shows who is signed in on the box, which apps use each login, and for which apps a code is open.
   * @param {import("./protocol.js").HouseholdParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").HouseholdResult>}
   */
  household(params, options) {
    return this.call("passd.household", params, options);
  }

  /**
   * Signs the viewer out of all apps, on the box and at the service, and ends the codes that no app shows. Waits
   * at most 15 s for the service. passd reports the remaining logouts again later.
   * @param {import("./protocol.js").SignOutParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").SignOutResult>}
   */
  signOut(params, options) {
    return this.call("passd.signOut", params, options);
  }

  /**
   * Returns the version, the readiness, the service, the logins, the codes on screens, the last refusals, the
   * store and the warnings.
   * @param {import("./protocol.js").StatusParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").StatusResult>}
   */
  status(params, options) {
    return this.call("passd.status", params, options);
  }

  /**
   * Lists the connected apps.
   * @param {import("./protocol.js").SessionsParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").SessionsResult>}
   */
  sessions(params, options) {
    return this.call("passd.sessions", params, options);
  }

  /**
   * Lists the stored logins, without any secret.
   * @param {import("./protocol.js").TokensParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").TokensResult>}
   */
  tokens(params, options) {
    return this.call("passd.tokens", params, options);
  }

  /**
   * Removes stored logins from this device only: all logins, or those that the params select.
   * @param {import("./protocol.js").ForgetParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").ForgetResult>}
   */
  forget(params, options) {
    return this.call("passd.forget", params, options);
  }

  /**
   * Logs the viewer out of every requestor, on this box and at the service. Waits at most 15 s for the service.
   * passd reports the remaining logouts again later.
   * @param {import("./protocol.js").LogoutAllParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").LogoutAllResult>}
   */
  logoutAll(params, options) {
    return this.call("passd.logoutAll", params, options);
  }

  /**
   * Reads the configuration again. A configuration with errors changes nothing.
   * @param {import("./protocol.js").ReloadParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").ReloadResult>}
   */
  reload(params, options) {
    return this.call("passd.reload", params, options);
  }

  /**
   * Returns the daemon's metrics in the text format of Prometheus.
   * @param {import("./protocol.js").MetricsParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").MetricsResult>}
   */
  metrics(params, options) {
    return this.call("passd.metrics", params, options);
  }

  /**
   * Tells what policy would decide, and by which rule.
   * @param {import("./protocol.js").PolicyExplainParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").PolicyExplainResult>}
   */
  policyExplain(params, options) {
    return this.call("passd.policyExplain", params, options);
  }

  /**
   * Runs named checks, and explains how to fix failures. Asks the service whether it answers, and registers apps
   * that are not registered yet.
   * @param {import("./protocol.js").DoctorParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").DoctorResult>}
   */
  doctor(params, options) {
    return this.call("passd.doctor", params, options);
  }

  /**
   * Records the exchanges with the service, without secrets. on = true begins or continues a record, and on =
   * false ends the record. Each call returns the exchanges since the previous call. A record also ends 15 minutes
   * after the last call.
   * @param {import("./protocol.js").RecordParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").RecordResult>}
   */
  record(params, options) {
    return this.call("passd.record", params, options);
  }

  /**
   * Lists the last decisions; the newest comes last. The list has all plays. It also has menu entries that are not
   * permitted, ends of logins, refused logouts, calls that policy denied, and apps and logins that could not
   * start. After a restart, the list still has refusals and ends of logins of the last seven days, at most 50. In
   * these older decisions, resource is a hash, unless the param about is the name of the resource.
   * @param {import("./protocol.js").DecisionsParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").DecisionsResult>}
   */
  decisions(params, options) {
    return this.call("passd.decisions", params, options);
  }

  /**
   * Shows the settings and app stanzas in force, the origin of each value, and how the files differ now.
   * @param {import("./protocol.js").ConfigurationParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").ConfigurationResult>}
   */
  configuration(params, options) {
    return this.call("passd.configuration", params, options);
  }

  /**
   * Returns the store as a sealed backup for this device.
   * @param {import("./protocol.js").ExportParams} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").ExportResult>}
   */
  export(params, options) {
    return this.call("passd.export", params, options);
  }

  /**
   * Replaces the store with a sealed backup of this device, and restarts the daemon.
   * @param {import("./protocol.js").ImportParams} params
   * @param {CallOptions} [options]
   * @returns {Promise<import("./protocol.js").ImportResult>}
   */
  import(params, options) {
    return this.call("passd.import", params, options);
  }
}
