import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  flagAt,
  isJsonObject,
  type Json,
  type JsonObject,
  numberAt,
  objectAt,
  stringAt,
  stringsAt,
  textAt,
} from '../../lib/json.ts';
import type { SandboxChannel } from '../../slack/protocol.ts';
import { icon } from '../art/icons.ts';
import { channelLabel, type Directory } from '../state/directory.ts';
import { type OptionGroup, readOptionGroups } from '../state/surfaces.ts';
import { plainWords, readPlain } from '../text/mrkdwn.ts';
import { changeState, control, type Field, stateOf } from './field.ts';
import type { Choice, ChoiceGroup } from './search-select.ts';
import './search-select.ts';

/** What can be chosen in a select, of one value or of several. */
interface Choices {
  /** The property of the state that holds a value: `selected_user`. A select of several has `selected_users`. */
  property: string;
  /** The choices, or the function that asks the app for those of a query. */
  offered: ChoiceGroup[] | ((query: string) => Promise<ChoiceGroup[]>);
  /** Returns the choice of a value in the state. */
  of(value: Json): Choice;
  valueOf(choice: Choice): Json;
}

/** A select of one value: `static_select`, `external_select`, `users_select` and others. */
export function drawSelect(field: Field): TemplateResult {
  const type = stringAt(field.element, 'type') ?? '';
  const choices = choicesOf(field, type);
  const value = stateOf(field)[choices.property] ?? defaultValue(field, type);
  return drawControl(field, {
    offered: choices.offered,
    chosen: value === undefined ? undefined : choices.of(value),
    clearable: !field.required && !field.dispatches,
    choose: (choice) => {
      const state: JsonObject = { type, [choices.property]: choice ? choices.valueOf(choice) : null };
      void changeState(field, state);
    },
  });
}

/** A select of several values, which stand above it: `multi_static_select`, `multi_users_select` and others. */
export function drawMultiSelect(field: Field): TemplateResult {
  const type = stringAt(field.element, 'type') ?? '';
  const each = choicesOf(field, type.replace('multi_', ''));
  const { offered } = each;
  const property = `${each.property}s`;
  const state = stateOf(field)[property];
  const values = Array.isArray(state) ? state : [];
  const taken = new Set(values.map((value) => each.of(value).value));
  const isFull = values.length >= (numberAt(field.element, 'max_selected_items') ?? Number.POSITIVE_INFINITY);
  const left = (groups: ChoiceGroup[]) =>
    groups
      .map(({ label, choices }) => ({
        label,
        choices: choices.filter(({ value }) => !isFull && !taken.has(value)),
      }))
      .filter(({ choices }) => choices.length > 0);
  const change = (after: Json[]) => void changeState(field, { type, [property]: after });
  const tokens = values.map((value) =>
    drawToken(each.of(value).label, () => change(values.filter((other) => other !== value))),
  );
  return html`${tokens.length > 0 ? html`<ul class="row wraps" aria-label="Chosen">${tokens}</ul>` : nothing}
    ${drawControl(field, {
      offered: typeof offered === 'function' ? async (query) => left(await offered(query)) : left(offered),
      chosen: undefined,
      clearable: false,
      choose: (choice) => choice && change([...values, each.valueOf(choice)]),
    })}`;
}

/** A chosen value or file, which can be removed. */
export function drawToken(label: TemplateResult | string, remove: () => void, name = label): TemplateResult {
  return html`<li class="row token">
    ${label}
    <button type="button" class="tool" aria-label="Remove ${name}" @click=${remove}>${icon('close')}</button>
  </li>`;
}

interface SelectControl {
  offered: Choices['offered'];
  chosen: Choice | undefined;
  clearable: boolean;
  choose(choice: Choice | undefined): void;
}

function drawControl(field: Field, { offered, chosen, clearable, choose }: SelectControl): TemplateResult {
  if (typeof offered === 'function') {
    return html`<search-select
      .control=${field}
      .chosen=${chosen}
      .clearable=${clearable}
      .search=${offered}
      .choose=${choose}
    ></search-select>`;
  }
  const isKnown = offered.some(({ choices }) => choices.some(({ value }) => value === chosen?.value));
  const groups = chosen && !isKnown ? [{ choices: [chosen] }, ...offered] : offered;
  const all = groups.flatMap(({ choices }) => choices);
  const draw = ({ value, label, description }: Choice) =>
    html`<option .selected=${live(value === chosen?.value)}>
      ${description ? `${label}: ${description}` : label}
    </option>`;
  return html`<select
    ${control(field)}
    @change=${({ target }: Event) => target instanceof HTMLSelectElement && choose(all[target.selectedIndex - 1])}
  >
    <option value="" ?hidden=${!clearable} ?disabled=${!clearable} .selected=${live(!chosen)}>
      ${textAt(field.element, 'placeholder') || 'Choose one'}
    </option>
    ${groups.map(({ label, choices }) =>
      label === undefined
        ? choices.map(draw)
        : html`<optgroup label=${label}>${choices.map(draw)}</optgroup>`,
    )}
  </select>`;
}

/** A select of conversations can begin with the one that its view was opened from. */
function defaultValue({ element, surface }: Field, type: string): string | undefined {
  const isCurrent = type === 'conversations_select' && flagAt(element, 'default_to_current_conversation');
  return isCurrent ? surface.channel : undefined;
}

/** Returns the choices of a select. `kind` is the type of the element without `multi_`. */
function choicesOf(field: Field, kind: string): Choices {
  const { element, surface, slot } = field;
  const { directory } = surface;
  switch (kind) {
    case 'users_select':
      return idChoices(
        'selected_user',
        directory.people.map(({ id, name }) => ({ value: id, label: `@${name}` })),
      );
    case 'conversations_select':
      return idChoices(
        'selected_conversation',
        conversationChoices(directory, objectAt(element, 'filter')),
        (id) => channelLabel(directory, id),
      );
    case 'channels_select':
      return idChoices('selected_channel', conversationChoices(directory, { include: ['public'] }), (id) =>
        channelLabel(directory, id),
      );
    default:
      return {
        property: 'selected_option',
        offered:
          kind === 'external_select'
            ? async (query) => (await surface.findOptions(slot, query)).map(toGroup)
            : readOptionGroups(element).map(toGroup),
        of: (option) => toChoice(isJsonObject(option) ? option : {}),
        valueOf: ({ option }) => option ?? null,
      };
  }
}

/** Choices whose values in the state are ids, of people or of channels. */
function idChoices(
  property: string,
  choices: Choice[],
  nameOf?: (id: string) => string | undefined,
): Choices {
  return {
    property,
    offered: [{ choices }],
    of: (id) => {
      const value = String(id);
      return choices.find((choice) => choice.value === value) ?? { value, label: nameOf?.(value) ?? value };
    },
    valueOf: ({ value }) => value,
  };
}

const filterNames: Record<SandboxChannel['kind'], string> = {
  public: 'public',
  private: 'private',
  dm: 'im',
};

function conversationChoices(directory: Directory, filter: JsonObject | undefined): Choice[] {
  const included = stringsAt(filter, 'include');
  return directory.channels
    .filter(({ kind }) => included.length === 0 || included.includes(filterNames[kind]))
    .filter(({ archived, kind }) => !archived && !(kind === 'dm' && flagAt(filter, 'exclude_bot_users')))
    .map(({ id }) => ({ value: id, label: channelLabel(directory, id) }));
}

function toChoice(option: JsonObject): Choice {
  return {
    value: stringAt(option, 'value') ?? '',
    label: plainWords(readPlain(textAt(option, 'text'), false)),
    description: textAt(option, 'description') || undefined,
    option,
  };
}

function toGroup({ label, options }: OptionGroup): ChoiceGroup {
  return { label: label && (stringAt(label, 'text') ?? ''), choices: options.map(toChoice) };
}
