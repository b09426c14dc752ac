import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { routeSchema } from '../../domain/messages/routes.ts';
import { maskNumber, type PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { CompleteContent } from './draft-faults.ts';
import { pagesEachOf } from './review-message.ts';

/** What the ledger keeps of a send, for the history and channels: no number in the clear, no text. */
export const sendSummarySchema = z.object({
  route: routeSchema,
  senderId: z.string(),
  recipients: z.number(),
  /** The first few, masked. */
  to: z.array(z.string()),
  pagesEach: z.number(),
  /** Whether the outcome's channel sees the numbers in full. They are kept with the text, for the retention time. */
  showNumbers: z.boolean().default(false),
  /** The thread of the number that it answers, where its outcome is posted. */
  replyTo: z.string().exactOptional(),
});
export type SendSummary = z.infer<typeof sendSummarySchema>;

/** How many masked recipients a summary names. */
const maxSummarized = 5;

export function summarize(content: CompleteContent): SendSummary {
  const { route, senderId, recipients, showNumbers, replyTo } = content;
  return {
    route,
    senderId,
    recipients: recipients.length,
    to: maskedFirst(recipients),
    pagesEach: pagesEachOf(content),
    showNumbers: showNumbers === true,
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

/** Whether a summary names these recipients. */
export function isSummaryOf(sent: SendSummary, recipients: readonly PhoneNumber[]): boolean {
  return sent.recipients === recipients.length && isDeepStrictEqual(sent.to, maskedFirst(recipients));
}

function maskedFirst(recipients: readonly PhoneNumber[]): string[] {
  return recipients.slice(0, maxSummarized).map(maskNumber);
}
