import type { InputBlock } from '@slack/types';
import { limits } from '../limits.ts';
import { textInput } from './fields.ts';

/** The action ids of a field for the text of a message. A change updates the form. */
export interface MessageInputActions {
  readonly text: string;
  /** In every other view whose text was replaced: Slack keeps the typed text of a field with the same ids. */
  readonly replacedText: string;
}

/** The field for the text of a message. `replaced`: how many times the text was replaced by plain text. */
export function messageInput(
  actionIds: MessageInputActions,
  text: string,
  { replaced = 0, hint, focus }: { replaced?: number | undefined; hint?: string; focus?: boolean } = {},
): InputBlock {
  return textInput('text', 'Message', text, {
    maxLength: limits.inputText,
    actionId: replaced % 2 === 0 ? actionIds.text : actionIds.replacedText,
    multiline: true,
    hint,
    focus,
    dispatchOn: 'character',
  });
}
