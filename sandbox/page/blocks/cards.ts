import { html, nothing, type TemplateResult } from 'lit';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { flagAt, objectAt, objectsAt, textAt } from '../json.ts';
import type { PageSurface } from '../state/surface.ts';
import { drawFlow, drawText } from '../text/draw.ts';
import { safeAddress } from '../text/nodes.ts';
import { readRichText } from '../text/rich-text.ts';
import { drawImage, drawImageElement } from './media.ts';

type ActionsDrawer = (block: JsonObject, elements: JsonObject[], surface: PageSurface) => TemplateResult[];

/** The blocks that hold others: cards side by side, containers, and the steps of a plan. */
export function drawCard(
  block: JsonObject,
  surface: PageSurface,
  drawActions: ActionsDrawer,
): TemplateResult {
  const hero = objectAt(block, 'hero_image');
  const mark = objectAt(block, 'icon');
  const words = (key: string) =>
    html`<div class="rich card-${key}">${drawText(objectAt(block, key), surface.directory)}</div>`;
  const actions = objectsAt(block, 'actions');
  return html`<article class="block-card">
    ${hero ? drawImage(hero) : nothing} ${mark ? drawImageElement(mark, 'context-image') : nothing}
    ${words('title')} ${words('subtitle')} ${words('body')}
    ${actions.length > 0 ? html`<div class="block-actions">${drawActions(block, actions, surface)}</div>` : nothing}
  </article>`;
}

export function drawCarousel(
  block: JsonObject,
  surface: PageSurface,
  drawActions: ActionsDrawer,
): TemplateResult {
  return html`<div class="block-carousel" tabindex="0" role="region" aria-label="Cards">
    ${objectsAt(block, 'elements').map((card) => drawCard(card, surface, drawActions))}
  </div>`;
}

export function drawContainer(
  block: JsonObject,
  surface: PageSurface,
  drawBlocks: (blocks: JsonObject[], surface: PageSurface) => TemplateResult,
): TemplateResult {
  const rich = objectAt(block, 'rich_text_title');
  const title = rich
    ? drawFlow(readRichText(rich), surface.directory)
    : html`<strong>${textAt(block, 'title')}</strong>`;
  const inner = drawBlocks(objectsAt(block, 'child_blocks'), surface);
  const head = html`<span class="rich">${title} ${drawText(objectAt(block, 'subtitle'), surface.directory)}</span>`;
  return flagAt(block, 'is_collapsible')
    ? html`<details class="block-card" ?open=${!flagAt(block, 'default_collapsed')}>
        <summary>${head}</summary>
        ${inner}
      </details>`
    : html`<div class="block-card">${head} ${inner}</div>`;
}

export function drawPlan(block: JsonObject, surface: PageSurface): TemplateResult {
  return html`<div class="block-card">
    <strong>${stringAt(block, 'title')}</strong>
    ${objectsAt(block, 'tasks').map((task) => drawTaskCard(task, surface))}
  </div>`;
}

const taskMarks: Record<string, 'check' | 'clock' | 'alert'> = { complete: 'check', error: 'alert' };

export function drawTaskCard(block: JsonObject, surface: PageSurface): TemplateResult {
  const status = stringAt(block, 'status') ?? 'pending';
  const part = (key: string) => {
    const rich = objectAt(block, key);
    return rich ? html`<div class="rich">${drawFlow(readRichText(rich), surface.directory)}</div>` : nothing;
  };
  return html`<div class="block-task">
    ${icon(taskMarks[status] ?? 'clock')} ${stringAt(block, 'title')}
    <span class="more">${status.replace('_', ' ')}</span>
    ${part('details')} ${part('output')}
    ${objectsAt(block, 'sources').map((source) => {
      const url = safeAddress(stringAt(source, 'url') ?? '');
      const words = stringAt(source, 'text') ?? '';
      return url ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${words}</a> ` : words;
    })}
  </div>`;
}
