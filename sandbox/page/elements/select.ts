import { html, type TemplateResult } from 'lit';
import { type Json, type JsonObject, stringAt } from '../../lib/json.ts';
import type { SandboxChannel } from '../../slack/protocol.ts';
import { flagAt, numberAt, objectAt, objectsAt, stringsAt, textAt } from '../json.ts';
import { channelName, type Directory } from '../state/directory.ts';
import { type OptionGroup, readOptionGroups } from '../state/surface.ts';
import { readPlain } from '../text/mrkdwn.ts';
import { plainWords } from '../text/nodes.ts';
import type { ChoiceGroup, MenuChoice } from './choice-parts.ts';
import './choice-select.ts';
import { changeState, type Field, stateOf, takesFocusOnLoad } from './field.ts';

/** What can be chosen, and how the choice is held in the element's state. */
interface Source {
  search(query: string): Promise<ChoiceGroup[]>;
  chosen: MenuChoice[];
  toState(chosen: MenuChoice[]): JsonObject;
}

/** Every select: `static_`, `external_`, `users_`, `conversations_`, `channels_select`, and each as `multi_`. */
export function drawSelect(field: Field): TemplateResult {
  const { element } = field;
  const type = stringAt(element, 'type') ?? '';
  const multiple = type.startsWith('multi_');
  const kind = type.replace(/^multi_/, '');
  const hasOptions = kind === 'static_select' || kind === 'external_select';
  const state = stateOf(field);
  const source = hasOptions ? optionSource(field, state) : idSource(field, state, kind);
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
    .remote=${kind === 'external_select'}
    .minQuery=${kind === 'external_select' ? (numberAt(element, 'min_query_length') ?? 3) : 0}
    .chosen=${source.chosen}
    .search=${source.search}
    .choose=${(chosen: MenuChoice[]) => void changeState(field, source.toState(chosen))}
  ></choice-select>`;
}

function toChoice(option: JsonObject): MenuChoice {
  const description = textAt(option, 'description');
  return {
    value: stringAt(option, 'value') ?? '',
    label: plainWords(readPlain(textAt(option, 'text'), false)),
    ...(description ? { description } : {}),
    option,
  };
}

function toGroup({ label, options }: OptionGroup): ChoiceGroup {
  const choices = options.map(toChoice);
  return label ? { label: stringAt(label, 'text') ?? '', choices } : { choices };
}

/** Options that the app gave with the element, or gives when asked. */
function optionSource({ element, surface, slot }: Field, state: JsonObject): Source {
  const type = stringAt(element, 'type') ?? '';
  const single = objectAt(state, 'selected_option');
  const chosen = single ? [single] : objectsAt(state, 'selected_options');
  return {
    chosen: chosen.map(toChoice),
    search: type.endsWith('external_select')
      ? async (query) => (await surface.findOptions(slot, query)).map(toGroup)
      : async (query) => matching(query, readOptionGroups(element).map(toGroup)),
    toState: (choices) => {
      const options = choices.flatMap(({ option }) => option ?? []);
      return type.startsWith('multi_')
        ? { type, selected_options: options }
        : { type, selected_option: options[0] ?? null };
    },
  };
}

/** People and channels: the state holds their ids. */
function idSource({ element, surface }: Field, state: JsonObject, kind: string): Source {
  const { directory } = surface;
  const type = stringAt(element, 'type') ?? '';
  const key = `selected_${kind.replace(/s_select$/, '')}`;
  const multiple = type.startsWith('multi_');
  const choices =
    kind === 'users_select' ? peopleChoices(directory) : channelChoices(directory, kind, element);
  const started = state[key] ?? (flagAt(element, 'default_to_current_conversation') ? surface.channel : null);
  const ids = multiple ? stringsAt(state, `${key}s`) : [started].filter((id) => typeof id === 'string');
  return {
    chosen: ids.map(
      (id) => choices.find(({ value }) => value === id) ?? { value: id, label: nameOf(id, directory) },
    ),
    search: async (query) => matching(query, [{ choices }]),
    toState: (chosen): Record<string, Json> =>
      multiple
        ? { type, [`${key}s`]: chosen.map(({ value }) => value) }
        : { type, [key]: chosen[0]?.value ?? null },
  };
}

function nameOf(id: string, directory: Directory): string {
  return channelName(directory, id) ?? directory.people.find((person) => person.id === id)?.realName ?? id;
}

function peopleChoices(directory: Directory): MenuChoice[] {
  return directory.people.map(({ id, realName, name }) => ({
    value: id,
    label: realName,
    description: `@${name}`,
  }));
}

const kindNames: Record<SandboxChannel['kind'], string> = { public: 'public', private: 'private', dm: 'im' };

function channelChoices(directory: Directory, kind: string, element: JsonObject): MenuChoice[] {
  const filter = objectAt(element, 'filter');
  const wanted = stringsAt(filter, 'include');
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
