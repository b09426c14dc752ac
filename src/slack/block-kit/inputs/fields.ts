import type { InputBlock, PlainTextOption } from '@slack/types';
import { input } from '../build.ts';

/** A field for typed text. Its element has the id of its block. */
export function textInput(
  blockId: string,
  label: string,
  value: string | undefined,
  options: {
    maxLength: number;
    multiline?: boolean;
    placeholder?: string;
    /** Whether the cursor begins here. */
    focus?: boolean;
    hint?: string;
    optional?: boolean;
  },
): InputBlock {
  const { maxLength, multiline = false, placeholder, focus = false, ...others } = options;
  const element: InputBlock['element'] = {
    type: 'plain_text_input',
    action_id: blockId,
    max_length: maxLength,
    ...(multiline && { multiline }),
    ...(focus && { focus_on_load: focus }),
    ...(placeholder !== undefined && { placeholder: { type: 'plain_text', text: placeholder } }),
    ...(value && { initial_value: value }),
  };
  return input(blockId, label, element, others);
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
