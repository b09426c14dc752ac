import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { drawElement } from '../elements/element.ts';
import type { Field } from '../elements/field.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import type { PageSurface } from '../state/surface.ts';
import { drawFlow, drawText } from '../text/draw.ts';
import { readRichText } from '../text/rich-text.ts';
import { drawTable } from './data-table.ts';
import { drawInput } from './input.ts';
import { drawPieChart } from './pie-chart.ts';

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
  return html`<div class="block-section">
    <div class="block-section-text">
      ${text ? html`<div class="rich">${drawText(text, surface.directory)}</div>` : nothing}
      ${
        fields.length > 0
          ? html`<div class="block-fields">
            ${fields.map((field) => html`<div class="rich">${drawText(field, surface.directory)}</div>`)}
          </div>`
          : nothing
      }
    </div>
    ${
      accessory
        ? html`<div class="block-accessory">${drawElement(actionField(block, accessory, surface))}</div>`
        : nothing
    }
  </div>`;
}

function drawContext(block: JsonObject, surface: PageSurface): TemplateResult {
  return html`<div class="block-context">
    ${objectsAt(block, 'elements').map(
      (text) => html`<div class="rich">${drawText(text, surface.directory)}</div>`,
    )}
  </div>`;
}

function drawActions(block: JsonObject, surface: PageSurface): TemplateResult {
  const elements = objectsAt(block, 'elements');
  return html`<div class="block-actions">
    ${elements.map((element) => drawElement(actionField(block, element, surface)))}
  </div>`;
}

/** An element outside an input block: each change goes to the app, and the placeholder is the accessible name. */
function actionField(block: JsonObject, element: JsonObject, surface: PageSurface): Field {
  const slot = { blockId: stringAt(block, 'block_id') ?? '', actionId: stringAt(element, 'action_id') ?? '' };
  return {
    element,
    surface,
    slot,
    dispatches: true,
    inputId: `${surface.id}-${slot.blockId}-${slot.actionId}`,
    name: textAt(element, 'placeholder') || nameByType(stringAt(element, 'type') ?? ''),
    describedBy: '',
    invalid: false,
    required: false,
  };
}

function nameByType(type: string): string {
  return type.replaceAll('_', ' ').replace('picker', ' picker');
}
