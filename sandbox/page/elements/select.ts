import { html, nothing, type TemplateResult } from 'lit';
import { type Json, type JsonObject, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { flagAt, numberAt, textAt } from '../json.ts';
import './choice-select.ts';
import { choicesOf } from './choices.ts';
import { changeState, type Field, stateOf, takesFocusOnLoad } from './field.ts';
import type { ChoiceGroup, MenuChoice } from './select-list.ts';

/** A select of one value: `static_select`, `external_select`, `users_select` and others. */
export function drawSelect(field: Field): TemplateResult {
  const type = stringAt(field.element, 'type') ?? '';
  const choices = choicesOf(field, type);
  const value = stateOf(field)[choices.property] ?? defaultValue(field, type);
  const chosen = value === undefined ? undefined : choices.of(value);
  return drawChoiceSelect(field, {
    chosen,
    clearable: !field.required && !field.dispatches,
    search: choices.search,
    choose: (choice) => {
      const state: JsonObject = { type, [choices.property]: choice ? choices.valueOf(choice) : null };
      void changeState(field, state);
    },
  });
}

/** A select of several values, which stand above it: `multi_static_select`, `multi_users_select` and others. */
export function drawMultiSelect(field: Field): TemplateResult {
  const { element } = field;
  const type = stringAt(element, 'type') ?? '';
  const choices = choicesOf(field, type.replace('multi_', ''));
  const property = `${choices.property}s`;
  const state = stateOf(field)[property];
  const values = Array.isArray(state) ? state : [];
  const chosen = values.map((value) => choices.of(value));
  const change = (after: Json[]) => void changeState(field, { type, [property]: after });
  const remove = ({ value: removed }: MenuChoice) =>
    change(values.filter((value) => choices.of(value).value !== removed));
  const isFull = values.length >= (numberAt(element, 'max_selected_items') ?? Number.POSITIVE_INFINITY);
  return html`${chosen.length > 0 ? drawTokens(chosen, remove) : nothing}${drawChoiceSelect(field, {
    chosen: undefined,
    clearable: false,
    search: async (query) => (isFull ? [] : without(await choices.search(query), chosen)),
    choose: (choice) => choice && change([...values, choices.valueOf(choice)]),
  })}`;
}

function drawTokens(chosen: MenuChoice[], remove: (choice: MenuChoice) => void): TemplateResult {
  return html`<ul class="tokens" aria-label="Chosen">
    ${chosen.map(
      (choice) => html`<li class="token">
        ${choice.label}
        <button type="button" aria-label="Remove ${choice.label}" @click=${() => remove(choice)}>
          ${icon('close')}
        </button>
      </li>`,
    )}
  </ul>`;
}

function drawChoiceSelect(
  field: Field,
  source: {
    chosen: MenuChoice | undefined;
    clearable: boolean;
    search(query: string): Promise<ChoiceGroup[]>;
    choose(choice: MenuChoice | undefined): void;
  },
): TemplateResult {
  const { element } = field;
  const isRemote = stringAt(element, 'type')?.endsWith('external_select') === true;
  return html`<choice-select
    .inputId=${field.inputId}
    .name=${field.name}
    .describedBy=${field.describedBy}
    .invalid=${field.invalid}
    .required=${field.required}
    .placeholder=${textAt(element, 'placeholder') || 'Choose one'}
    .clearable=${source.clearable}
    .focusFirst=${takesFocusOnLoad(field)}
    .remote=${isRemote}
    .minQuery=${isRemote ? (numberAt(element, 'min_query_length') ?? 3) : 0}
    .chosen=${source.chosen}
    .search=${source.search}
    .choose=${source.choose}
  ></choice-select>`;
}

/** A select of conversations can begin with the one that its view was opened from. */
function defaultValue({ element, surface }: Field, type: string): string | undefined {
  const isCurrent = type === 'conversations_select' && flagAt(element, 'default_to_current_conversation');
  return isCurrent ? surface.channel : undefined;
}

function without(groups: ChoiceGroup[], chosen: MenuChoice[]): ChoiceGroup[] {
  const taken = new Set(chosen.map(({ value }) => value));
  return groups
    .map((group) => ({ ...group, choices: group.choices.filter(({ value }) => !taken.has(value)) }))
    .filter(({ choices }) => choices.length > 0);
}
