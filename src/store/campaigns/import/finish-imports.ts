import type { Transaction } from 'kysely';
import type { AppendAudit } from '../../audit/audit-trail.ts';
import type { StoreContext } from '../../context.ts';
import { lockNumbers } from '../../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../../engine/transaction.ts';
import type { Schema } from '../../schema/schema.ts';
import { campaignEntry, discardedColumns, dropNotices, isVersion, moveCampaigns } from '../campaign-moves.ts';
import type { Campaign, ShownCampaign } from '../campaigns.ts';
import { passOccurrences } from '../occurrences.ts';

/** A campaign whose rows have all been read. */
interface ReadImport {
  readonly workspaceId: string;
  readonly sequence: number;
  readonly appendAudit: AppendAudit;
  /** Stores the rows still in memory. */
  flush(): Promise<void>;
  /** Resolves with false while there may be more recipients to remove. */
  removeLate(transaction: Transaction<Schema>, now: Date): Promise<boolean>;
  makeReady(transaction: Transaction<Schema>, now: Date): Promise<Campaign>;
}

/**
 * The campaign being imported, or the draft it would replace, was started, scheduled, discarded or deleted.
 */
export class NoLongerDraftError extends Error {
  override readonly name = 'NoLongerDraftError';
}

/**
 * Makes imported campaigns `ready` and replaces their draft, if any, in one transaction.
 *
 * @throws NoLongerDraftError if a campaign was deleted or the draft has changed. The caller still has to
 * abandon the imports.
 */
export async function finishImports(
  { db, clock }: StoreContext,
  writers: readonly ReadImport[],
  replaced: ShownCampaign | undefined,
  remember?: (transaction: Transaction<Schema>, ready: readonly Campaign[]) => Promise<void>,
): Promise<Campaign[]> {
  for (const writer of writers) {
    await writer.flush();
  }
  let ready: Campaign[] | undefined;
  while (ready === undefined) {
    ready = await inTransaction(db, async (transaction) => {
      const now = clock();
      let isLast = true;
      for (const writer of writers) {
        await lockNumbers(transaction, writer.workspaceId);
        isLast = (await writer.removeLate(transaction, now)) && isLast;
      }
      if (!isLast) {
        return undefined;
      }
      const [first] = writers;
      if (replaced !== undefined && first !== undefined) {
        const { workspaceId, sequence, appendAudit } = first;
        const { id, version } = replaced;
        const discarded = await moveCampaigns(transaction, 'discard')
          .set(discardedColumns)
          .where('workspaceId', '=', workspaceId)
          .where('id', '=', id)
          .where(isVersion(version))
          .where('state', '=', 'ready')
          .returningAll()
          .executeTakeFirst();
        if (discarded === undefined) {
          throw new NoLongerDraftError();
        }
        await passOccurrences(transaction, discarded, sequence);
        await dropNotices(transaction, { workspaceId, id });
        await appendAudit(transaction, [campaignEntry('campaign.edit', discarded, { id })]);
      }
      const campaigns: Campaign[] = [];
      for (const writer of writers) {
        campaigns.push(await writer.makeReady(transaction, now));
      }
      await remember?.(transaction, campaigns);
      return campaigns;
    });
  }
  return ready;
}
