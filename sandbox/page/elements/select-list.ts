import { html, nothing, type TemplateResult } from 'lit';
import type { JsonObject } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';

export interface MenuChoice {
  value: string;
  label: string;
  description?: string | undefined;
  /** The option object of the app, for selects that have options. */
  option?: JsonObject | undefined;
}

export interface ChoiceGroup {
  label?: string | undefined;
  choices: MenuChoice[];
}

/** A button that clears an optional select. */
export function drawClear(choice: MenuChoice, clear: () => void): TemplateResult {
  return html`<button
    type="button"
    class="choice-clear"
    aria-label="Clear ${choice.label}"
    @click=${(event: Event) => {
      // A click on the select itself would open the list.
      event.stopPropagation();
      clear();
    }}
  >
    ${icon('close')}
  </button>`;
}

interface SelectList {
  listId: string;
  /** The choice that the arrow keys are at, counted over all groups. */
  active: number;
  chosen: MenuChoice | undefined;
  point(at: number): void;
  pick(choice: MenuChoice): void;
}

export function drawGroups(groups: ChoiceGroup[], list: SelectList): TemplateResult[] {
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
  { listId, active, chosen, point, pick }: SelectList,
): TemplateResult {
  const isChosen = chosen?.value === choice.value;
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
