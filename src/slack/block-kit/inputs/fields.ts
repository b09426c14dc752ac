import type { InputBlock, PlainTextOption, StaticSelect } from '@slack/types';
import { input } from '../build.ts';

/** Their elements have the id of their block unless an action is given. */
interface FieldOptions {
  actionId?: string | undefined;
  placeholder?: string | undefined;
  hint?: string | undefined;
  optional?: boolean | undefined;
}

/** A field for typed text. A value that is too long is cut. */
export function textInput(
  blockId: string,
  label: string,
  value: string | undefined,
  options: FieldOptions & {
    /** In characters. */
    maxLength: number;
    multiline?: boolean;
    /** Whether the cursor begins here. */
    focus?: boolean | undefined;
    /** Updates the form on Enter, or on each character. */
    dispatchOn?: 'enter' | 'character';
  },
): InputBlock {
  const { maxLength, multiline = false, focus = false, dispatchOn } = options;
  return field(blockId, label, { ...options, dispatch: dispatchOn !== undefined }, (ids) => ({
    type: 'plain_text_input',
    ...ids,
    max_length: maxLength,
    ...(multiline && { multiline }),
    ...(focus && { focus_on_load: focus }),
    ...(dispatchOn && { dispatch_action_config: { trigger_actions_on: [triggers[dispatchOn]] } }),
    ...(value && { initial_value: value.slice(0, maxLength) }),
  }));
}

const triggers = { enter: 'on_enter_pressed', character: 'on_character_entered' } as const;

/** A select whose options `router.options` returns for its action, at once and for each search. */
export function searchInput(
  blockId: string,
  label: string,
  options: FieldOptions & { chosen?: PlainTextOption | undefined; dispatch?: boolean | undefined } = {},
): InputBlock {
  return field(blockId, label, options, (ids) => ({
    type: 'external_select',
    ...ids,
    min_query_length: 0,
    ...(options.chosen && { initial_option: options.chosen }),
  }));
}

/** A select of these options. `chosen` is the value of the one that is chosen at first. */
export function selectInput(
  blockId: string,
  label: string,
  choices: PlainTextOption[],
  options: FieldOptions & { chosen?: string | undefined; dispatch?: boolean | undefined } = {},
): InputBlock {
  return field(blockId, label, options, ({ action_id, ...placeholder }) => ({
    ...select(action_id, choices, options.chosen),
    ...placeholder,
  }));
}

/** The element of such a select, for a row of buttons. */
export function select(
  actionId: string,
  options: PlainTextOption[],
  chosen: string | undefined,
): StaticSelect {
  const initial = options.find(({ value }) => value === chosen);
  return {
    type: 'static_select',
    action_id: actionId,
    options,
    ...(initial && { initial_option: initial }),
  };
}

function field(
  blockId: string,
  label: string,
  options: FieldOptions & { dispatch?: boolean | undefined },
  elementOf: (ids: {
    action_id: string;
    placeholder?: { type: 'plain_text'; text: string };
  }) => InputBlock['element'],
): InputBlock {
  const { actionId = blockId, placeholder, hint, optional = false, dispatch = false } = options;
  const element = elementOf({
    action_id: actionId,
    ...(placeholder !== undefined && { placeholder: { type: 'plain_text', text: placeholder } }),
  });
  return input(blockId, label, element, { ...(hint !== undefined && { hint }), optional, dispatch });
}

/** Boxes to tick. With `actionId`, each change updates the form. */
export function tickInput(
  blockId: string,
  label: string,
  boxes: readonly (readonly [box: PlainTextOption, isTicked: boolean])[],
  actionId?: string,
): InputBlock {
  const ticked = boxes.flatMap(([box, isTicked]) => (isTicked ? [box] : []));
  const element: InputBlock['element'] = {
    type: 'checkboxes',
    action_id: actionId ?? blockId,
    options: boxes.map(([box]) => box),
    ...(ticked.length > 0 && { initial_options: ticked }),
  };
  return input(blockId, label, element, { optional: true, dispatch: actionId !== undefined });
}

/** Radio buttons. With `actionId`, a change updates the form. Without `chosen` among them, the first is chosen. */
export function radioInput(
  blockId: string,
  label: string,
  options: readonly PlainTextOption[],
  { chosen, actionId }: { chosen: PlainTextOption; actionId: string },
): InputBlock {
  const element: InputBlock['element'] = {
    type: 'radio_buttons',
    action_id: actionId,
    options: [...options],
    ...(options.length > 0 && { initial_option: options.includes(chosen) ? chosen : options[0] }),
  };
  return input(blockId, label, element, { dispatch: true });
}

/** A field for a file with a table. */
export function tableFileInput(options: { hint: string; optional?: boolean }): InputBlock {
  const filetypes = ['csv', 'tsv', 'txt'];
  return input('file', 'File', { type: 'file_input', action_id: 'file', filetypes, max_files: 1 }, options);
}
