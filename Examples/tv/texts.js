/**
 * All texts for viewers, apart from the provider's own words and the texts of the screen for signing in. To translate, change
 * this file, `texts` of `<passd-sign-in>`, and `lang` of the pages.
 */
export const texts = {
  home: "Your apps",
  openApp: "Open the app",

  channels: "Channels",
  signIn: "Sign in",
  signOut: "Sign out",
  leave: "All apps",
  signedOut: "Not signed in",
  signedIn: (provider) => `Signed in with ${provider}`,
  signedInUnnamed: "Signed in",
  marks: {
    free: "Free",
    mayWatch: "Watch now",
    signIn: "Sign in to watch",
    unavailable: "Not available to you",
    asking: "One moment…",
    unknown: "Press OK to try",
  },
  unknownChannels: "Your TV provider cannot be asked at the moment.",

  wait: "One moment…",

  playing: (channel) => `You are watching ${channel}`,
  live: "Live",
  stop: "Stop",

  again: "Try again",
  toChannels: "Back to the channels",
  refused: (channel) => `${channel} is not available to you`,
  blackedOut: (channel) => `${channel} is not available at the moment`,
  serviceAway: "Your TV provider cannot be reached",
  serviceAwayHint: "Check the network of this TV, and try again.",
  tokenRefused: (channel) => `${channel} does not start`,
  tokenRefusedHint: "The channel did not accept the permission. Try again.",
  trouble: "This does not work at the moment",
  troubleHint: "Try again. If that does not help, turn the TV off and on.",
  notPermitted: (app) => `${app} may not be used on this TV`,
  notPermittedHint: "The app has not been set up on this TV.",

  away: "The TV’s sign-in service is not answering. Trying again…",
  awayTitle: "The TV is not ready yet",
  awayHint: "The TV’s sign-in service is not answering. Try again in a moment.",
  back: "The TV’s sign-in service is back.",

  askSignOut: "Sign out on this TV?",
  askSignOutHint: "All apps on this TV are signed out.",
  stay: "Stay signed in",
  ends: {
    logout: "You have been signed out.",
    revoked: "Your TV provider has ended the sign-in.",
    expired: "The sign-in has expired.",
    reconnected: "You have been signed out.",
  },
  signedInByOther: "You are signed in: another app on this TV has done it for you.",
};
