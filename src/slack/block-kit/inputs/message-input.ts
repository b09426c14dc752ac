import type { InputBlock } from '@slack/types';
import { input } from '../build.ts';
import { limits } from '../limits.ts';

/** The action ids of a field for the text of a message. A change updates the form. */
export interface MessageInputActions {
  readonly text: string;
  /** In every other view whose text was replaced: Slack keeps what was typed into a field of the same ids. */
  readonly replacedText: string;
}

/** The field for the text of a message. `replaced`: how many times the text was replaced by plain text. */
export function messageInput(
  actionIds: MessageInputActions,
  text: string,
  { replaced = 0, hint, focus }: { replaced?: number | undefined; hint?: string; focus?: true } = {},
): InputBlock {
  return input(
    'text',
    'Message',
    {
      type: 'plain_text_input',
      action_id: replaced % 2 === 0 ? actionIds.text : actionIds.replacedText,
      multiline: true,
      max_length: limits.inputText,
      dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
      ...(focus && { focus_on_load: focus }),
      ...(text === '' ? {} : { initial_value: text.slice(0, limits.inputText) }),
    },
    { dispatch: true, ...(hint !== undefined && { hint }) },
  );
}
