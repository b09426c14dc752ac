import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import { nonEmptyText } from '../request/input-fields.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import { omitUndefined, optionalInstant, optionalText, text } from '../response/fields.ts';

/** What the provider says of a message to one number. */
export interface MessageRecord {
  readonly messageId: string;
  /** In the provider's words, such as `Delivered`. */
  readonly status: string;
  /** Digits in international format. */
  readonly receiver?: string | undefined;
  readonly sender?: string | undefined;
  readonly text?: string | undefined;
  /** As the provider wrote it: what its unit is, a page or money, is written nowhere. */
  readonly amount?: string | undefined;
  /** The amount, where the dialect says that it is money. */
  readonly cost?: string | undefined;
  readonly createdAt?: Date | undefined;
  /** The same as the provider wrote it, without a zone. */
  readonly writtenAt?: string | undefined;
}

const maxIdLength = 200;
const historyInput = z.object({ messageId: nonEmptyText.pipe(z.string().max(maxIdLength, 'is too long')) });

/** Beyond the description: public pages of such a provider show it. */
export function historyOperation({
  historyPath,
  historyAmount,
}: Dialect): ProviderOperation<z.output<typeof historyInput>, readonly MessageRecord[]> {
  return {
    name: 'messages.history',
    input: historyInput,
    unavailable: () =>
      historyPath === undefined
        ? 'Asking what became of a message is off: the provider’s profile has no `historyPath`.'
        : undefined,
    request: ({ messageId }) => ({
      method: 'GET',
      path: historyPath ?? '',
      query: { message_id: messageId },
    }),
    expect: ({ messageId }) => ({ answer: recordsOf(messageId, historyAmount === 'cost') }),
  };
}

/** More would be no answer about one message: a request has at most a hundred numbers. */
const maxRecords = 1_000;

const messageRecord = z
  .object({
    message_id: text,
    status: text.transform(printable),
    receiver: optionalText,
    sender: optionalText,
    message: optionalText,
    amount: optionalText,
    created_at: optionalText,
  })
  .transform(
    ({ message_id, status, receiver, sender, message, amount, created_at }): MessageRecord =>
      omitUndefined({
        messageId: message_id,
        status,
        receiver,
        sender,
        text: message,
        amount,
        createdAt: optionalInstant.parse(created_at),
        writtenAt: created_at,
      }),
  );

/** Without characters that a database or Slack does not take. */
function printable(words: string): string {
  return words
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
}

/** A bare array, or in the paging envelope. Of another message is what comes where the provider ignores the parameter. */
function recordsOf(messageId: string, isCost: boolean): z.ZodType<readonly MessageRecord[]> {
  const records = z
    .array(messageRecord)
    .max(maxRecords)
    .transform((all) =>
      all
        .filter((each) => each.messageId === messageId)
        .map((each) => (isCost && each.amount !== undefined ? { ...each, cost: each.amount } : each)),
    );
  return z.union([records, z.object({ content: records }).transform(({ content }) => content)]);
}
