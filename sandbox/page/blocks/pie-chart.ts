import { html, svg, type TemplateResult } from 'lit';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { numberAt, objectAt, objectsAt } from '../json.ts';

const colours = ['#2f7d5b', '#3f6fb5', '#d9a441', '#c8553d', '#7a5ea8', '#7b93ad'];

/** `data_visualization` with a pie. What it shows is in its legend too. */
export function drawPieChart(block: JsonObject): TemplateResult {
  const segments = objectsAt(objectAt(block, 'chart') ?? {}, 'segments').map((segment, index) => ({
    label: stringAt(segment, 'label') ?? '',
    value: numberAt(segment, 'value') ?? 0,
    colour: colours[index % colours.length] ?? '',
  }));
  const sum = segments.reduce((total, { value }) => total + value, 0);
  const shares = segments.map(({ value }) => (sum === 0 ? 0 : (100 * value) / sum));
  const before = (index: number) => shares.slice(0, index).reduce((total, share) => total + share, 0);
  return html`<figure class="block-chart">
    <figcaption>${stringAt(block, 'title') ?? ''}</figcaption>
    <svg viewBox="0 0 40 40" aria-hidden="true">
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
          <span class="block-chart-mark" style="background: ${colour}"></span>
          ${label}: ${value.toLocaleString('en')} (${Math.round(shares[index] ?? 0)}%)
        </li>`,
      )}
    </ul>
  </figure>`;
}
