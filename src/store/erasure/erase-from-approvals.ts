import { approvalContentColumn, approvalReasonColumn } from '../approvals/approval-row.ts';
import { eraseFromText } from './erased-person.ts';
import { type ErasureContext, eraseFromColumn } from './erasure-context.ts';

/** What waits for approval stays as it was requested: a change would make it void. */
export async function eraseFromApprovals(context: ErasureContext): Promise<void> {
  const { db, person, counts } = context;
  const waiting = await db
    .selectFrom('approval')
    .select(['workspace_id', 'id'])
    .where('state', '=', 'waiting')
    .execute();
  const isWaiting = new Set(waiting.map(({ workspace_id, id }) => JSON.stringify([workspace_id, id])));
  counts.texts += await eraseFromColumn(context, approvalContentColumn, (text, { key }) => {
    const erased = eraseFromText(text, person);
    if (erased === text || !isWaiting.has(JSON.stringify(key))) {
      return erased;
    }
    counts.keptTexts += 1;
    return text;
  });
  counts.texts += await eraseFromColumn(context, approvalReasonColumn, (text) => eraseFromText(text, person));
}
