import { html, nothing, type TemplateResult } from 'lit';
import { isJsonObject, type Json, type JsonObject, stringAt } from '../../lib/json.ts';
import { numberAt, objectsAt } from '../json.ts';
import type { PageSurface } from '../state/surface.ts';
import { drawFlow } from '../text/draw.ts';
import { readRichText } from '../text/rich-text.ts';

/** `table` and `data_table`: the first row heads the columns. */
export function drawTable(block: JsonObject, surface: PageSurface): TemplateResult {
  const rows = (Array.isArray(block.rows) ? block.rows : []).map((row) => (Array.isArray(row) ? row : []));
  const settings = objectsAt(block, 'column_settings');
  const caption = stringAt(block, 'caption');
  const [head = [], ...body] = rows;
  const cellClass = (column: number): string => {
    const align = stringAt(settings[column], 'align');
    return `${align === 'right' || align === 'center' ? align : ''} ${settings[column]?.is_wrapped === true ? 'wrapped' : ''}`;
  };
  return html`<div class="block-table" role="region" aria-label=${caption ?? 'Table'} tabindex="0">
    <table>
      ${caption ? html`<caption>${caption}</caption>` : nothing}
      <thead>
        <tr>
          ${head.map((cell, column) => html`<th scope="col" class=${cellClass(column)}>${drawCell(cell, surface)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.map(
          (row) =>
            html`<tr>
              ${row.map((cell, column) => html`<td class=${cellClass(column)}>${drawCell(cell, surface)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function drawCell(cell: Json, surface: PageSurface): unknown {
  if (!isJsonObject(cell)) {
    return nothing;
  }
  if (stringAt(cell, 'type') === 'rich_text') {
    return html`<div class="rich">${drawFlow(readRichText(cell), surface.directory)}</div>`;
  }
  return stringAt(cell, 'text') ?? numberAt(cell, 'value') ?? nothing;
}
