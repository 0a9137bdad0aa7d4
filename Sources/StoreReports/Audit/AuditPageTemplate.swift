import StoreAudit
import Mustache

/// The page's template. It is compiled in, so that the binary alone can write the page.
enum AuditPageTemplate {
  static func parsed() throws -> MustacheTemplate { try MustacheTemplate(string: text) }

  private static let text = """
    \(InertHTML.head(style: AuditPageStyle.text))
    <body>
    <header>
    <p class="kicker">{{title}}</p>
    <h1 id="answer">{{answer}}</h1>
    {{#outcomes}}\(bar(id: "outcome"))
    <ul class="legend">
    {{#chartRows}}<li><span class="swatch {{rowStyle}}"></span><b>{{rowStores}}</b> {{rowName}} <span class="faint">{{rowShare}}</span></li>
    {{/chartRows}}</ul>{{/outcomes}}
    {{#remarks}}<p class="remark">{{.}}</p>
    {{/remarks}}<dl class="run">{{#facts}}<div><dt>{{factName}}</dt>{{#factValues}}<dd{{#isCommand}} class="command"{{/isCommand}}>{{.}}</dd>{{/factValues}}</div>
    {{/facts}}</dl>
    </header>
    <main>
    {{#gate}}<section id="gate" class="card {{gateStyle}}"><h2>{{gateTitle}}</h2>
    <ul class="demands">
    {{#demands}}<li><span class="mark">{{demandWord}}</span> <code>{{option}}</code> <span>{{sentence}}</span>
    {{#hasDemandExamples}}<details><summary>stores</summary><ul class="paths">{{#demandExamples}}<li>{{.}}</li>{{/demandExamples}}</ul></details>{{/hasDemandExamples}}</li>
    {{/demands}}</ul></section>
    {{/gate}}
    {{#causes}}<section id="causes" class="card"><h2>What keeps stores from opening, and what to do</h2>
    \(foundTable)</section>
    {{/causes}}
    {{#risks}}<section id="atRisk" class="card"><h2>\(AuditSummary.risksTitle)</h2>
    <table class="stacked"><thead><tr><th scope="col">what and where</th><th scope="col" class="number">stores</th><th scope="col" class="number">rows</th></tr></thead><tbody>
    {{#riskRows}}\(riskRow)
    {{/riskRows}}</tbody></table>
    \(more("riskMore", row: riskRow))
    <p class="rest">{{riskRest}}</p></section>
    {{/risks}}
    {{#hasProblems}}<section id="problems" class="card"><h2>Not read, or not whole</h2>
    <table class="stacked"><thead><tr><th scope="col">cause</th><th scope="col" class="number">stores</th></tr></thead><tbody>
    {{#problems}}<tr><th scope="row"><span class="name">{{kind}}</span> <span class="faint">{{problemSignals}}</span>
    \(singleBar(title: "kind", words: "problemStores", width: "problemWidth", style: "error"))
    <details><summary>examples</summary><ul class="paths">{{#problemExamples}}<li>{{.}}</li>{{/problemExamples}}</ul></details></th><td class="number" data-label="stores">{{problemStores}}</td></tr>
    {{/problems}}</tbody></table></section>
    {{/hasProblems}}
    {{#found}}<section id="findings" class="card"><h2>{{foundTitle}}</h2>
    \(foundTable)</section>
    {{/found}}
    {{#versions}}<section id="versions" class="card"><h2>Versions in the field</h2>
    <table class="stacked"><thead><tr><th scope="col">version</th><th scope="col" class="number">stores</th><th scope="col" class="number">share</th></tr></thead><tbody>
    {{#versionRows}}\(versionRow)
    {{/versionRows}}</tbody></table>
    \(more("versionMore", row: versionRow))
    <p class="rest">{{versionRest}}</p></section>
    {{/versions}}
    {{#sizes}}<section id="sizes" class="card"><h2>Sizes</h2>
    <dl class="facts"><div><dt>together</dt><dd>{{sizeTotal}}</dd></div><div><dt>largest</dt><dd>{{sizeLargest}}</dd></div><div><dt>rows</dt><dd>{{sizeRowCount}}</dd></div></dl>
    <svg class="histogram" viewBox="0 0 {{sizeViewWidth}} 100" preserveAspectRatio="none" role="img"><title>Stores by size</title><desc>{{sizeWords}}</desc>{{#sizeBars}}<rect x="{{sizeStart}}.5" y="{{sizeTop}}" width="9" height="{{sizeHeight}}" class="plain"></rect>{{/sizeBars}}</svg>
    <p class="axis"><span>{{smallest}}</span><span>{{largestClass}}</span></p>
    <details><summary>as a table</summary><table><thead><tr><th scope="col">size</th><th scope="col" class="number">stores</th></tr></thead><tbody>
    {{#sizeBars}}<tr><th scope="row">{{sizeName}}</th><td class="number">{{sizeStores}}</td></tr>
    {{/sizeBars}}</tbody></table></details></section>
    {{/sizes}}
    {{#entities}}<section id="entities" class="card"><h2>Entities</h2>
    <table class="stacked"><thead><tr><th scope="col">entity</th><th scope="col" class="number">stores</th><th scope="col" class="number">rows</th><th scope="col" class="number">median</th><th scope="col" class="number">most</th></tr></thead><tbody>
    {{#entityRows}}\(entityRow)
    {{/entityRows}}</tbody></table>
    \(more("entityMore", row: entityRow))
    <p class="rest">{{entityRest}}</p></section>
    {{/entities}}
    {{#frameworks}}<section id="frameworks" class="card"><h2>Framework versions</h2>
    <table class="stacked"><thead><tr><th scope="col">version</th><th scope="col" class="number">stores</th><th scope="col" class="number">share</th></tr></thead><tbody>
    {{#frameworkRows}}\(frameworkRow)
    {{/frameworkRows}}</tbody></table>
    \(more("frameworkMore", row: frameworkRow))
    <p class="rest">{{frameworkRest}}</p></section>
    {{/frameworks}}
    {{#repairs}}<section id="repairs" class="card"><h2>What the recipe does</h2>
    <table><thead><tr><th scope="col">repair</th><th scope="col" class="number">stores</th><th scope="col" class="number">rows</th></tr></thead><tbody>
    {{#repairRows}}<tr><th scope="row"><span class="name">{{repairName}}</span></th><td class="number">{{repairStores}}</td><td class="number">{{repairChanges}}</td></tr>
    {{/repairRows}}</tbody></table>
    <p class="rest">{{obstacles}}</p>{{#outputs}}<p class="rest">{{.}}</p>{{/outputs}}</section>
    {{/repairs}}
    {{#rehearsals}}<section id="rehearsals" class="card {{rehearsalStyle}}"><h2>{{rehearsalTitle}}</h2>
    <table><thead><tr><th scope="col">outcome</th><th scope="col" class="number">stores</th><th scope="col" class="number">share</th></tr></thead><tbody>
    {{#rehearsalRows}}<tr><th scope="row"><span class="name">{{rehearsedName}}</span></th><td class="number">{{rehearsedStores}}</td><td class="number">{{rehearsedShare}}</td></tr>
    {{/rehearsalRows}}</tbody></table>
    <p>{{rehearsalObjects}}</p>
    {{#rehearsalObstacles}}<p>{{obstacleWords}}</p>
    <details><summary>examples</summary><ul class="paths">{{#obstacleExamples}}<li>{{.}}</li>{{/obstacleExamples}}</ul></details>
    {{/rehearsalObstacles}}<p class="rest">{{rehearsalRest}}</p>{{#rehearsalAssumed}}<p class="rest">{{.}}</p>{{/rehearsalAssumed}}
    <p class="rest">{{rehearsalLimits}}</p></section>
    {{/rehearsals}}
    {{#timings}}<section id="timings" class="card"><h2>Slowest stores</h2>
    <table class="stacked"><thead><tr><th scope="col">store</th><th scope="col" class="number">milliseconds</th></tr></thead><tbody>
    {{#slowRows}}<tr><th scope="row"><span class="name">{{slowPath}}</span>
    \(singleBar(title: "slowPath", words: "slowMilliseconds", width: "slowWidth", style: "plain"))</th><td class="number" data-label="milliseconds">{{slowMilliseconds}}</td></tr>
    {{/slowRows}}</tbody></table><p class="rest">{{timingTotal}} milliseconds for all stores, one after the other</p></section>
    {{/timings}}
    {{#stores}}<section id="stores" class="card"><details class="all{{#isLong}} long{{/isLong}}"><summary><h2>{{storeTitle}}</h2></summary>
    <p class="rest">The worst first. The browser's search (Ctrl+F, or Cmd+F) looks in it, also while it is folded.</p>
    <table class="stacked"><thead><tr><th scope="col">store</th><th scope="col">outcome</th><th scope="col">version</th><th scope="col">worst findings</th></tr></thead><tbody>
    {{#storeRows}}<tr><th scope="row"><span class="name">{{storeName}}</span></th><td><span class="swatch {{storeStyle}}"></span>{{storeOutcome}}</td><td>{{storeVersion}}</td><td>{{storeWords}}</td></tr>
    {{/storeRows}}</tbody></table>
    <p class="rest">{{storeRest}}</p></details></section>
    {{/stores}}
    </main>
    <footer><p>storedoctor {{toolVersion}} · run {{runs}} · every number of this page and more: <code>storedoctor audit ... --summary --format json</code></p></footer>
    </body>
    </html>

    """

  /// A bar in parts.
  private static func bar(id: String) -> String {
    """
    <svg class="bar wide" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-labelledby="\(id)-title \(id)-words"><title id="\(id)-title">{{chartTitle}}</title><desc id="\(id)-words">{{chartWords}}</desc>{{#segments}}<rect x="{{start}}" y="0" width="{{width}}" height="8" class="{{segmentStyle}}"></rect>{{/segments}}</svg>
    """
  }

  /// A bar under a name.
  private static func singleBar(title: String, words: String, width: String, style: String) -> String {
    """
    <svg class="bar thin" viewBox="0 0 100 4" preserveAspectRatio="none" role="img"><title>{{\(title)}}</title><desc>{{\(words)}}</desc><rect x="0" y="0" width="{{\(width)}}" height="4" class="\(style)"></rect></svg>
    """
  }

  /// Rows that are hidden behind a line with their number.
  private static func more(_ name: String, row: String) -> String {
    """
    {{#\(name)}}<details class="more"><summary>{{moreWords}}</summary><table class="stacked"><tbody>
    {{#moreRows}}\(row)
    {{/moreRows}}</tbody></table></details>{{/\(name)}}
    """
  }

  private static let versionRow = """
    <tr><th scope="row"><span class="name">{{label}}</span>{{#isCandidate}} <span class="tag">given</span>{{/isCandidate}}
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img"><title>{{label}}</title><desc>{{versionWords}}</desc>{{#versionSegments}}<rect x="{{start}}" y="0" width="{{width}}" height="8" class="{{segmentStyle}}"></rect>{{/versionSegments}}</svg>
    <span class="faint">{{versionWords}}</span></th><td class="number" data-label="stores">{{versionStores}}</td><td class="number" data-label="share">{{versionShare}}</td></tr>
    """

  private static let entityRow = """
    <tr><th scope="row"><span class="name">{{entityName}}</span>
    \(singleBar(title: "entityName", words: "entityTotal", width: "entityWidth", style: "plain"))</th><td class="number" data-label="stores">{{entityStores}}</td><td class="number" data-label="rows">{{entityTotal}}</td><td class="number" data-label="median">{{entityMedian}}</td><td class="number" data-label="most">{{entityMost}}</td></tr>
    """

  private static let frameworkRow = """
    <tr><th scope="row"><span class="name">{{framework}}</span>
    \(singleBar(title: "framework", words: "frameworkStores", width: "frameworkWidth", style: "plain"))</th><td class="number" data-label="stores">{{frameworkStores}}</td><td class="number" data-label="share">{{frameworkShare}}</td></tr>
    """

  private static let riskRow = """
    <tr><th scope="row"><span class="name">{{place}}</span> <span class="faint">{{riskMessage}}</span>
    <svg class="bar thin" viewBox="0 0 100 4" preserveAspectRatio="none" role="img"><title>{{place}}</title><desc>{{riskStores}} stores</desc><rect x="0" y="0" width="{{riskWidth}}" height="4" class="{{riskStyle}}"></rect></svg>
    <details><summary>examples</summary><ul class="paths">{{#riskExamples}}<li>{{.}}</li>{{/riskExamples}}</ul></details></th><td class="number" data-label="stores">{{riskStores}}</td><td class="number" data-label="rows">{{riskRowCount}}</td></tr>
    """

  private static let foundRow = """
    <tr><th scope="row"><span class="name">{{place}}</span> <span class="tag {{foundSeverity}}">{{foundSeverity}}</span> <span class="faint">{{check}} {{checkName}}{{codeText}}</span>
    <p class="words">{{foundWords}}</p>{{#foundSteps}}
    <p class="words">{{#remedy}}{{plain}}<code>{{code}}</code>{{/remedy}}</p>
    <p class="commands">{{#commands}}<code>{{.}}</code>{{/commands}}</p>{{/foundSteps}}
    <svg class="bar thin" viewBox="0 0 100 4" preserveAspectRatio="none" role="img"><title>{{place}}</title><desc>{{foundStores}} stores</desc><rect x="0" y="0" width="{{foundWidth}}" height="4" class="{{foundSeverity}}"></rect></svg>
    <details><summary>examples</summary><ul class="paths">{{#foundExamples}}<li>{{.}}</li>{{/foundExamples}}</ul></details></th><td class="number" data-label="stores">{{foundStores}}</td><td class="number" data-label="in all">{{foundCount}}</td></tr>
    """

  private static let foundTable = """
    <table class="stacked"><thead><tr><th scope="col">what and where</th><th scope="col" class="number">stores</th><th scope="col" class="number">in all</th></tr></thead><tbody>
    {{#foundRows}}\(foundRow)
    {{/foundRows}}</tbody></table>
    \(more("foundMore", row: foundRow))
    <p class="rest">{{foundRest}}</p>
    """
}
