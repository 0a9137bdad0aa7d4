import StoreWords

// The rows of a store, which are on its page where that was asked for.

extension PageRows.Table {
  /// "15 rows, 2 deleted or earlier".
  var words: String {
    var words = counted(Int64(count - gone), "row")
    if gone > 0 { words += ", \(gone) deleted or earlier" }
    if leftOut > 0 { words += ", \(grouped(leftOut)) left out" }
    return words
  }

  /// The rows as a table.
  ///
  /// - Parameter plain: how many of them are there without a script.
  func markup(plain: Int) -> HTML {
    let head = HTML.each(columns) { "<th scope=\"col\">\($0)</th>" }
    let first = HTML.each(rows.prefix(plain)) { $0.row }
    let rest = rows.dropFirst(plain)
    let more: HTML =
      rest.isEmpty
      ? ""
      : """
      <tbody hidden>
      \(HTML.each(rest) { $0.row })</tbody>
      """
    let note: HTML =
      rest.isEmpty
      ? ""
      : "<p class=\"small unscripted\">\(counted(Int64(rest.count), "row")) more: they show where scripts may run.</p>\n"
    return """
      <div class="scroll"><table class="rows"><thead><tr>\(head)</tr></thead><tbody>
      \(first)</tbody>\(more)</table></div>
      \(note)
      """
  }
}

extension StorePage {
  var rowTables: Section {
    guard let rows else { return Section(id: "rows", title: "Rows", content: "") }
    let leftOut = rows.tables.reduce(Int64(0)) { $0 + $1.leftOut }
    let limit: HTML =
      leftOut == 0
      ? ""
      : """
      <p>\(counted(leftOut, "row")) more would make this page larger than 50 MB and are left out: with --output FOLDER/ they are on \
      pages of their own.</p>

      """
    return Section(
      id: "rows", title: "Rows",
      remark: rows.isFolder
        ? "Each entity has pages of its own, beside this one. Titles stand for keys, and links lead to the row."
        : "Titles stand for keys. A link leads to the row; Back leads back.",
      content: rows.tables.isEmpty ? "" : limit + HTML.each(rows.tables, as: table), isWide: true)
  }

  private func table(_ table: PageRows.Table) -> HTML {
    guard table.count > 0 || !table.remarks.isEmpty else { return "" }
    let remarks = HTML.each(table.remarks) { "<li>\($0)</li>" }
    return """
      <details class="entity"\(table.count <= 50 ? " open" : "")><summary><h3>\(table.name)</h3><span class="meta">\(table.words)</span></summary>
      <ul class="plain small">\(remarks)</ul>\(table.files.isEmpty ? table.markup(plain: PageRows.plain) : pages(of: table))</details>

      """
  }

  /// The pages of an entity, in a folder.
  private func pages(of table: PageRows.Table) -> HTML {
    let links = HTML.each(table.files.enumerated()) { number, file in
      "<li><a href=\"\(file)\">Rows of \(table.name)\(table.files.count > 1 ? ", page \(number + 1)" : "")</a></li>"
    }
    return "<ul class=\"pages\">\(links)</ul>\n"
  }

  /// Filter, sort and "deleted only" for tables of rows, and the way to a row that is hidden.
  static let script: HTML = """
    'use strict';
    for (const part of document.querySelectorAll('details.entity')) {
      const table = part.querySelector('table.rows');
      if (!table) continue;
      for (const body of table.tBodies) body.hidden = false;
      for (const note of part.querySelectorAll('.unscripted')) note.remove();
      const body = table.tBodies[0];
      for (const other of [...table.tBodies].slice(1)) { body.append(...other.rows); other.remove(); }
      const tools = document.createElement('p');
      tools.className = 'tools';
      const plain = text => text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase();
      const label = document.createElement('label');
      label.textContent = 'Filter ';
      const field = document.createElement('input');
      field.type = 'search';
      label.append(field);
      tools.append(label);
      const state = document.createElement('output');
      let gone = null;
      if (body.querySelector('tr.gone')) {
        const only = document.createElement('label');
        gone = document.createElement('input');
        gone.type = 'checkbox';
        only.append(gone, ' deleted only');
        tools.append(only);
      }
      tools.append(state);
      table.parentElement.before(tools);
      let texts = null;
      const show = () => {
        texts = texts || new Map([...body.rows].map(row => [row, plain(row.textContent)]));
        const words = plain(field.value).split(/\\s+/).filter(word => word);
        let count = 0;
        for (const row of body.rows) {
          const fits = words.every(word => texts.get(row).includes(word)) && (!gone || !gone.checked || row.classList.contains('gone'));
          row.hidden = !fits;
          if (fits) count++;
        }
        state.textContent = count + ' of ' + body.rows.length;
      };
      field.addEventListener('input', show);
      if (gone) gone.addEventListener('change', show);
      part.clearFilter = () => { field.value = ''; if (gone) gone.checked = false; show(); };
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = head.textContent;
        head.replaceChildren(button);
        button.addEventListener('click', () => {
          const falling = head.getAttribute('aria-sort') === 'ascending';
          for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
          head.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
          const text = row => row.cells[column] ? row.cells[column].textContent : '';
          const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
          const rows = [...body.rows].sort((one, other) => order.compare(text(one), text(other)));
          if (falling) rows.reverse();
          body.append(...rows);
        });
      });
    }
    const reveal = () => {
      const target = document.getElementById(location.hash.slice(1));
      if (!target) return;
      const part = target.closest('details.entity');
      if (target.hidden && part) part.clearFilter();
      for (let outer = target.closest('details'); outer; outer = outer.parentElement.closest('details')) outer.open = true;
      target.scrollIntoView();
    };
    addEventListener('hashchange', reveal);
    if (location.hash) reveal();

    """
}
