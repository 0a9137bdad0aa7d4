import Mustache

/// The template of a plan's page. It is compiled in, so that the binary alone can write the page; the look is that of the
/// audit's page.
enum PlanPageTemplate {
  static func parsed() throws -> MustacheTemplate { try MustacheTemplate(string: text) }

  private static let style = """
    main > * { flex-basis: 100% !important; }
    .rows { margin: .5rem 0 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
    .identity { margin: 0; } .identity dt { color: var(--faint); font-size: .8rem; }
    .identity dd { margin: 0 0 .4rem; }
    .difference { display: block; }
    .difference b { font-weight: 600; }
    tbody th { overflow-wrap: anywhere; }
    td { overflow-wrap: anywhere; }
    .signature { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 2.5rem 1.5rem; padding-top: 2.5rem; }
    .signature span { border-top: 1px solid var(--text); padding-top: .25rem; color: var(--faint); font-size: .875rem; }
    @media (min-width: 36.01rem) {
      .groups th, .groups td { width: 18%; }
      .groups td:last-child, .groups thead th:last-child { width: 46%; }
    }
    @media (max-width: 36rem) {
      .groups tbody tr { flex-direction: column; }
      .groups tbody th { display: block; font-weight: 600; border: 0; padding: 0; }
      .groups td:empty { display: none; }
    }

    """

  private static let text = """
    \(InertHTML.head(style: AuditPageStyle.text + style))
    <body>
    <header>
    <p class="kicker">{{title}}</p>
    <h1 id="answer">{{answer}}</h1>
    </header>
    <main>
    {{#hasObstacles}}<section id="obstacles" class="card failed"><h2>{{obstacleTitle}}</h2><ul class="rows">{{#obstacles}}<li>{{.}}</li>{{/obstacles}}</ul></section>
    {{/hasObstacles}}
    {{#hasNotices}}<section id="notices" class="card"><h2>Mind</h2><ul class="rows">{{#notices}}<li>{{.}}</li>{{/notices}}</ul></section>
    {{/hasNotices}}
    {{#steps}}<section class="card"><h2>{{stepSummary}}</h2>
    <p class="remark">{{stepRepair}} <span class="tag {{gradeStyle}}">{{stepGrade}}</span> {{stepChanges}}</p>
    {{#hasGroups}}<table class="stacked groups"><thead><tr><th scope="col">stays</th><th scope="col">the others</th><th scope="col">what it gets</th><th scope="col">differ in</th></tr></thead><tbody>
    {{#groups}}<tr><th scope="row">{{keptWords}}</th><td data-label="the others:">{{otherWords}}</td><td data-label="gets:">{{effectWords}}</td><td data-label="differ in:">{{#groupDifferences}}<span class="difference"><b>{{differenceName}}</b> {{differenceWords}}</span>{{/groupDifferences}}</td></tr>
    {{/groups}}</tbody></table>{{/hasGroups}}
    {{#hasRows}}<ul class="rows">{{#stepRows}}<li>{{rowWords}}</li>
    {{/stepRows}}</ul>{{/hasRows}}
    <p class="rest">{{stepRemark}}</p></section>
    {{/steps}}
    {{#hasCounts}}<section id="counts" class="card"><h2>Rows</h2>
    <table><thead><tr><th scope="col">rows of</th><th scope="col" class="number">before</th><th scope="col" class="number">after</th></tr></thead><tbody>
    {{#counts}}<tr><th scope="row">{{countName}}</th><td class="number">{{countBefore}}</td><td class="number">{{countAfter}}</td></tr>
    {{/counts}}</tbody></table></section>
    {{/hasCounts}}
    {{#hasFindings}}<section id="findings" class="card"><h2>Findings</h2>
    <table><thead><tr><th scope="col">what and where</th><th scope="col" class="number">before</th><th scope="col" class="number">after</th></tr></thead><tbody>
    {{#findings}}<tr><th scope="row">{{countName}}</th><td class="number">{{countBefore}}</td><td class="number">{{countAfter}}</td></tr>
    {{/findings}}</tbody></table></section>
    {{/hasFindings}}
    <section id="store" class="card"><h2>The store</h2><dl class="identity">{{#identity}}<dt>{{factName}}</dt><dd><code>{{factValue}}</code></dd>{{/identity}}</dl>
    <p class="signature"><span>checked by</span><span>date</span></p></section>
    </main>
    <footer><p>{{privacy}} storedoctor {{toolVersion}}. Every row: <code>storedoctor repair ... --format json</code></p></footer>
    </body>
    </html>

    """
}
