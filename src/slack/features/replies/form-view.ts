import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { ShownThread } from '../../../services/replies/replies.ts';
import type { InboundMessage } from '../../../store/replies/replies.ts';
import { context, modal, quotation, section } from '../../block-kit/build.ts';
import { textLengthBlocks } from '../../block-kit/descriptions/text-length.ts';
import { messageInput } from '../../block-kit/inputs/message-input.ts';
import { mrkdwn, nonBreaking, userMention } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const replyCallback = 'reply_form';
export const replyActions = { text: 'reply_text', replacedText: 'reply_replaced_text' } as const;
export const replyPlainTextAction = 'reply_plain_text';

/** The thread that is answered, and the draft that the form writes. */
export const replyMetadata = z.object({
  threadId: z.string(),
  draftId: z.string(),
  /** How many times the text was replaced by plain text. */
  replaced: z.number().int().optional(),
});
export type ReplyMetadata = z.infer<typeof replyMetadata>;

export function readReplyText(values: FormValues): string {
  return values.text?.text ?? '';
}

/** The form of a reply, for who may send: with the number in full, and what it answers. */
export function replyView(
  thread: ShownThread & { sender: NonNullable<ShownThread['sender']> },
  metadata: ReplyMetadata,
  {
    text,
    latest,
    unicode,
    userId,
  }: { text: string; latest: InboundMessage | undefined; unicode: boolean; userId: string },
): ModalView {
  const { number, sender, state, assignedTo } = thread;
  const isAnothers = state === 'open' && assignedTo !== undefined && assignedTo !== userId;
  return modal({
    callbackId: replyCallback,
    title: 'Reply',
    submit: 'Review',
    close: 'Cancel',
    metadata,
    blocks: [
      section(
        mrkdwn`*To* ${nonBreaking(formatNumber(phoneNumberSchema.parse(number)))} · *From* ${sender.senderId}`,
      ),
      ...(isAnothers ? [context(mrkdwn`${userMention(assignedTo)} is at it.`)] : []),
      ...(latest === undefined || latest.text.trim() === '' ? [] : [quotation(latest.text)]),
      messageInput(replyActions, text, { ...metadata, focus: true }),
      ...textLengthBlocks(text, { route: sender.route, unicode, replaceAction: replyPlainTextAction }),
    ],
  });
}
