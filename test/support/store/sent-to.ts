import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { FoundChunk } from '../../../src/store/deliveries/phone-index.ts';
import type { Store } from '../../../src/store/store.ts';

/** Returns what the history finds of a number, newest first: the ids of operations, and the chunks of campaigns. */
export async function sentTo(
  { history }: Store,
  workspaceId: string,
  to: string | PhoneNumber,
  { limit = 9, userId }: { limit?: number; userId?: string } = {},
): Promise<{ operationIds: string[]; campaigns: FoundChunk[] }> {
  const number = typeof to === 'string' ? phoneNumberSchema.parse(to) : to;
  const states = ['scheduled', 'repeating', 'running', 'paused', 'done', 'cancelled', 'missed'] as const;
  const { records } = await history.page({
    workspaceId,
    userId,
    number,
    operations: {},
    campaigns: { states },
    limit,
  });
  return {
    operationIds: records.flatMap((record) => (record.kind === 'operation' ? [record.operation.id] : [])),
    campaigns: records.flatMap((record) =>
      record.kind === 'campaign' && record.chunk !== undefined ? [record.chunk] : [],
    ),
  };
}
