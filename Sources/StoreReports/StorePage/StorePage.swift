import StoreDiagnosis
import StoreFindings
import StoreInspection
import StoreText
import StoreWords

/// One page about one store, for whoever cannot or will not use a terminal: what it is, what is wrong with it, what to do, and
/// what is not known.
///
/// It judges nothing: what it says is what `diagnose` and `inspect` say.
package struct StorePage {
  let diagnosis: Diagnosis
  let inspection: Inspection
  let run: StorePageRun
  let times: PageTimes?
  let rows: PageRows?

  /// - Parameters:
  ///   - inspection: of the same store, with sizes, digests and the measures of its columns.
  ///   - times: what of it has a time; nil to leave that out.
  ///   - rows: the rows to show; nil for none.
  package init(
    _ diagnosis: Diagnosis, _ inspection: Inspection, _ run: StorePageRun, times: PageTimes? = nil,
    rows: PageRows? = nil
  ) {
    self.diagnosis = diagnosis
    self.inspection = inspection
    self.run = run
    self.times = times
    self.rows = rows
  }

  /// The store's name, without its folders.
  var name: String { inspection.store.path.split(separator: "/").last.map(String.init) ?? inspection.store.path }

  /// The page: one file that loads nothing.
  package var html: String {
    let document = diagnosis.document
    let page = ReportPage(
      kind: "Store report", name: name, moment: run.moment, title: "\(name): \(headline)", hero: verdict(document),
      sections: [
        whatThisIs, versions(document), findings(document), model, entities, time, sizes, rowTables, method,
      ], footer: "\(privacy) Made by storedoctor \(toolVersion), which changed nothing it read.")
    return page.html(style: StorePageStyle.text, script: rows.map(\.isFolder) == false ? TableScript.text : "")
  }

  private var privacy: String {
    run.showsValues || rows != nil || times?.listsEvents == true
      ? "This page holds values of rows."
      : "This page holds names, keys, counts and the times of saves, and no values of rows."
  }
}
