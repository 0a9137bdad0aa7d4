/// The one script of pages, which they can do without: it filters and sorts tables.
enum TableScript {
  /// Filter, sort and "deleted only" for tables in what folds, and the way to a row that is hidden.
  static let text: HTML = """
    'use strict';
    const fills = [];
    for (const part of document.querySelectorAll('details.entity')) {
      const table = part.querySelector('table.rows');
      if (!table) continue;
      for (const note of part.querySelectorAll('.unscripted')) note.remove();
      const body = table.tBodies[0];
      const kept = part.querySelector('noscript');
      let rest = '';
      if (kept) {
        rest = kept.textContent.slice(kept.textContent.indexOf('<tr'), kept.textContent.lastIndexOf('</tr>') + 5);
        kept.remove();
      }
      const fill = most => {
        if (!rest) return false;
        let end = 0;
        for (let count = 0; count < most && end >= 0; count++) end = rest.indexOf('\\n<tr', end + 1);
        const some = document.createElement('tbody');
        some.innerHTML = end < 0 ? rest : rest.slice(0, end);
        rest = end < 0 ? '' : rest.slice(end + 1);
        body.append(...some.rows);
        return rest !== '';
      };
      part.fill = () => { while (fill(5000)); };
      fills.push(fill);
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
      if (body.querySelector('tr.gone') || rest.includes(' class="gone"')) {
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
        part.fill();
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
          part.fill();
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
    const wait = globalThis.requestIdleCallback || (work => setTimeout(work, 20));
    const fillAll = () => { for (const fill of fills.splice(0)) while (fill(5000)); };
    const fillOn = () => {
      if (fills.length && !fills[0](500)) fills.shift();
      if (fills.length) wait(fillOn);
    };
    wait(fillOn);
    addEventListener('beforeprint', fillAll);
    const reveal = () => {
      const name = location.hash.slice(1);
      if (name.startsWith('r-') && !document.getElementById(name)) fillAll();
      const target = document.getElementById(name);
      if (!target) return;
      const part = target.closest('details.entity');
      if (target.hidden && part) part.clearFilter();
      for (let outer = target.closest('details'); outer; outer = outer.parentElement.closest('details')) outer.open = true;
      target.scrollIntoView();
    };
    addEventListener('hashchange', reveal);
    if (location.hash) reveal();

    """

  /// The look of what the script adds.
  static let style: HTML = """
    .tools { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; font-size: .875rem; margin: .25rem 0 .75rem; }
    .tools input[type=search] { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--mid); border-radius: 4px;
      padding: .25rem .5rem; }
    .rows th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
    .rows th[aria-sort=ascending] button::after { content: " ↑"; } .rows th[aria-sort=descending] button::after { content: " ↓"; }
    @media print { .tools { display: none; } }

    """
}
