import { html, type TemplateResult } from 'lit';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import type { SandboxChannel } from '../../slack/protocol.ts';
import { flagAt, numberAt, objectAt, stringsAt, textAt } from '../json.ts';
import { channelName, type Directory } from '../state/directory.ts';
import { type OptionGroup, readOptionGroups } from '../state/surface.ts';
import { readPlain } from '../text/mrkdwn.ts';
import { plainWords } from '../text/nodes.ts';
import './choice-select.ts';
import { changeState, type Field, stateOf, takesFocusOnLoad } from './field.ts';
import type { ChoiceGroup, MenuChoice } from './select-list.ts';

/** The choices of a select, and the shape in which the element's state holds one. */
interface ChoiceSource {
  search(query: string): Promise<ChoiceGroup[]>;
  chosen: MenuChoice | undefined;
  toState(choice: MenuChoice | undefined): JsonObject;
}

/** The sources of the selects whose choices are the workspace's own. */
const sources: Readonly<Record<string, (field: Field) => ChoiceSource>> = {
  conversations_select: conversationSource,
  users_select: personSource,
};

/** `static_select`, `external_select`, `conversations_select`, `users_select`. */
export function drawSelect(field: Field): TemplateResult {
  const { element } = field;
  const type = stringAt(element, 'type') ?? '';
  const isRemote = type === 'external_select';
  const source = sources[type]?.(field) ?? optionSource(field, type);
  return html`<choice-select
    .inputId=${field.inputId}
    .name=${field.name}
    .describedBy=${field.describedBy}
    .invalid=${field.invalid}
    .required=${field.required}
    .placeholder=${textAt(element, 'placeholder') || 'Choose one'}
    .clearable=${!field.required && !field.dispatches}
    .focusFirst=${takesFocusOnLoad(field)}
    .remote=${isRemote}
    .minQuery=${isRemote ? (numberAt(element, 'min_query_length') ?? 3) : 0}
    .chosen=${source.chosen}
    .search=${source.search}
    .choose=${(choice: MenuChoice | undefined) => void changeState(field, source.toState(choice))}
  ></choice-select>`;
}

/** Options from the element itself, or from the app for an `external_select`. */
function optionSource(field: Field, type: string): ChoiceSource {
  const { element, surface, slot } = field;
  const chosen = objectAt(stateOf(field), 'selected_option');
  return {
    chosen: chosen && toChoice(chosen),
    search:
      type === 'external_select'
        ? async (query) => (await surface.findOptions(slot, query)).map(toGroup)
        : async (query) => matching(query, readOptionGroups(element).map(toGroup)),
    toState: (choice) => ({ type, selected_option: choice?.option ?? null }),
  };
}

/** The state of a `conversations_select` holds the id of a channel. */
function conversationSource(field: Field): ChoiceSource {
  const { element, surface } = field;
  const { directory } = surface;
  const choices = conversationChoices(directory, element);
  const current = flagAt(element, 'default_to_current_conversation') ? surface.channel : undefined;
  const id = stringAt(stateOf(field), 'selected_conversation') ?? current;
  const byId = (value: string) =>
    choices.find((choice) => choice.value === value) ?? {
      value,
      label: channelName(directory, value) ?? value,
    };
  return {
    chosen: id === undefined ? undefined : byId(id),
    search: async (query) => matching(query, [{ choices }]),
    toState: (choice) => ({ type: 'conversations_select', selected_conversation: choice?.value ?? null }),
  };
}

/** The state of a `users_select` holds the id of a person. */
function personSource(field: Field): ChoiceSource {
  const choices = field.surface.directory.people.map(({ id, name }) => ({ value: id, label: `@${name}` }));
  const id = stringAt(stateOf(field), 'selected_user');
  return {
    chosen:
      id === undefined ? undefined : (choices.find(({ value }) => value === id) ?? { value: id, label: id }),
    search: async (query) => matching(query, [{ choices }]),
    toState: (choice) => ({ type: 'users_select', selected_user: choice?.value ?? null }),
  };
}

const filterNames: Record<SandboxChannel['kind'], string> = {
  public: 'public',
  private: 'private',
  dm: 'im',
};

function conversationChoices(directory: Directory, element: JsonObject): MenuChoice[] {
  const filter = objectAt(element, 'filter');
  const included = stringsAt(filter, 'include');
  return directory.channels
    .filter(({ kind }) => included.length === 0 || included.includes(filterNames[kind]))
    .filter(({ archived, kind }) => !archived && !(kind === 'dm' && flagAt(filter, 'exclude_bot_users')))
    .map(({ id, kind }) => ({
      value: id,
      label: `${kind === 'dm' ? '@' : '#'}${channelName(directory, id) ?? id}`,
    }));
}

function toChoice(option: JsonObject): MenuChoice {
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

function matching(query: string, groups: ChoiceGroup[]): ChoiceGroup[] {
  const text = query.trim().toLowerCase();
  return groups
    .map((group) => ({
      ...group,
      choices: group.choices.filter((choice) =>
        `${choice.label} ${choice.description ?? ''}`.toLowerCase().includes(text),
      ),
    }))
    .filter((group) => group.choices.length > 0);
}
