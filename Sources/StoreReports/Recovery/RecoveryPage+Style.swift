/// What the page of recovered objects adds to the look of all pages.
enum RecoveryPageStyle {
  static let text: HTML = """
    main { display: block; columns: auto; }
    .card { break-inside: auto; }
    .cover h1 { text-wrap: wrap; }
    .cover-facts { margin: 0; }
    .cover-facts > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 1rem; padding: .5rem 0;
      border-top: 1px solid var(--line); }
    .cover-facts dt { color: var(--soft); }
    .cover-facts dd { margin: 0; }
    .cover-facts .faint { margin: 0; }
    .file { margin-bottom: .5rem; }
    .file > * { display: block; overflow-wrap: anywhere; }
    .command { display: block; }
    .option { white-space: nowrap; }
    .row { border-top: 1px solid var(--line); padding: .75rem 0; }
    .row h3, .part { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
    .part { color: var(--soft); font-weight: 600; margin-top: .5rem; }
    .row h4 { font-size: .9rem; margin: .5rem 0 0; }
    .row p { margin: .1rem 0; overflow-wrap: anywhere; }
    .version { padding-left: .75rem; border-left: 2px solid var(--line); margin-top: .5rem; }
    .no { color: var(--soft); font-variant-numeric: tabular-nums; font-weight: 600; white-space: nowrap; }
    .lead { list-style: none; margin: -.75rem 0 1.25rem; padding: 0; font-size: 1.05rem; }
    .lead:empty { display: none; }
    .moment, .saves { white-space: nowrap; }
    .saves { color: var(--soft); font-weight: 400; font-size: .875rem; }
    .values, .changes { margin: .35rem 0; }
    .values { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; }
    .values > div { display: flex; flex-wrap: wrap; gap: 0 .4em; align-items: baseline; max-width: 100%; }
    .values > .long { flex: 1 0 100%; }
    .values .long > dd { flex: 1 1 15rem; }
    .values dt, .changes dt { color: var(--soft); font-size: .85em; overflow-wrap: anywhere; max-width: 100%; }
    .values dd, .changes dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
    .changes > div { display: grid; grid-template-columns: 15rem minmax(0, 1fr) minmax(0, 1fr); gap: 0 1rem; }
    .changes .then::before { content: "\\2192\\00a0"; color: var(--soft); }
    .bare { margin-bottom: .75rem; }
    .bare td, .bare th { font-size: .875rem; padding: .35rem 0 .35rem 1rem; }
    .bare td:first-child, .bare th:first-child { padding-left: 0; }
    .bare .name { overflow-wrap: break-word; }
    .bare td:nth-child(3) { width: 1%; }
    .bare td:nth-child(4) { width: 24%; }
    .bare td:nth-child(5) { width: 32%; }
    .line { display: block; }
    .tag.proved { border: 1px solid var(--good); }
    .tag.shown { border: 1px solid var(--fair); }
    .tag.implied { border: 1px solid var(--unread); }
    .limits { margin: 0; padding-left: 1.1rem; }
    .keys { list-style: none; margin: .5rem 0 0; padding: 0; }
    .keys .line { display: inline-block; margin-right: 1.25rem; }
    @media (max-width: 36rem) {
      .cover-facts > div { grid-template-columns: minmax(0, 1fr); }
      .changes > div { grid-template-columns: minmax(0, 1fr); }
      .bare .none, .stacked tbody .zero { display: none; }
      .stacked.bare tbody td { flex: 1 0 100%; }
      .stacked.bare tbody td.no { flex: none; }
      .bare .line { display: inline; }
      .values dd { font-size: .9rem; }
    }
    @media print {
      body { font-size: 9pt; line-height: 1.35; }
      .cover { break-after: page; }
      .card { border: 0; padding: 0; }
      .row { padding: .4rem 0; }
      .row:not(:has(.version)) { break-inside: avoid; }
      .remark, .part { break-after: avoid; }
      .row h3, .row h4 { break-after: avoid; }
      .version, .values > div, .changes > div { break-inside: avoid; }
      h1 { font-size: 18pt; }
      .values { gap: 0 1rem; }
      .changes > div { grid-template-columns: 12rem minmax(0, 1fr) minmax(0, 1fr); }
      .faint, .rest { font-size: 8pt; }
      .bare td, .bare th { font-size: 8.5pt; padding: .2rem 0 .2rem .6rem; }
    }

    """
}
