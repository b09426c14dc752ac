import { html, nothing, type TemplateResult } from 'lit';
import type { JsonObject } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';

export interface MenuChoice {
  value: string;
  label: string;
  description?: string;
  /** The app's own option object, where there is one. */
  option?: JsonObject;
}

export interface ChoiceGroup {
  label?: string;
  choices: MenuChoice[];
}

/** One of several that are chosen, with a button that takes it away. */
export function drawToken(choice: MenuChoice, remove: () => void): TemplateResult {
  return html`<span class="token">${choice.label}${drawRemoval(`Remove ${choice.label}`, '', remove)}</span>`;
}

/** What empties a select that may be empty. */
export function drawClear(choice: MenuChoice, clear: () => void): TemplateResult {
  return drawRemoval(`Clear ${choice.label}`, 'choice-clear', clear);
}

/** The click stays here: it is not one on the select, which would open the list. */
function drawRemoval(name: string, className: string, remove: () => void): TemplateResult {
  return html`<button
    type="button"
    class=${className}
    aria-label=${name}
    @click=${(event: Event) => {
      event.stopPropagation();
      remove();
    }}
  >
    ${icon('close')}
  </button>`;
}

interface List {
  listId: string;
  /** Which one, counted over all groups, the arrow keys are at. */
  active: number;
  chosen: MenuChoice[];
  point(at: number): void;
  pick(choice: MenuChoice): void;
}

export function drawGroups(groups: ChoiceGroup[], list: List): TemplateResult[] {
  let at = 0;
  return groups.map((group, index) => {
    const options = group.choices.map((choice) => drawChoice(choice, at++, list));
    const labelId = `${list.listId}-group-${index}`;
    return group.label === undefined
      ? html`${options}`
      : html`<div role="group" aria-labelledby=${labelId}>
          <div class="choice-group" id=${labelId}>${group.label}</div>
          ${options}
        </div>`;
  });
}

function drawChoice(
  choice: MenuChoice,
  at: number,
  { listId, active, chosen, point, pick }: List,
): TemplateResult {
  const isChosen = chosen.some(({ value }) => value === choice.value);
  return html`<div
    role="option"
    id="${listId}-${at}"
    class="choice-option ${at === active ? 'active' : ''}"
    aria-selected=${isChosen}
    @mousemove=${() => point(at)}
    @click=${() => pick(choice)}
  >
    <span class="choice-label">${choice.label}</span>
    ${choice.description ? html`<span class="choice-more">${choice.description}</span>` : nothing}
    ${isChosen ? icon('check') : nothing}
  </div>`;
}
