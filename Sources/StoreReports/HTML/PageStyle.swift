/// How pages of audits and recoveries look, in the colours of reports: a phone, a desk, light, dark and on paper.
enum PageStyle {
  static let text: HTML = """
    \(Palette.text)
    :root { --good: #2a9d6f; --well: #3f8fd2; --fair: #d99a1c; --blocked: #d1495b; --stage: #8d5fc4; --unknown: #64748b;
      --damaged: #7a2e3a; --unread: #a9b1bc; --foreign: #b0763a; }
    @media (prefers-color-scheme: dark) { :root { --good: #3fb583; --well: #5aa5e2; --fair: #e0ab3a; --blocked: #e5677a;
      --stage: #a982da; --unknown: #8595ab; --damaged: #b5566a; --unread: #66707d; --foreign: #c9955c; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--bg); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
    header, main, footer { max-width: 75rem; margin: 0 auto; padding: 0 2.5rem; }
    a { color: var(--accent); text-underline-offset: .18em; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
    header { padding-bottom: 1.5rem; }
    h1 { font-size: clamp(1.75rem, 4.4vw, 2.625rem); line-height: 1.12; font-weight: 650; margin: 2.5rem 0 1.5rem; letter-spacing: -.022em;
      max-width: 22em; text-wrap: balance; overflow-wrap: anywhere; }
    h2 { font-size: 1.1875rem; font-weight: 650; line-height: 1.25; margin: 0 0 1rem; }
    .kicker { margin: 0; padding: 1.25rem 0; border-bottom: 1px solid var(--line); font-size: .875rem; font-weight: 600; overflow-wrap: anywhere; }
    .remark { margin: .25rem 0; color: var(--soft); }
    .faint, .rest { color: var(--soft); font-weight: 400; font-size: .875rem; }
    .rest { margin: .5rem 0 0; }
    .rest:empty { display: none; }
    main { display: grid; grid-template-columns: minmax(0, 1fr); }
    .card { border-top: 1px solid var(--line); padding: 2rem 0; min-width: 0; }
    .card.failed { border-top: 2px solid var(--error); }
    .card.passed { border-top: 2px solid var(--ok); }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .5rem 0 .5rem 1rem; border-top: 1px solid var(--line); }
    th:first-child, td:first-child { padding-left: 0; }
    thead th { border-top: 0; padding-top: 0; font-size: .8rem; font-weight: 600; color: var(--soft); }
    tbody th { font-weight: 400; min-width: 0; }
    .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 1%; }
    .name { font-weight: 600; }
    .name, .paths li, code, .demands, dd { overflow-wrap: anywhere; }
    code { font: .9em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
    .tag { display: inline-block; padding: 0 .45em; border-radius: .3em; font-size: .75rem; line-height: 1.5;
      background: var(--wash); color: var(--ink); }
    .tag.error { border: 1px solid var(--blocked); }
    .tag.warning { border: 1px solid var(--fair); }
    .tag.note { border: 1px solid var(--unread); }
    .bar { display: block; width: 100%; height: .75rem; margin: .35rem 0; border-radius: .25rem; background: var(--wash); }
    .bar.thin { height: .3rem; }
    .bar.wide { height: 1.75rem; border-radius: .4rem; margin-bottom: .75rem; }
    .histogram { display: block; width: 100%; height: 9rem; border-bottom: 1px solid var(--line); }
    .axis { display: flex; justify-content: space-between; margin: .25rem 0 .75rem; color: var(--soft);
      font-size: .875rem; }
    .bar, .histogram { --wash: var(--line); }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1rem; padding: 0; }
    .swatch { display: inline-block; width: .75em; height: .75em; border-radius: .2em; margin-right: .4em; }
    .opens, .healthy { fill: var(--good); background: var(--good); }
    .migrates { fill: var(--well); background: var(--well); }
    .losing, .findings, rect.warning { fill: var(--fair); background: var(--fair); }
    .blocked-by-data, rect.error { fill: var(--blocked); background: var(--blocked); }
    .needs-custom-stage { fill: var(--stage); background: var(--stage); }
    .unknown-version { fill: var(--unknown); background: var(--unknown); }
    .foreign-model { fill: var(--foreign); background: var(--foreign); }
    .damaged { fill: var(--damaged); background: var(--damaged); }
    .unread, rect.note { fill: var(--unread); background: var(--unread); }
    .plain { fill: var(--bar); }
    rect { background: none !important; shape-rendering: crispEdges; }
    .demands { list-style: none; margin: 0; padding: 0; }
    .demands li { padding: .35rem 0; }
    .mark { display: inline-block; min-width: 4.5em; font-weight: 600; }
    details { font-size: .875rem; }
    summary { cursor: pointer; color: var(--soft); width: max-content; padding: .15rem 0; }
    .more { font-size: inherit; border-top: 1px solid var(--line); }
    .more > summary { font-size: .875rem; padding: .6rem 0; }
    .more > summary:hover, summary:hover { color: var(--ink); }
    .paths { margin: .25rem 0 0; padding-left: 1.1rem; }
    .facts { display: flex; flex-wrap: wrap; gap: .5rem clamp(1rem, 4vw, 2rem); margin: 0 0 1rem; }
    .words { margin: 0; font-weight: 400; }
    .words code:empty { display: none; }
    .run { margin: 1rem 0 0; font-size: .875rem; }
    .run div { display: flex; flex-wrap: wrap; gap: 0 .75rem; }
    .run dt { color: var(--soft); min-width: 6em; }
    .run dd { margin: 0; }
    .run .command { flex: 1 1 20rem; font: .95em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
    .commands { margin: .35rem 0 .5rem; }
    .commands code { display: block; padding: .35rem .6rem; border-radius: .35rem; background: var(--wash); }
    .opt { display: inline-block; max-width: 100%; }
    .commands code + code { margin-top: .25rem; }
    .scroll { overflow-x: auto; max-width: 100%; }
    .all > summary { width: auto; color: inherit; padding: 0; }
    .all > summary h2 { display: inline; }
    .all .rest { margin: .5rem 0; }
    .all td, .all th { font-size: .875rem; overflow-wrap: anywhere; }
    .all td { min-width: 7em; }
    .facts dt { font-size: .8rem; color: var(--soft); }
    .facts dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
    \(TableScript.style)
    .rows td, .rows th { padding: .45rem 1.25rem .45rem 0; } .rows thead th { white-space: nowrap; }
    footer > p { border-top: 1px solid var(--line); padding-top: 1.5rem; }
    footer { padding-bottom: 2.5rem; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
    @media (min-width: 60rem) {
      /* What to act on over the whole width, the rest in two columns of equal height. */
      main { display: block; columns: 2; column-gap: 4rem; }
      .card { break-inside: avoid; }
      #gate, #causes, #atRisk, #problems, #findings, #stores { column-span: all; break-inside: auto; }
    }
    @media (max-width: 56rem) { header, main, footer { padding-left: 1.125rem; padding-right: 1.125rem; } }
    @media (max-width: 36rem) {
      h1 { margin-top: 1.75rem; }
      .card { padding: 1.5rem 0; }
      .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .stacked tbody tr { display: flex; flex-wrap: wrap; gap: 0 .5rem; align-items: baseline;
        border-top: 1px solid var(--line); padding: .5rem 0; }
      .stacked tbody th { display: contents; }
      .stacked .bar, .stacked details { flex: 1 0 100%; }
      .stacked .bar + .faint { flex: 1 0 100%; }
      .stacked details { order: 1; }
      .stacked tbody td { width: auto; padding: 0 .4rem 0 0; border: 0; font-size: .95rem; }
      .facts dd { font-size: 1.1rem; }
      .stacked tbody td::before { content: attr(data-label) " "; color: var(--soft); font-size: .875rem; }
    }
    @media print {
      body { font-size: 10pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      main { display: block; }
      header, main, footer { padding-left: 0; padding-right: 0; max-width: none; }
      h1 { margin: 1rem 0; } .card { padding: 1rem 0; }
      tr, .bar, .histogram, h2 { break-inside: avoid; }
      h2 { break-after: avoid; }
      details:not(.more, .long)::details-content { content-visibility: visible; display: block; }
      details:not(.more, .long, .all) > summary { display: none; }
    }

    """
}
