import { isJsonObject, type Json, type JsonObject, stringAt } from '../../lib/json.ts';
import type { SandboxChannel } from '../../slack/protocol.ts';
import { flagAt, objectAt, stringsAt, textAt } from '../json.ts';
import { channelName, type Directory } from '../state/directory.ts';
import { type OptionGroup, readOptionGroups } from '../state/surface.ts';
import { readPlain } from '../text/mrkdwn.ts';
import { plainWords } from '../text/nodes.ts';
import type { Field } from './field.ts';
import type { ChoiceGroup, MenuChoice } from './select-list.ts';

/** What can be chosen in a select, of one value or of several. */
export interface Choices {
  /** The property of the state that holds a value: `selected_user`. A select of several has `selected_users`. */
  property: string;
  search(query: string): Promise<ChoiceGroup[]>;
  /** Returns the choice of a value in the state. */
  of(value: Json): MenuChoice;
  valueOf(choice: MenuChoice): Json;
}

/** Returns the choices of a select. `kind` is the type of the element without `multi_`. */
export function choicesOf(field: Field, kind: string): Choices {
  switch (kind) {
    case 'users_select':
      return personChoices(field);
    case 'conversations_select':
      return channelChoices(field, 'selected_conversation');
    case 'channels_select':
      return channelChoices(field, 'selected_channel');
    default:
      return optionChoices(field, kind);
  }
}

/** Options from the element itself, or from the app for an external select. */
function optionChoices({ element, surface, slot }: Field, kind: string): Choices {
  return {
    property: 'selected_option',
    search:
      kind === 'external_select'
        ? async (query) => (await surface.findOptions(slot, query)).map(toGroup)
        : async (query) => matching(query, readOptionGroups(element).map(toGroup)),
    of: (option) => toChoice(isJsonObject(option) ? option : {}),
    valueOf: ({ option }) => option ?? null,
  };
}

/** The state holds the ids of channels. */
function channelChoices({ element, surface }: Field, property: string): Choices {
  const { directory } = surface;
  const filter = property === 'selected_channel' ? { include: ['public'] } : objectAt(element, 'filter');
  const choices = conversationChoices(directory, filter);
  return {
    property,
    search: async (query) => matching(query, [{ choices }]),
    of: (id) => knownOr(choices, id, channelName(directory, String(id))),
    valueOf: ({ value }) => value,
  };
}

/** The state holds the ids of people. */
function personChoices({ surface }: Field): Choices {
  const choices = surface.directory.people.map(({ id, name }) => ({ value: id, label: `@${name}` }));
  return {
    property: 'selected_user',
    search: async (query) => matching(query, [{ choices }]),
    of: (id) => knownOr(choices, id, undefined),
    valueOf: ({ value }) => value,
  };
}

function knownOr(choices: MenuChoice[], id: Json, label: string | undefined): MenuChoice {
  const value = String(id);
  return choices.find((choice) => choice.value === value) ?? { value, label: label ?? value };
}

const filterNames: Record<SandboxChannel['kind'], string> = {
  public: 'public',
  private: 'private',
  dm: 'im',
};

function conversationChoices(directory: Directory, filter: JsonObject | undefined): MenuChoice[] {
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
