import StoreWords

// The rows of a store, which are on its page where that was asked for.

extension StorePage {
  var rowTables: Section {
    guard let rows else { return Section(id: "rows", title: "Rows", content: "") }
    let leftOut = rows.tables.reduce(Int64(0)) { $0 + $1.leftOut }
    let limit: HTML =
      leftOut == 0
      ? ""
      : "<p>\(counted(leftOut, "row")) more would make this page larger than 50 MB and are left out: 'rows' shows them.</p>\n"
    return Section(
      id: "rows", title: "Rows", remark: "Titles stand for keys. A link leads to the row; Back leads back.",
      content: rows.tables.isEmpty ? "" : limit + HTML.each(rows.tables, as: table), isWide: true)
  }

  private func table(_ table: PageRows.Table) -> HTML {
    let count = Int64(table.rows.count - table.gone)
    var words = counted(count, "row")
    if table.gone > 0 { words += ", \(table.gone) deleted or earlier" }
    if table.leftOut > 0 { words += ", \(grouped(table.leftOut)) left out" }
    guard !table.rows.isEmpty else { return "" }
    let head = HTML.each(table.columns) { "<th scope=\"col\">\($0)</th>" }
    let first = HTML.each(table.rows.prefix(PageRows.plain)) { $0.row }
    let rest = table.rows.dropFirst(PageRows.plain)
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
    let remarks = HTML.each(table.remarks) { "<li>\($0)</li>" }
    return """
      <details class="entity"\(table.rows.count <= 50 ? " open" : "")><summary><h3>\(table.name)</h3><span class="meta">\(words)</span></summary>
      <ul class="plain small">\(remarks)</ul><div class="scroll"><table class="rows"><thead><tr>\(head)</tr></thead><tbody>
      \(first)</tbody>\(more)</table></div>
      \(note)</details>

      """
  }

  /// Filter, sort and "deleted only" for tables of rows, and the way to a row that is hidden.
  static let script: HTML = """
    'use strict';
    for (const part of document.querySelectorAll('details.entity')) {
      const table = part.querySelector('table.rows');
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
