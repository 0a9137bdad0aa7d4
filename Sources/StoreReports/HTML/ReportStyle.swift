/// How reports look: titles in the margin, hairlines, one accent; a phone, a desk, light, dark and on paper.
enum ReportStyle {
  static let text: HTML = """
    \(Palette.text)
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1.5rem; }
    body { margin: 0; background: var(--bg); color: var(--ink);
      font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
    .page { max-width: 75rem; margin: 0 auto; padding: 0 2.5rem; }
    a { color: var(--accent); text-underline-offset: .18em; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
    .skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--bg); padding: .5rem 1rem; }
    .vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
    code { overflow-wrap: anywhere; }
    p, ul, ol, dl { margin: 0 0 1rem; }
    ul:empty { display: none; }
    h1, h2, h3 { line-height: 1.25; font-weight: 650; margin: 0; text-wrap: balance; overflow-wrap: anywhere; }
    h1 { font-size: clamp(1.75rem, 4.4vw, 2.625rem); line-height: 1.12; letter-spacing: -.022em; max-width: 22em; }
    h2 { font-size: 1.1875rem; }
    h3 { font-size: 1.0625rem; }
    h3.sub { font-size: .875rem; color: var(--soft); font-weight: 600; margin: 1.5rem 0 .25rem; }
    .sub:first-child { margin-top: 0; }
    .soft { color: var(--soft); } .small { font-size: .875rem; line-height: 1.5; }
    .top { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 2rem; padding: 1.25rem 0;
      border-bottom: 1px solid var(--line); font-size: .875rem; color: var(--soft); overflow-wrap: anywhere; }
    .top b { color: var(--ink); font-weight: 600; }
    .hero { padding: 3.5rem 0 3rem; }
    .state { font-size: .9375rem; margin: 0 0 1rem; }
    .lead { font-size: 1.0625rem; line-height: 1.55; max-width: 46rem; margin: 1rem 0 0; overflow-wrap: anywhere; }
    .hero > .facts { margin: 1.75rem 0 1rem; } .two .figures { border-bottom: 0; margin: 0; padding: 0; }
    .two { display: grid; grid-template-columns: minmax(0, 1.55fr) minmax(0, 1fr); gap: 2.5rem 4rem; margin-top: 2.5rem; }
    .two h2 { padding-top: .75rem; border-top: 2px solid var(--ink); margin-bottom: 1rem; }
    .two .quiet h2 { border-top-color: var(--mid); }
    .steps { list-style: none; counter-reset: s; padding: 0; margin: 0; }
    .steps > li { counter-increment: s; position: relative; padding-left: 2.25rem; margin-bottom: 1rem; }
    .steps > li::before { content: counter(s); position: absolute; left: 0; top: .35rem; font-weight: 650; color: var(--accent); }
    .steps p { margin: 0; font-size: .875rem; }
    .plain { list-style: none; padding: 0; margin: 0; }
    .plain > li { padding: .4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
    .plain > li:first-child { border-top: 0; padding-top: 0; }
    .lines { list-style: none; padding: 0; font-size: .875rem; line-height: 1.5; overflow-wrap: anywhere; }
    .lines > li { padding: .2rem 0; white-space: pre-wrap; } .lines > li.in { padding-left: 1.5rem; color: var(--soft); }
    .toc ol { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 0 0 1rem; margin: 0; font-size: .875rem; }
    section { border-top: 1px solid var(--line); padding: 2.5rem 0; display: grid;
      grid-template-columns: 11.5rem minmax(0, 1fr); gap: 1.5rem 3rem; }
    section > header p { font-size: .875rem; line-height: 1.5; color: var(--soft); margin: .5rem 0 0; }
    section.wide { grid-template-columns: minmax(0, 1fr); }
    section.wide > header { display: grid; grid-template-columns: 11.5rem minmax(0, 1fr); gap: 0 3rem; }
    section.wide > header p { margin: .1rem 0 0; max-width: 42rem; }
    .no { display: block; font-weight: 400; font-size: .875rem; color: var(--soft); }
    .cmd { display: block; background: var(--wash); border-radius: 4px; padding: .45rem .875rem .45rem 1.9rem;
      text-indent: -1rem; font-size: .8125rem; line-height: 1.6; margin: .35rem 0; white-space: pre-wrap; }
    .opt { display: inline-block; max-width: 100%; text-indent: 0; }
    .cmd::before { content: "$ "; color: var(--soft); }
    .code { background: var(--wash); border-radius: 4px; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; }
    .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1rem 2rem; margin: 0 0 1.5rem; }
    .facts dd { font-size: .9375rem; }
    dt { font-size: .8125rem; color: var(--soft); line-height: 1.4; } dd { margin: 0; overflow-wrap: anywhere; }
    .figures { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin: 0 0 1.75rem; padding: 0 0 1.5rem; border-bottom: 1px solid var(--line); }
    .figures dd { font-size: 1.5rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; order: -1; }
    .figures div { display: flex; flex-direction: column; }
    table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.5; }
    caption { text-align: left; color: var(--soft); padding: 0 0 .5rem; }
    th, td { text-align: left; vertical-align: top; padding: .45rem 1.25rem .45rem 0; border-bottom: 1px solid var(--line); }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { font-weight: 600; font-size: .8125rem; color: var(--soft); border-bottom-color: var(--mid); white-space: nowrap; }
    .wrap thead th { white-space: normal; min-width: 4em; }
    tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 8em; }
    td { overflow-wrap: anywhere; }
    .r { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .cols { width: auto; margin-bottom: 1rem; } .cols th, .cols td { border: 0; padding: .2rem 2rem .2rem 0; overflow-wrap: break-word; } .cols th { min-width: 0; } .cols .own { font-weight: 600; }
    .cols .own th { font-weight: 600; }
    .scroll { overflow-x: auto; max-width: 100%; }
    .sev { font-weight: 600; } .sev svg { width: .85em; height: .85em; margin-right: .45em; fill: currentColor; vertical-align: -.06em; }
    .error { color: var(--error); } .warning { color: var(--warn); } .note { color: var(--soft); } .kept { color: var(--ok); }
    .finding { padding: 0 0 1.75rem; margin: 0 0 1.75rem; border-bottom: 1px solid var(--line); }
    .finding:last-child { border-bottom: 0; margin: 0; }
    details.finding { padding: 0; margin: 0; border-bottom: 0; } .finding > summary, .events > summary { flex-wrap: wrap; }
    .finding > summary .meta, .events > summary .meta { max-width: 100%; text-align: left; }
    .events tbody th, .events td:nth-child(2) { white-space: nowrap; }
    .finding .line { display: flex; justify-content: space-between; gap: 1rem; font-size: .875rem; margin: 0 0 .35rem; }
    .finding .lines, .finding table { margin-top: .5rem; }
    .finding p:not(.line) { max-width: 46rem; margin: .25rem 0 .5rem; overflow-wrap: anywhere; }
    details { border-top: 1px solid var(--line); }
    summary { cursor: pointer; padding: .6rem 0 .6rem 1.5rem; position: relative; list-style: none; display: flex;
      justify-content: space-between; gap: .25rem 1.5rem; align-items: baseline; overflow-wrap: anywhere; }
    summary::-webkit-details-marker { display: none; }
    summary::before { content: ""; position: absolute; left: .2rem; top: 1.1rem; width: .4rem; height: .4rem;
      border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
    details[open] > summary::before { transform: rotate(45deg); }
    summary:hover { color: var(--accent); }
    summary .meta { color: var(--soft); font-size: .875rem; text-align: right; flex: none; max-width: 60%; }
    details > .in { padding: .25rem 0 1.5rem 1.5rem; } .nested { padding-left: 1.5rem; }
    .strip { list-style: none; display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; margin: 0 0 2rem; }
    .ver { flex: 1 1 12rem; border: 1px solid var(--mid); border-radius: 5px; padding: 1rem 1.125rem; min-width: 0; overflow-wrap: anywhere; }
    .ver p { margin: .15rem 0 0; font-size: .875rem; line-height: 1.45; color: var(--soft); }
    .ver.here { border: 2px solid var(--accent); }
    .flag { display: block; font-size: .8125rem; font-weight: 600; color: var(--accent); } .flag.app { color: var(--ink); }
    .sizes .bars { width: 50%; } .bar { display: block; width: 100%; height: .75rem; margin-top: .3rem; fill: var(--bar); background: var(--wash); }
    .sizes tbody th { width: 30%; }
    .whole { display: block; width: 100%; height: 1.5rem; margin-bottom: 1rem; } .parts { margin-bottom: 2rem; }
    .key { width: .75rem; height: .75rem; margin-right: .6em; vertical-align: -.05em; }
    .objects { fill: var(--accent); } .links { fill: #6f86cf; } .indexes { fill: #a9b8d9; } .history { fill: #8a6d3b; }
    .mirroring { fill: #b08d57; } .cache { fill: #7d8a99; } .schema { fill: #9aa3ad; } .other { fill: #c2b5a0; }
    .free { fill: var(--line); stroke: var(--mid); stroke-dasharray: 3 2; } .rest { fill: var(--mid); }
    \(TableScript.style)
    .rows { width: auto; } .rows td { white-space: nowrap; } .rows td.l { white-space: normal; min-width: 28rem; max-width: 44rem; }
    .rows td.w { white-space: normal; min-width: 56rem; max-width: 56rem; }
    .rows .null { color: var(--soft); font-size: .75rem; }
    .rows .gone td { background: var(--wash); } .rows .state b { color: var(--warn); font-weight: 600; white-space: nowrap; }
    .pages { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 0 0 .5rem 1.5rem; }
    .rows tr:target td { outline: 2px solid var(--accent); outline-offset: -2px; }
    .signature { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 2.5rem 1.5rem; padding-top: 3rem; }
    .signature span { border-top: 1px solid var(--ink); padding-top: .25rem; color: var(--soft); font-size: .875rem; }
    footer { border-top: 1px solid var(--line); padding: 1.5rem 0 3rem; font-size: .875rem; color: var(--soft); }
    @media (max-width: 56rem) {
      .page { padding: 0 1.125rem; }
      .hero { padding: 2rem 0; }
      .two, section, section.wide > header { grid-template-columns: minmax(0, 1fr); gap: 1rem; }
      section { padding: 2rem 0; }
    }
    @media (max-width: 36rem) {
      .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .stack tbody tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
      .stack th, .stack td { display: block; padding: 0; border: 0; text-align: left; white-space: normal; }
      .stack tbody th { font-weight: 600; }
      .stack td:empty { display: none; }
      .stack td::before { content: attr(data-label) " "; color: var(--soft); }
      .figures { gap: 1rem 2rem; } details > .in, .nested { padding-left: 0; }
      .sizes .bars { width: 30%; }
    }
    @media print {
      html { font-size: 9.25pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .page { padding: 0; max-width: none; } .toc, .skip { display: none; }
      .hero { padding: 1rem 0; } section { padding: 1.25rem 0; }
      details::details-content { content-visibility: visible; display: block; }
      tr, article.finding, .cmd { break-inside: avoid; } h3, summary { break-after: avoid; }
      .no { display: inline; margin-right: .6em; }
      /* No heading stands alone at the end of a sheet. */
      h2, section > header { break-inside: avoid; break-after: avoid; }
      section > header::after { content: ""; display: block; height: 5rem; margin-bottom: -5rem; grid-column: 1; }
      .scroll { overflow: visible; } .rows thead th { white-space: normal; }
      .rows td { white-space: normal; overflow-wrap: break-word; }
      .rows td.l, .rows td.w, .rows td.b { white-space: normal; min-width: 0; max-width: none; overflow-wrap: anywhere; }
      .many thead { display: none; } .many tr { display: block; padding: .35rem 0; border-bottom: 1px solid var(--line); }
      .rows.many td { display: inline; border: 0; padding: 0 1em 0 0; overflow-wrap: anywhere; } .many td:empty { display: none; }
      .many td::before { content: attr(data-label) " "; color: var(--soft); }
    }
    """
}
