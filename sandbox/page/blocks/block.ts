import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { drawElement } from '../elements/element.ts';
import type { Field } from '../elements/field.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import type { PageSurface } from '../state/surface.ts';
import { drawFlow, drawText } from '../text/draw.ts';
import { readMarkdown } from '../text/markdown.ts';
import { readRichText } from '../text/rich-text.ts';
import { drawCard, drawCarousel, drawContainer, drawPlan, drawTaskCard } from './cards.ts';
import { drawInput } from './input.ts';
import { drawImage, drawImageElement, drawVideo } from './media.ts';
import { drawTable } from './table.ts';

type Drawer = (block: JsonObject, surface: PageSurface) => TemplateResult;

const drawers: Record<string, Drawer> = {
  section: drawSection,
  header: (block, surface) =>
    html`<h3 class="block-header">${drawText(objectAt(block, 'text'), surface.directory)}</h3>`,
  divider: () => html`<hr class="block-divider" />`,
  context: drawContext,
  actions: (block, surface) => html`<div class="block-actions">${drawElements(block, surface)}</div>`,
  context_actions: (block, surface) =>
    html`<div class="block-actions small">${drawElements(block, surface)}</div>`,
  input: drawInput,
  image: drawImage,
  rich_text: (block, surface) =>
    html`<div class="rich">${drawFlow(readRichText(block), surface.directory)}</div>`,
  markdown: (block, surface) =>
    html`<div class="rich">${drawFlow(readMarkdown(stringAt(block, 'text') ?? ''), surface.directory)}</div>`,
  table: drawTable,
  data_table: drawTable,
  alert: drawAlert,
  video: drawVideo,
  file: (block) => html`<p class="token">${icon('file')} ${stringAt(block, 'external_id') ?? 'A file'}</p>`,
  card: (block, surface) => drawCard(block, surface, drawActions),
  carousel: (block, surface) => drawCarousel(block, surface, drawActions),
  container: (block, surface) => drawContainer(block, surface, drawBlocks),
  plan: drawPlan,
  task_card: drawTaskCard,
};

/** Draws a message's or a view's blocks; one that the app kept by its `block_id` keeps its inputs and its focus. */
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
    <div class="block-section-words">
      ${text ? html`<div class="rich">${drawText(text, surface.directory)}</div>` : nothing}
      ${
        fields.length > 0
          ? html`<div class="block-fields">
            ${fields.map((field) => html`<div class="rich">${drawText(field, surface.directory)}</div>`)}
          </div>`
          : nothing
      }
    </div>
    ${accessory ? html`<div class="block-accessory">${drawAccessory(block, accessory, surface)}</div>` : nothing}
  </div>`;
}

function drawAccessory(block: JsonObject, accessory: JsonObject, surface: PageSurface): TemplateResult {
  if (stringAt(accessory, 'type') === 'image') {
    return drawImageElement(accessory, 'accessory-image');
  }
  return drawElement(actionField(block, accessory, surface));
}

function drawContext(block: JsonObject, surface: PageSurface): TemplateResult {
  return html`<div class="block-context">
    ${objectsAt(block, 'elements').map((element) =>
      stringAt(element, 'type') === 'image'
        ? drawImageElement(element, 'context-image')
        : html`<div class="rich">${drawText(element, surface.directory)}</div>`,
    )}
  </div>`;
}

function drawElements(block: JsonObject, surface: PageSurface): TemplateResult[] {
  return objectsAt(block, 'elements').map((element) => drawElement(actionField(block, element, surface)));
}

function drawActions(block: JsonObject, elements: JsonObject[], surface: PageSurface): TemplateResult[] {
  return elements.map((element) => drawElement(actionField(block, element, surface)));
}

/** An element outside an input block: every change of it goes to the app, and its placeholder is its name. */
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

const levels: Record<string, string> = {
  info: 'info',
  success: 'success',
  warning: 'warning',
  error: 'error',
};

function drawAlert(block: JsonObject, surface: PageSurface): TemplateResult {
  const level = levels[stringAt(block, 'level') ?? ''] ?? 'default';
  const mark = level === 'success' ? 'check' : level === 'warning' || level === 'error' ? 'alert' : 'info';
  return html`<div class="block-alert ${level}" role=${level === 'error' || level === 'warning' ? 'alert' : 'note'}>
    ${icon(mark)}
    <div class="rich">${drawText(objectAt(block, 'text'), surface.directory)}</div>
  </div>`;
}
