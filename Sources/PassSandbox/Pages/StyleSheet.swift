// The stylesheets of the pages: colours in light and dark, type, forms, notices. They use system fonts and only our own
// images.

let baseStyle = """
    :root {
      color-scheme: light dark;
      --page: #f3f5f8; --card: #ffffff; --text: #171b21; --soft: #545e6b; --line: #7d8794; --hair: #dde2e9;
      --accent: #1f4fbf; --accent-ink: #ffffff; --link: #1b48b3;
      --bad: #a4161a; --bad-page: #fdeeee; --good: #17653b; --good-page: #eaf6ef; --focus: #1f4fbf;
      --brand: var(--accent); --brand-ink: var(--accent-ink);
      --round: 0.875rem;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0f1318; --card: #1a2028; --text: #eef2f6; --soft: #abb5c1; --line: #7c8896; --hair: #2d3641;
        --accent: #8fb4ff; --accent-ink: #0a1c3f; --link: #a5c3ff;
        --bad: #ffb3ad; --bad-page: #3a191b; --good: #8fdcae; --good-page: #15301f; --focus: #ffd35c;
      }
    }
    *, *::before, *::after { box-sizing: border-box; }
    html { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
      line-height: 1.5; background: var(--page); color: var(--text); -webkit-text-size-adjust: 100%; }
    body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; }
    main { flex: 1; }
    h1, h2, h3, p, ul, ol, dl, pre, blockquote { margin: 0 0 1rem; }
    h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.015em; font-weight: 700; text-wrap: balance; }
    h1, h2, h3, p, li, dd, code { overflow-wrap: break-word; }
    a { color: var(--link); text-underline-offset: 0.15em; display: inline-block; min-height: 24px; }
    .skip { position: absolute; left: -100vw; top: 0; padding: 0.75rem 1rem; background: var(--card); z-index: 1; }
    .skip:focus { left: 0; }
    :focus-visible { outline: 0.1875rem solid var(--focus); outline-offset: 0.1875rem; }
    .wordmark { display: inline-flex; align-items: center; gap: 0.625rem; color: inherit; font-weight: 650;
      text-decoration: none; }
    .wordmark img { width: 2rem; height: 2rem; }
    .hint, small { color: var(--soft); }
    .card { background: var(--card); border: 1px solid var(--hair); border-radius: var(--round); padding: 1.5rem;
      box-shadow: 0 1px 2px rgb(10 20 40 / 0.06), 0 8px 24px rgb(10 20 40 / 0.05); }
    label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
    input { display: block; width: 100%; font: inherit; font-size: max(1.0625rem, 16px); color: inherit;
      background: var(--card); border: 0.125rem solid var(--line); border-radius: 0.625rem; padding: 0.75rem 0.875rem;
      margin: 0 0 1.25rem; }
    input[aria-invalid] { border-color: var(--bad); }
    button, .button { display: block; width: 100%; font: inherit; font-size: 1.0625rem; font-weight: 650;
      text-align: center; text-decoration: none; cursor: pointer; color: var(--brand-ink); background: var(--brand);
      border: 0.125rem solid transparent; border-radius: 0.625rem; padding: 0.8125rem 1.25rem; }
    @media (prefers-color-scheme: dark) { .branded button, .branded .button { border-color: var(--brand-ink); } }
    button:hover, .button:hover { filter: brightness(1.08); text-decoration: underline; }
    button:active, .button:active { filter: brightness(0.94); }
    .notice { background: var(--card); border: 1px solid var(--hair); box-shadow: inset 0.375rem 0 var(--good);
      border-radius: var(--round); padding: 1.25rem 1.25rem 0.25rem 1.625rem; margin-bottom: 1.5rem; }
    .notice.problem { box-shadow: inset 0.375rem 0 var(--bad); background: var(--bad-page); }
    .notice.problem strong { color: var(--bad); }
    .notice ol { padding-left: 1.5rem; }
    blockquote { margin-left: 0; padding-left: 1rem; border-left: 0.1875rem solid var(--hair); }
    @media (forced-colors: active) { button, .button, .card, .notice { border-color: CanvasText; } }
    @media (prefers-reduced-motion: no-preference) {
      button, .button { transition: filter 120ms ease; }
    }
    """

/// The style of pages for viewers: one column, and type that grows with a television's distance.
let viewerStyle = """
    .viewer body { width: 100%; }
    .viewer header, .viewer main, .viewer footer { width: 100%; max-width: 32rem; margin: 0 auto;
      padding: 0 1.25rem; }
    .viewer header { padding-top: 1.25rem; padding-bottom: 1.25rem; }
    .viewer main { padding-top: 0.5rem; padding-bottom: 2rem; }
    .viewer footer { color: var(--soft); font-size: 0.875rem; padding-bottom: 0.5rem; }
    .viewer:not(.branded) h1 { margin-bottom: 1.25rem; }
    .onward { margin: 1rem 0 0; text-align: center; }
    .ways { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 0.5rem; margin-top: 0.75rem; }
    .ways .onward { margin: 0; }
    .quiet { display: inline-block; padding: 0.625rem 0.75rem; }
    .ways button.quiet { width: auto; color: var(--link); background: none; border: 0; font-size: 1rem;
      font-weight: 400; text-decoration: underline; text-underline-offset: 0.15em; }
    .code { font-size: 1.75rem; font-weight: 700; letter-spacing: 0.09em; font-variant-numeric: tabular-nums;
      font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; text-align: center; }
    input.code { text-transform: uppercase; font-size: 1.5rem; padding: 0.75rem 0.5rem; }
    p.code { background: var(--page); border-radius: 0.625rem; padding: 0.625rem; margin-bottom: 1.5rem; }
    .reveal { position: relative; }
    .reveal input { padding-right: 5rem; }
    .reveal button.quiet { position: absolute; right: 0.25rem; top: 0.25rem; bottom: 0.25rem; width: auto;
      padding: 0 0.75rem; color: var(--link); background: none; border: 0; font-size: 1rem; }
    .providers { list-style: none; padding: 0; display: grid; gap: 0.75rem; }
    .providers button { display: flex; align-items: center; gap: 1rem; text-align: left; color: var(--text);
      background: var(--card); border: 0.125rem solid var(--line); padding: 0.75rem 1rem; }
    .providers button:hover { filter: none; border-color: var(--accent); }
    .providers img { width: 3.5rem; height: 3.5rem; flex: none; }
    .providers .name { font-size: 1.125rem; }
    .providers small { display: block; text-wrap: balance; font-size: 0.9375rem; font-weight: 400; }
    @media (min-width: 40rem) {
      .viewer header { padding-top: 2rem; }
      .viewer main { padding-top: 2rem; }
      .viewer .card { padding: 2rem; }
    }
    /* A phone on its side: what has to be pressed stays on the screen. */
    @media (max-height: 30rem) {
      .viewer header, .viewer main { padding-top: 0.5rem; }
      .viewer header { padding-bottom: 0.5rem; }
      .viewer h1, .viewer:not(.branded) h1 { font-size: 1.25rem; margin-bottom: 0.5rem; }
      .viewer .card { padding: 0.75rem 1.25rem; }
      .viewer .card p { margin-bottom: 0.5rem; }
      .viewer input { margin-bottom: 0.75rem; }
      .viewer input, .viewer input.code, .viewer button, .viewer p.code { padding-top: 0.375rem; padding-bottom: 0.375rem; }
      .viewer .notice { padding-top: 0.5rem; margin-bottom: 0.75rem; }
      .viewer .notice p { margin-bottom: 0.5rem; }
    }
    @media (min-width: 1600px) and (min-height: 700px) {
      html.viewer { font-size: min(1.3vw, 2.3vh); }
      .viewer header { padding-top: 1.25rem; padding-bottom: 1.25rem; }
      .viewer main { display: flex; flex-direction: column; justify-content: center; padding-top: 0.5rem;
        padding-bottom: 1.5rem; }
      .viewer .card { padding: 1.5rem 2rem; }
      .viewer main > * { width: 100%; }
      .viewer :focus-visible { outline-width: 0.25rem; }
      html.viewer.circle header { padding-top: 0.75rem; padding-bottom: 3.25rem; }
      html.viewer.circle main { padding-top: 2.25rem; }
    }
    """

/// The style of the providers' own pages. Each shape of logo has its own layout.
let brandStyle = """
    .branded header { background: var(--brand); color: var(--brand-ink); display: flex; align-items: center;
      gap: 1rem; max-width: none; }
    .branded .logo { width: 4rem; height: 4rem; flex: none; }
    .branded .provider { margin: 0; }
    .branded .provider strong { display: block; font-size: 1.375rem; line-height: 1.2; }
    .branded h1 { margin-bottom: 0.25rem; }
    .branded h1 + .notice { margin-top: 1rem; }
    .branded main > h1 + p { color: var(--soft); }
    .branded main > h1 + p strong { color: var(--text); }

    /* A round logo that hangs over the edge of a curved band. */
    .circle header { flex-direction: column; text-align: center; gap: 0.5rem; padding-top: 1.5rem;
      padding-bottom: 3.5rem; border-radius: 0 0 50% 50% / 0 0 2.5rem 2.5rem; position: relative; }
    .circle .logo { position: absolute; bottom: -2rem; width: 5rem; height: 5rem; }
    .viewer.circle header { padding-bottom: 3.5rem; }
    .viewer.circle main { padding-top: 3rem; }
    .circle h1, .circle h1 + p { text-align: center; }
    .circle button, .circle .button, .circle input { border-radius: 2rem; }
    .circle input { padding-left: 1.25rem; }

    /* Squares: no round corner anywhere, lines above and below. */
    .square { --round: 0; }
    .square header { border-bottom: 0.375rem solid var(--brand-ink); box-shadow: 0 0.375rem 0 var(--brand); }
    .square input, .square button, .square .button { border-radius: 0; }
    .viewer.square main { padding-top: 1.75rem; }

    /* A mountain side: the band is cut aslant, fields are lines to write on. */
    .viewer.diamond header { padding-bottom: 3.5rem; clip-path: polygon(0 0, 100% 0, 100% 66%, 0 100%);
      flex-direction: row; }
    .diamond main { padding-top: 0.5rem; }
    .diamond .card { border: 0; background: none; box-shadow: none; padding-left: 0; padding-right: 0; }
    .diamond input { border-width: 0 0 0.1875rem; border-radius: 0.25rem 0.25rem 0 0; background: var(--card); }
    .diamond button, .diamond .button { border-radius: 0.125rem; }

    /* A lighthouse at night: the whole page in the provider's colour, the form on a card. */
    .hexagon, .hexagon body { background: var(--brand); }
    .hexagon header, .hexagon main, .hexagon footer { max-width: 32rem; }
    .hexagon header { justify-content: flex-start; background: none; }
    .hexagon main { background: var(--card); border-radius: 1.25rem; flex: none; margin-bottom: 1.5rem;
      width: calc(100% - 1.5rem); padding-top: 1.75rem; padding-bottom: 1rem; }
    .hexagon .card { background: none; border: 0; box-shadow: none; padding: 0; }
    .hexagon footer { color: var(--brand-ink); margin-top: auto; }
    .hexagon footer a { color: inherit; }
    .hexagon header :focus-visible, .hexagon footer :focus-visible { outline-color: var(--brand-ink); }
    .hexagon .notice { background: none; }
    .hexagon .notice.problem { background: var(--bad-page); }

    @media (min-width: 60rem) and (min-height: 34rem) {
      .square body { display: grid; grid-template-columns: minmax(18rem, 2fr) 3fr; grid-template-rows: 1fr auto; }
      .square .skip { grid-column: 1 / -1; }
      .square header { grid-row: 1 / 3; flex-direction: column; justify-content: center; text-align: center;
        border-bottom: 0; border-right: 0.375rem solid var(--brand-ink); box-shadow: 0.375rem 0 0 var(--brand); }
      .square .logo { width: 8rem; height: 8rem; }
      .square main { align-self: center; }
      .diamond header { padding-left: max(1.25rem, calc(50vw - 16rem + 1.25rem)); }
      .hexagon main { padding-left: 2.5rem; padding-right: 2.5rem; padding-top: 2.25rem; }
    }
    """

/// The style of the start page and the list of errors.
let developerStyle = """
    .developer header { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: center;
      justify-content: space-between; border-bottom: 1px solid var(--hair); background: var(--card); }
    .developer header, .developer main, .developer footer { padding: 1rem max(1.25rem, calc(50vw - 30rem)); }
    .developer nav { display: flex; gap: 1.25rem; }
    .developer main { padding-top: 2rem; }
    .developer h1 { font-size: 2rem; }
    .developer h2 { font-size: 1.375rem; margin: 2.75rem 0 0.75rem; letter-spacing: -0.01em; }
    .developer h3 { font-size: 1.0625rem; margin: 0; }
    .developer footer { color: var(--soft); }
    .lead { font-size: 1.125rem; max-width: 44rem; }
    pre, code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
      font-size: 0.875rem; }
    pre { background: var(--card); border: 1px solid var(--hair); border-radius: 0.625rem; padding: 1rem;
      white-space: pre-wrap; overflow-wrap: anywhere; }
    li code, dd code, p code { background: var(--card); border: 1px solid var(--hair); border-radius: 0.3rem;
      padding: 0.05rem 0.3rem; }
    .cards { list-style: none; padding: 0; display: grid; gap: 1rem;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); }
    .cards > li { background: var(--card); border: 1px solid var(--hair); border-radius: var(--round);
      padding: 1.25rem; }
    .cards p { margin: 0.25rem 0 0; }
    .cards .head { display: flex; gap: 0.875rem; align-items: center; margin-bottom: 0.5rem; }
    .cards .head img { width: 3rem; height: 3rem; flex: none; }
    .people { list-style: none; padding: 0; margin: 0.75rem 0 0; }
    .people li { border-top: 1px solid var(--hair); padding: 0.625rem 0; }
    .people li:last-child { padding-bottom: 0; }
    .people p { color: var(--soft); }
    .tag { display: inline-block; font-size: 0.8125rem; font-weight: 600; border: 1px solid currentColor;
      border-radius: 1rem; padding: 0 0.5rem; color: var(--soft); vertical-align: 0.1em; }
    .tag.good { color: var(--good); }
    .tag.bad { color: var(--bad); }
    .errors { display: grid; gap: 0.75rem; }
    .errors > div { background: var(--card); border: 1px solid var(--hair); border-radius: 0.625rem; padding: 1rem; }
    .errors > div:target { border-color: var(--accent); box-shadow: 0 0 0 0.125rem var(--accent); }
    .errors > div { min-width: 0; }
    .errors dt { font-weight: 650; overflow-wrap: anywhere; }
    .errors dd { margin: 0.125rem 0 0; color: var(--soft); }
    @media (prefers-reduced-motion: no-preference) { html.developer { scroll-behavior: smooth; } }
    """
