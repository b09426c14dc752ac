import { html, type TemplateResult } from 'lit';
import type { Channel, Json, JsonObject } from '../../slack/protocol.ts';
import { flagAt, isObject, numberAt, objectAt, objectsAt, stringAt, stringsAt, textAt } from '../json.ts';
import { channelName, type Directory } from '../state/directory.ts';
import { readPlain } from '../text/mrkdwn.ts';
import { plainWords } from '../text/nodes.ts';
import type { Choice, ChoiceGroup } from './choice-select.ts';
import './choice-select.ts';
import { change, type Field, stateOf, takesFocusOnLoad } from './field.ts';

/** What can be chosen, and how the choice is held in the element's state. */
interface Source {
  search(query: string): ChoiceGroup[] | Promise<ChoiceGroup[]>;
  chosen: Choice[];
  toState(chosen: Choice[]): JsonObject;
}

/** Every select: `static_`, `external_`, `users_`, `conversations_`, `channels_select`, and each as `multi_`. */
export function drawSelect(field: Field): TemplateResult {
  const { element } = field;
  const type = stringAt(element, 'type') ?? '';
  const multiple = type.startsWith('multi_');
  const kind = type.replace(/^multi_/, '');
  const source =
    kind === 'static_select' || kind === 'external_select' ? optionSource(field) : idSource(field, kind);
  return html`<choice-select
    .inputId=${field.inputId}
    .name=${field.name}
    .describedBy=${field.describedBy}
    .invalid=${field.invalid}
    .required=${field.required}
    .placeholder=${textAt(element, 'placeholder') || (multiple ? 'Choose some' : 'Choose one')}
    .multiple=${multiple}
    .maxChosen=${numberAt(element, 'max_selected_items') ?? Number.POSITIVE_INFINITY}
    .clearable=${!field.required && !field.dispatches}
    .focusFirst=${takesFocusOnLoad(field)}
    .minQuery=${kind === 'external_select' ? (numberAt(element, 'min_query_length') ?? 3) : 0}
    .chosen=${source.chosen}
    .search=${source.search}
    .choose=${(chosen: Choice[]) => void change(field, source.toState(chosen))}
  ></choice-select>`;
}

interface OptionChoice extends Choice {
  option: JsonObject;
}

function toChoice(option: JsonObject): OptionChoice {
  const description = textAt(option, 'description');
  return {
    value: stringAt(option, 'value') ?? '',
    label: plainWords(readPlain(textAt(option, 'text'), false)),
    ...(description ? { description } : {}),
    option,
  };
}

/** Options that the app gave with the element, or gives when asked. */
function optionSource(field: Field): Source {
  const { element, surface, slot } = field;
  const type = stringAt(element, 'type') ?? '';
  const state = stateOf(field);
  const single = objectAt(state, 'selected_option');
  const known = new Map<string, JsonObject>();
  const remember = (choice: OptionChoice): Choice => {
    known.set(choice.value, choice.option);
    return choice;
  };
  const chosen = (single ? [single] : objectsAt(state, 'selected_options')).map(toChoice).map(remember);
  const toGroup = (label: JsonObject | undefined, options: JsonObject[]): ChoiceGroup => {
    const choices = options.map(toChoice).map(remember);
    return label ? { label: stringAt(label, 'text') ?? '', choices } : { choices };
  };
  return {
    chosen,
    search: type.endsWith('external_select')
      ? async (query) => {
          const groups = await surface.findOptions(slot, query);
          return groups.map((group) => toGroup(group.label, group.options));
        }
      : (query) => matching(query, staticGroups(element, toGroup)),
    toState: (choices) => {
      const options = choices.flatMap(({ value }) => known.get(value) ?? []);
      return type.startsWith('multi_')
        ? { type, selected_options: options }
        : { type, selected_option: options[0] ?? null };
    },
  };
}

function staticGroups(
  element: JsonObject,
  toGroup: (label: JsonObject | undefined, options: JsonObject[]) => ChoiceGroup,
): ChoiceGroup[] {
  const groups = objectsAt(element, 'option_groups');
  if (groups.length === 0) return [toGroup(undefined, objectsAt(element, 'options'))];
  return groups.map((group) => toGroup(objectAt(group, 'label'), objectsAt(group, 'options')));
}

/** People and channels: the state holds their ids. */
function idSource(field: Field, kind: string): Source {
  const { element, surface } = field;
  const { directory } = surface;
  const type = stringAt(element, 'type') ?? '';
  const key = `selected_${kind.replace(/s_select$/, '')}`;
  const multiple = type.startsWith('multi_');
  const choices =
    kind === 'users_select' ? peopleChoices(directory) : channelChoices(directory, kind, element);
  const state = stateOf(field);
  const started = state[key] ?? (flagAt(element, 'default_to_current_conversation') ? surface.channel : null);
  const ids = multiple ? stringsAt(state, `${key}s`) : [started].filter((id) => typeof id === 'string');
  return {
    chosen: ids.map(
      (id) => choices.find(({ value }) => value === id) ?? { value: id, label: nameOf(id, directory) },
    ),
    search: (query) => matching(query, [{ choices }]),
    toState: (chosen): Record<string, Json> =>
      multiple
        ? { type, [`${key}s`]: chosen.map(({ value }) => value) }
        : { type, [key]: chosen[0]?.value ?? null },
  };
}

function nameOf(id: string, directory: Directory): string {
  return channelName(directory, id) ?? directory.people.find((person) => person.id === id)?.realName ?? id;
}

function peopleChoices(directory: Directory): Choice[] {
  return directory.people.map(({ id, realName, name }) => ({
    value: id,
    label: realName,
    description: `@${name}`,
  }));
}

const kindNames: Record<Channel['kind'], string> = { public: 'public', private: 'private', dm: 'im' };

function channelChoices(directory: Directory, kind: string, element: JsonObject): Choice[] {
  const filter = objectAt(element, 'filter');
  const wanted = filter && isObject(filter) ? stringsAt(filter, 'include') : [];
  return directory.channels
    .filter((channel) => (kind === 'channels_select' ? channel.kind === 'public' : true))
    .filter((channel) => wanted.length === 0 || wanted.includes(kindNames[channel.kind]))
    .filter((channel) => !channel.archived && !(channel.kind === 'dm' && flagAt(filter, 'exclude_bot_users')))
    .map(({ id, kind: channelKind }) => ({
      value: id,
      label: `${channelKind === 'dm' ? '@' : '#'}${channelName(directory, id) ?? id}`,
    }));
}

function matching(query: string, groups: ChoiceGroup[]): ChoiceGroup[] {
  const words = query.trim().toLowerCase();
  return groups
    .map((group) => ({
      ...group,
      choices: group.choices.filter((choice) =>
        `${choice.label} ${choice.description ?? ''}`.toLowerCase().includes(words),
      ),
    }))
    .filter((group) => group.choices.length > 0);
}
