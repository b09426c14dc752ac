import { isJsonObject, objectsIn, stringAt } from '../../../sandbox/lib/json.ts';
import type { SlackUser } from './slack-user.ts';

/** A button in a message. */
export interface MessageButton {
  channel: string;
  ts: string;
  blockId: string;
  actionId: string;
  label: string;
  value: string;
}

/** Returns the app's buttons in the messages that a person sees, the newest last. */
export function messageButtons(person: Pick<SlackUser, 'messages'>): MessageButton[] {
  return person
    .messages()
    .filter(({ from }) => from === 'app')
    .flatMap(({ channel, ts, blocks }) =>
      blocks.flatMap((block) =>
        objectsIn(block.elements)
          .filter(({ type }) => type === 'button')
          .map((button) => ({
            channel,
            ts,
            blockId: stringAt(block, 'block_id') ?? '',
            actionId: stringAt(button, 'action_id') ?? '',
            value: stringAt(button, 'value') ?? '',
            label: (isJsonObject(button.text) && stringAt(button.text, 'text')) || '',
          })),
      ),
    );
}

/** Returns the action of a person who presses a button. */
export function pressed({ channel, ts, blockId, actionId }: MessageButton, { id, team }: SlackUser) {
  const container = { type: 'message' as const, channel, ts };
  return {
    do: 'action' as const,
    person: id,
    container,
    blockId,
    actionId,
    ...(team !== undefined && { team }),
  };
}
