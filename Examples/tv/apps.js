/** The two programmers' apps: the requestor of each app, and its channels. Channels with `isFree` need no login. */
export const apps = {
  "lumen-tv": {
    name: "Lumen TV",
    hue: 205,
    requestor: "LUMENTV",
    channels: [
      { id: "lumen-sports-1", name: "Lumen Sports 1", now: "Harbour regatta, the final", hue: 205 },
      { id: "lumen-movies", name: "Lumen Movies", now: "The Long Way Down", hue: 285 },
      { id: "lumen-trailers", name: "Lumen Trailers", now: "What comes this week", hue: 160, isFree: true },
    ],
  },
  news24: {
    name: "News 24",
    hue: 355,
    requestor: "NEWS24",
    channels: [
      { id: "news24-live", name: "News 24 live", now: "The news at this hour", hue: 355 },
      { id: "news24-archive", name: "News 24 archive", now: "A year in pictures", hue: 30 },
    ],
  },
};
