import type { InputBlock, KnownBlock, PlainTextOption } from '@slack/types';
import type { Permission } from '../../domain/access/roles.ts';
import { areAccentsInTheWay } from '../../domain/messages/accents.ts';
import { type Route, readRoute } from '../../domain/messages/routes.ts';
import { input, option } from '../block-kit/build.ts';
import type { ChannelUse } from '../block-kit/descriptions/channel-note.ts';
import { withEmoji } from '../block-kit/emoji.ts';
import { phoneCountryInput } from '../block-kit/inputs/countries.ts';
import {
  channelInput,
  type DestinationChoice,
  destinationInputs,
  readDestination,
  type ShownInFull,
} from '../block-kit/inputs/destination-input.ts';
import { radioInput, searchInput, selectInput, textInput, tickInput } from '../block-kit/inputs/fields.ts';
import { routeInput, senderIdInput } from '../block-kit/inputs/selects.ts';
import { limits } from '../block-kit/limits.ts';
import type { FormValues, InputFile } from '../block-kit/view-state.ts';
import type { ActionRequest, FieldErrors, OptionsRequest, OptionsResponse } from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';

/**
 * The fields of a form: each has a label, an element, and knows how to read what Slack sends.
 *
 * @example
 * const fields = {
 *   to: textField('To', { max: 20 }),
 *   route: choiceField('Route', { road: 'By road', air: 'By air' }, { first: 'road', live: true }),
 *   urgent: tickField('Urgent', 'Send it now'),
 * };
 * // FormOf<typeof fields> is { to: string; route: 'road' | 'air'; urgent: boolean }
 */
export type Fields = Readonly<Record<string, FormField<unknown>>>;

/** What the fields of a form hold. */
export type FormOf<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends FormField<infer Value> ? Value : never;
};

/** Errors by field. */
export type Faults<F extends Fields> = { [Name in keyof F]?: string | undefined };

/** Overrides by a form of a field's own label, hint and options. */
export interface FieldOverrides {
  label?: string | undefined;
  hint?: string | undefined;
  placeholder?: string | undefined;
  /** Of a select. The first is chosen where none of them is. */
  options?: readonly PlainTextOption[] | undefined;
  /** Whether the cursor begins in a text that is empty. */
  focus?: boolean | undefined;
}

/** Where a field stands: its name, which is the id of its block, and the id of its action. */
export interface FieldIds {
  name: string;
  action: string;
  /** Whether that is its other action, used after the form has replaced its value. */
  isAgain: boolean;
}

export interface FormField<Value> {
  /** The value before anything is entered. */
  empty: Value;
  /** Whether a change updates the form. */
  isLive: boolean;
  /** Whether it shows and hides blocks of its own. */
  hides?: boolean;
  /** Whether its value is never kept, nor shown again after an error. */
  isSecret: boolean;
  blocks(ids: FieldIds, value: Value, overrides: FieldOverrides): KnownBlock[];
  /** Called if the field was shown. `before`: its value otherwise. */
  read(values: FormValues, name: string, before: Value): Value;
  /** The blocks that tell whether it was shown, and that an error stands beside; by default the one with the field's name. */
  ownBlocks?: { shown: string; error: string };
  /** Registers what the field needs besides the form. */
  register?(router: Router, action: string, needs: Permission): void;
}

/** @param live whether a change updates the form; of a text, on each character or on Enter */
interface FieldOptions<Live = boolean> extends Omit<FieldOverrides, 'label' | 'options'> {
  optional?: boolean;
  live?: Live;
}

/** @param max in characters; longer initial values are cut */
export function textField(
  label: string,
  options: FieldOptions<'character' | 'enter'> & { max?: number; multiline?: boolean; secret?: boolean } = {},
): FormField<string> {
  const { max = limits.inputText, multiline = false, live, secret = false, ...defaults } = options;
  return {
    empty: '',
    isLive: live !== undefined,
    isSecret: secret,
    blocks: ({ name, action }, value, { label: otherLabel, ...overrides }) => {
      const { focus, ...shown } = { ...defaults, ...overrides };
      const dispatch = live === undefined ? {} : { dispatchOn: live };
      return [
        textInput(name, otherLabel ?? label, value, {
          ...shown,
          ...dispatch,
          actionId: action,
          maxLength: max,
          multiline,
          focus: focus === true && value === '',
        }),
      ];
    },
    read(values, name) {
      const typed = values[name]?.text ?? '';
      return secret ? typed : withEmoji(typed);
    },
  };
}

/** A select with fixed options. A value outside them reads as the first. */
export function choiceField<const Value extends string>(
  label: string,
  titles: Readonly<Record<Value, string | PlainTextOption>>,
  { first, ...options }: FieldOptions & { first: NoInfer<Value> },
): FormField<Value> {
  const offered = Object.entries<string | PlainTextOption>(titles).map(([value, title]) =>
    typeof title === 'string' ? option(title, value) : title,
  );
  const isValue = (value: string | undefined): value is Value =>
    value !== undefined && Object.hasOwn(titles, value);
  const field = optionsField(label, options);
  return {
    ...field,
    empty: first,
    blocks: (ids, value, overrides) => field.blocks(ids, value, { options: offered, ...overrides }),
    read(values, name) {
      const chosen = values[name]?.text;
      return isValue(chosen) ? chosen : first;
    },
  };
}

/** A select whose options the form says, see `FieldOverrides`. */
export function optionsField(
  label: string,
  { live = false, ...defaults }: FieldOptions = {},
): FormField<string> {
  return {
    empty: '',
    isLive: live,
    isSecret: false,
    blocks: ({ name, action }, value, { label: otherLabel, options = [], ...overrides }) => [
      selectInput(name, otherLabel ?? label, [...options], {
        ...defaults,
        ...overrides,
        actionId: action,
        chosen: value,
        dispatch: live,
      }),
    ],
    read: (values, name) => values[name]?.text ?? '',
  };
}

/** Radio buttons; a change updates the form. */
export function radioField<const Value extends string>(
  label: string,
  titles: Readonly<Record<Value, PlainTextOption>>,
  { first }: { first: NoInfer<Value> },
): FormField<Value> {
  const field = choiceField(label, titles, { first, live: true });
  return {
    ...field,
    blocks({ name, action }, value, overrides) {
      const options = overrides.options ?? Object.values<PlainTextOption>(titles);
      const chosen = options.find((each) => each.value === value) ?? titles[value];
      return [radioInput(name, overrides.label ?? label, [...options], { chosen, actionId: action })];
    },
  };
}

/** A box to tick. */
export function tickField(
  label: string,
  title: string | PlainTextOption,
  options: { live?: boolean } = {},
): FormField<boolean> {
  const field = ticksField(label, { on: title }, options);
  return {
    ...field,
    empty: false,
    blocks: (ids, value, overrides) => field.blocks(ids, value ? ['on'] : [], overrides),
    read: (values, name) => (values[name]?.ticked ?? []).length > 0,
  };
}

/** The choice to send a text without accents, see `offersAccents`. */
export const accentsField = () => tickField('Accents', sendWithoutAccents, { live: true });
export const sendWithoutAccents = 'Send without accents';

/** Whether a form offers that: where accents can't be sent, and a text has some. */
export function offersAccents(
  { text, withoutAccents }: { text: string; withoutAccents?: boolean | undefined },
  unicode: boolean,
): boolean {
  return !unicode && (withoutAccents === true || areAccentsInTheWay(text));
}

/** Boxes to tick. */
export function ticksField<const Value extends string>(
  label: string,
  titles: Readonly<Record<Value, string | PlainTextOption>>,
  { live = false }: { live?: boolean } = {},
): FormField<Value[]> {
  const boxes = Object.entries<string | PlainTextOption>(titles).map(([value, title]) =>
    typeof title === 'string' ? option(title, value) : { ...title, value },
  );
  const isValue = (value: string): value is Value => Object.hasOwn(titles, value);
  return {
    empty: [],
    isLive: live,
    isSecret: false,
    blocks({ name, action }, chosen, overrides) {
      const all: readonly string[] = chosen;
      return [
        tickInput(
          name,
          overrides.label ?? label,
          boxes.map((box) => [box, box.value !== undefined && all.includes(box.value)] as const),
          live ? action : undefined,
        ),
      ];
    },
    read: (values, name) => (values[name]?.ticked ?? []).filter(isValue),
  };
}

/** A searched select. Its options are asked for at once and for each search. */
export function searchField(
  label: string,
  find: (request: OptionsRequest) => Promise<OptionsResponse>,
  { live = false, ...defaults }: FieldOptions = {},
): FormField<PlainTextOption | undefined> {
  return {
    empty: undefined,
    isLive: live,
    isSecret: false,
    blocks: ({ name, action }, chosen, { label: otherLabel, options: _, ...overrides }) => [
      searchInput(name, otherLabel ?? label, {
        ...defaults,
        ...overrides,
        actionId: action,
        chosen,
        dispatch: live,
      }),
    ],
    read(values, name) {
      const { text: value, label: title } = values[name] ?? {};
      return value === undefined ? undefined : option(title ?? value, value);
    },
    register: (router, action, needs) => router.options(action, needs, find),
  };
}

/** A searched select of the workspace's sender IDs, which also accepts typed ones. */
export function senderField({
  optional = false,
}: {
  optional?: boolean;
} = {}): FormField<string | undefined> {
  return {
    ...chosenText,
    blocks: ({ name, isAgain }, value) => [senderIdInput(name, value, { optional, isAgain })],
  };
}

/** A select of the routes of a message, with the chosen one explained beneath. */
export function routeField(): FormField<Route | undefined> {
  return {
    empty: undefined,
    isLive: true,
    isSecret: false,
    blocks: ({ name, action }, value) => [routeInput(name, action, value)],
    read: (values, name) => readRoute(values[name]?.text),
  };
}

/** A searched select of the countries of phone numbers, by their two letters. */
export function countryField(
  hint: string,
  options: { optional?: boolean; placeholder?: string } = {},
): FormField<string> {
  return {
    ...chosenText,
    empty: '',
    blocks: ({ name }, value) => [phoneCountryInput(name, value, hint, options)],
    read: (values, name) => values[name]?.text ?? '',
  };
}

/** A channel. The router checks the choice, and says beneath the field if the app cannot post there. */
export function channelField(use: ChannelUse): FormField<string | undefined> {
  return {
    ...chosenText,
    ownBlocks: { shown: 'channel', error: 'channel' },
    blocks: (_ids, value) => [channelInput(value, use)],
    read: (values) => values.channel?.text,
  };
}

/** Where a result is shown: to the user, or in a channel. */
export function destinationField(shown: ShownInFull = 'numbers'): FormField<DestinationChoice> {
  return {
    empty: { inChannel: false },
    isLive: true,
    hides: true,
    isSecret: false,
    ownBlocks: { shown: 'place_choice', error: 'channel' },
    blocks: ({ action }, value) => destinationInputs(value, action, shown),
    read: (values, _name, { channelId }) => readDestination(values, channelId),
  };
}

/** A file with a table: CSV, or text with tabs. Nobody can put it back into its field after an error. */
export function tableFileField(
  hint: string,
  { label = 'File', optional = false }: { label?: string; optional?: boolean } = {},
): FormField<InputFile | undefined> {
  const filetypes = ['csv', 'tsv', 'txt'];
  return {
    empty: undefined,
    isLive: false,
    isSecret: false,
    blocks: ({ name, action }) => [
      input(
        name,
        label,
        { type: 'file_input', action_id: action, filetypes, max_files: 1 },
        { hint, optional },
      ),
    ],
    read: (values, name) => values[name]?.files?.[0],
  };
}

/** Several of what an element offers: users, or options of a search. `element` is Slack's, without its ids. */
export function severalField(
  label: string,
  element: (action: string) => InputBlock['element'],
  options: { hint?: string; optional?: boolean } = {},
): FormField<string[]> {
  return {
    empty: [],
    isLive: false,
    isSecret: false,
    blocks: ({ name, action }) => [input(name, label, element(action), options)],
    read: (values, name) => values[name]?.ticked ?? [],
  };
}

const chosenText = {
  empty: undefined,
  isLive: false,
  isSecret: false,
  read: (values: FormValues, name: string) => values[name]?.text,
};

/** What a form and a list do with their fields. The action ids of the fields are `<id>.<field>`. */
export function fieldSet<F extends Fields>(id: string, fields: F) {
  const entries = Object.entries<FormField<unknown>>(fields);
  const actionOf = (name: string, isAgain = false) => `${id}.${name}${isAgain ? '.again' : ''}`;
  const empty = Object.fromEntries(entries.map(([name, field]) => [name, field.empty]));
  // Each value comes from its own field, or was checked as one.
  const formOf = (values: object) => ({ ...empty, ...values }) as FormOf<F>;

  return {
    names: entries.map(([name]) => name),
    actionOf,
    secrets: entries.flatMap(([name, field]) => (field.isSecret ? [name] : [])),
    /** Whether a field shows and hides blocks of its own. */
    hides: entries.some(([, field]) => field.hides === true),
    /** Returns the values, with the empty value of each missing field. */
    formOf,

    /** Reads the entered values. A field that was not shown keeps its value. */
    read(values: FormValues, before: FormOf<F>): FormOf<F> {
      const pairs = entries.map(([name, field]) => [
        name,
        (field.ownBlocks?.shown ?? name) in values ? field.read(values, name, before[name]) : before[name],
      ]);
      return formOf(Object.fromEntries(pairs));
    },

    /**
     * Returns the blocks of a field. Slack keeps the typed value of a secret one, so nothing is put into it.
     *
     * @param isAgain under its other action: Slack then drops the value typed before
     */
    blocks(name: string, form: FormOf<F>, overrides: FieldOverrides = {}, isAgain = false): KnownBlock[] {
      const field = fields[name];
      const value = field?.isSecret ? field.empty : form[name];
      return field?.blocks({ name, action: actionOf(name, isAgain), isAgain }, value, overrides) ?? [];
    },

    /** The errors by block. */
    errorsOf: (faults: Faults<F>): FieldErrors =>
      Object.fromEntries(
        Object.entries<string | undefined>({ ...faults }).map(([name, fault]) => [
          fields[name]?.ownBlocks?.error ?? name,
          fault,
        ]),
      ),

    /**
     * @param changed called at each change of a live field
     * @param replaced the fields whose content is replaced, which have another action too
     */
    register(
      router: Router,
      needs: Permission,
      changed: (call: ActionRequest, name: string) => Promise<void>,
      replaced: ReadonlySet<string> = new Set(),
    ): void {
      for (const [name, field] of entries) {
        for (const isAgain of replaced.has(name) ? [false, true] : [false]) {
          if (field.isLive) {
            router.action(actionOf(name, isAgain), needs, (call) => changed(call, name));
          }
          field.register?.(router, actionOf(name, isAgain), needs);
        }
      }
    },
  };
}
