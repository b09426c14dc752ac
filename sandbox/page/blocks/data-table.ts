import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { isJsonObject, type Json, type JsonObject, numberAt, stringAt } from '../../lib/json.ts';
import { PageElement } from '../page-element.ts';
import type { Directory, PageSurface } from '../state/surfaces.ts';
import { drawFlow } from '../text/draw.ts';
import { plainWords } from '../text/mrkdwn.ts';
import { readRichText } from '../text/rich-text.ts';

/** `table` and `data_table`: the first row heads the columns, and a click on a heading of the latter sorts by it. */
export function drawTable(block: JsonObject, surface: PageSurface): TemplateResult {
  const rows = (Array.isArray(block.rows) ? block.rows : []).map((row) => (Array.isArray(row) ? row : []));
  return html`<data-table
    .rows=${rows}
    .caption=${stringAt(block, 'caption') ?? ''}
    .sortable=${stringAt(block, 'type') === 'data_table'}
    .directory=${surface.directory}
  ></data-table>`;
}

interface Sorting {
  column: number;
  descending: boolean;
}

class DataTable extends PageElement {
  static override properties: PropertyDeclarations = {
    rows: { attribute: false },
    caption: { attribute: false },
    sortable: { attribute: false },
    directory: { attribute: false },
    sorting: { state: true },
  };
  declare rows: Json[][];
  declare caption: string;
  declare sortable: boolean;
  declare directory: Directory;
  declare sorting: Sorting | undefined;

  protected override render(): TemplateResult {
    const [head = [], ...body] = this.rows;
    return html`<div class="card block-table" role="region" aria-label=${this.caption || 'Table'} tabindex="0">
      <table>
        ${this.caption ? html`<caption class="more">${this.caption}</caption>` : nothing}
        <thead>
          <tr>${head.map((cell, column) => this.#heading(cell, column))}</tr>
        </thead>
        <tbody>
          ${this.#sorted(body).map(
            (row) => html`<tr>${row.map((cell) => html`<td>${this.#cell(cell)}</td>`)}</tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #heading(cell: Json, column: number): TemplateResult {
    const { sorting } = this;
    const order = sorting?.column === column ? (sorting.descending ? 'descending' : 'ascending') : 'none';
    if (!this.sortable) {
      return html`<th scope="col">${this.#cell(cell)}</th>`;
    }
    const mark = { none: '', ascending: ' ↑', descending: ' ↓' }[order];
    return html`<th scope="col" aria-sort=${order}>
      <button
        type="button"
        @click=${() => {
          this.sorting = { column, descending: order === 'ascending' };
        }}
      >${this.#cell(cell)}${mark}</button>
    </th>`;
  }

  #sorted(rows: Json[][]): Json[][] {
    const { sorting } = this;
    if (sorting === undefined) {
      return rows;
    }
    const { column, descending } = sorting;
    const ascending = rows.toSorted((one, other) => compare(one[column], other[column]));
    return descending ? ascending.toReversed() : ascending;
  }

  #cell(cell: Json): unknown {
    if (!isJsonObject(cell)) {
      return nothing;
    }
    if (stringAt(cell, 'type') === 'rich_text') {
      return html`<div class="rich">${drawFlow(readRichText(cell), this.directory)}</div>`;
    }
    return stringAt(cell, 'text') ?? nothing;
  }
}

customElements.define('data-table', DataTable);

/** Numbers by their value, all else by its words. */
function compare(one: Json | undefined, other: Json | undefined): number {
  const [first, second] = [one, other].map((cell) =>
    isJsonObject(cell) ? numberAt(cell, 'value') : undefined,
  );
  return first !== undefined && second !== undefined
    ? first - second
    : wordsOf(one).localeCompare(wordsOf(other));
}

function wordsOf(cell: Json | undefined): string {
  if (!isJsonObject(cell)) {
    return '';
  }
  return stringAt(cell, 'type') === 'rich_text'
    ? readRichText(cell)
        .map((flow) => (flow.kind === 'paragraph' ? plainWords(flow.children) : ''))
        .join(' ')
    : (stringAt(cell, 'text') ?? '');
}
