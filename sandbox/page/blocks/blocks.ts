import { html, nothing, type PropertyDeclarations, svg, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import {
  flagAt,
  isJsonObject,
  type Json,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
} from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { drawElement, isGroup } from '../elements/element.ts';
import type { Field } from '../elements/field.ts';
import type { Directory } from '../state/directory.ts';
import { PageElement } from '../state/page-state.ts';
import type { PageSurface } from '../state/surfaces.ts';
import { drawFlow, drawText, readRichText } from '../text/draw.ts';
import { plainWords } from '../text/mrkdwn.ts';

type BlockDrawer = (block: JsonObject, surface: PageSurface) => TemplateResult;

/** The blocks that the app's views use. Others that Slack accepts are named on the page instead of drawn. */
const drawers: Record<string, BlockDrawer> = {
  section: drawSection,
  header: (block, surface) =>
    html`<h3 class="block-header">${drawText(objectAt(block, 'text'), surface.directory)}</h3>`,
  divider: () => html`<hr class="block-divider" />`,
  context: drawContext,
  actions: drawActions,
  input: drawInput,
  table: drawTable,
  data_table: drawTable,
  data_visualization: drawPieChart,
  rich_text: (block, surface) =>
    html`<div class="rich">${drawFlow(readRichText(block), surface.directory)}</div>`,
};

/** Draws the blocks of a message or a view. A block with the same `block_id` as before keeps its inputs and focus. */
export function drawBlocks(blocks: JsonObject[], surface: PageSurface): TemplateResult {
  return html`${repeat(blocks, blockKey, (block) => keyed(block.type, drawBlock(block, surface)))}`;
}

function blockKey(block: JsonObject, at: number): string {
  return stringAt(block, 'block_id') ?? `at-${at}`;
}

function drawBlock(block: JsonObject, surface: PageSurface): TemplateResult {
  const type = stringAt(block, 'type') ?? '';
  const draw = Object.hasOwn(drawers, type) ? drawers[type] : undefined;
  return html`<div class="block block-of-${type}">
    ${draw ? draw(block, surface) : html`<em class="unknown">The sandbox cannot draw a block of type “${type}”.</em>`}
  </div>`;
}

function drawSection(block: JsonObject, surface: PageSurface): TemplateResult {
  const accessory = objectAt(block, 'accessory');
  const text = objectAt(block, 'text');
  const fields = objectsAt(block, 'fields');
  return html`<div class="row block-section">
    <div class="grow stack">
      ${text ? html`<div class="rich">${drawText(text, surface.directory)}</div>` : nothing}
      ${
        fields.length > 0
          ? html`<div class="stack block-fields">
            ${fields.map((field) => html`<div class="rich">${drawText(field, surface.directory)}</div>`)}
          </div>`
          : nothing
      }
    </div>
    ${accessory ? html`<div class="row">${drawElement(actionField(block, accessory, surface))}</div>` : nothing}
  </div>`;
}

function drawContext(block: JsonObject, surface: PageSurface): TemplateResult {
  return html`<div class="row wraps more">
    ${objectsAt(block, 'elements').map(
      (text) => html`<div class="rich">${drawText(text, surface.directory)}</div>`,
    )}
  </div>`;
}

function drawActions(block: JsonObject, surface: PageSurface): TemplateResult {
  const elements = objectsAt(block, 'elements');
  return html`<div class="row wraps block-actions">
    ${elements.map((element) => drawElement(actionField(block, element, surface)))}
  </div>`;
}

/** An element outside an input block: each change goes to the app, and the placeholder is the accessible name. */
function actionField(block: JsonObject, element: JsonObject, surface: PageSurface): Field {
  return {
    ...placeOf(block, element, surface),
    dispatches: true,
    name: textAt(element, 'placeholder') || nameByType(stringAt(element, 'type') ?? ''),
    describedBy: '',
    invalid: false,
    required: false,
  };
}

function placeOf(block: JsonObject, element: JsonObject, surface: PageSurface) {
  const slot = { blockId: stringAt(block, 'block_id') ?? '', actionId: stringAt(element, 'action_id') ?? '' };
  return { element, surface, slot, inputId: `${surface.id}-${slot.blockId}-${slot.actionId}` };
}

function nameByType(type: string): string {
  return type.replaceAll('_', ' ').replace('picker', ' picker');
}

/** Draws an input block. The label names the element, the hint and the error describe it. */
function drawInput(block: JsonObject, surface: PageSurface): TemplateResult {
  const element = objectAt(block, 'element') ?? {};
  const type = stringAt(element, 'type') ?? '';
  const place = placeOf(block, element, surface);
  const { inputId, slot } = place;
  const error = surface.errorOf(slot.blockId);
  const hint = objectAt(block, 'hint');
  const optional = flagAt(block, 'optional');
  const label = html`${drawText(objectAt(block, 'label'), surface.directory)}${
    optional ? html`<span class="more"> (optional)</span>` : nothing
  }`;
  const field: Field = {
    ...place,
    dispatches: flagAt(block, 'dispatch_action'),
    name: undefined,
    describedBy: [error && `${inputId}-error`, hint && `${inputId}-hint`].filter(Boolean).join(' '),
    invalid: error !== undefined,
    required: !optional,
  };
  return html`<div class="stack">
    ${
      isGroup(type)
        ? html`<div class="label" id="${inputId}-label">${label}</div>`
        : html`<label class="label" for=${inputId}>${label}</label>`
    }
    ${drawElement(field)}
    ${
      error === undefined
        ? nothing
        : html`<p class="row error" id="${inputId}-error" role="alert">${icon('alert')}<span>${error}</span></p>`
    }
    ${hint ? html`<p class="more" id="${inputId}-hint">${drawText(hint, surface.directory)}</p>` : nothing}
  </div>`;
}

const colours = ['#2f7d5b', '#3f6fb5', '#d9a441', '#c8553d', '#7a5ea8', '#7b93ad'];

/** `data_visualization` with a pie. What it shows is in its legend too. */
function drawPieChart(block: JsonObject): TemplateResult {
  const segments = objectsAt(objectAt(block, 'chart') ?? {}, 'segments').map((segment, index) => ({
    label: stringAt(segment, 'label') ?? '',
    value: numberAt(segment, 'value') ?? 0,
    colour: colours[index % colours.length] ?? '',
  }));
  const sum = segments.reduce((total, { value }) => total + value, 0);
  const shares = segments.map(({ value }) => (sum === 0 ? 0 : (100 * value) / sum));
  const percents = wholePercents(shares);
  const before = (index: number) => shares.slice(0, index).reduce((total, share) => total + share, 0);
  return html`<figure class="row wraps block-chart">
    <figcaption class="label">${stringAt(block, 'title') ?? ''}</figcaption>
    <svg viewBox="0 0 40 40" width="96" aria-hidden="true">
      ${segments.map(
        (
          { colour },
          index,
        ) => svg`<circle cx="20" cy="20" r="10" fill="none" stroke=${colour} stroke-width="20"
          pathLength="100" stroke-dasharray="${shares[index]} 100" stroke-dashoffset=${-before(index)}
          transform="rotate(-90 20 20)" />`,
      )}
    </svg>
    <ul>
      ${segments.map(
        ({ label, value, colour }, index) => html`<li>
          <span style="color: ${colour}">■</span>
          ${label}: ${value.toLocaleString('en')} (${percents[index] ?? 0}%)
        </li>`,
      )}
    </ul>
  </figure>`;
}

/** Rounds percentages so that they still add up to 100: those with the largest remainder are rounded up. */
function wholePercents(shares: readonly number[]): number[] {
  const parts = shares.map((share, index) => ({ index, whole: Math.floor(share), rest: share % 1 }));
  const missing = Math.round(parts.reduce((sum, { rest }) => sum + rest, 0));
  const raised = new Set(
    parts
      .toSorted((one, other) => other.rest - one.rest)
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return parts.map(({ index, whole }) => whole + (raised.has(index) ? 1 : 0));
}

/** `table` and `data_table`: the first row heads the columns, and a click on a heading of the latter sorts by it. */
function drawTable(block: JsonObject, surface: PageSurface): TemplateResult {
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
