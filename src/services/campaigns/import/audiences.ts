import { subDays } from 'date-fns/subDays';
import { type CampaignUser, ifSteerable } from '../../../domain/access/ownership.ts';
import { createWordSearch, partRules } from '../../../domain/campaigns/audience.ts';
import { fileBounds } from '../../../domain/csv/file-bounds.ts';
import { CsvFault, catchCsvFault } from '../../../domain/csv/read-csv.ts';
import type { RecipientRow } from '../../../domain/csv/recipient-rows.ts';
import { batchesOf } from '../../../lib/batches.ts';
import { createYield } from '../../../lib/yield-to-event-loop.ts';
import { type Campaign, type KnownChunk, sizeOfChunk } from '../../../store/campaigns/campaigns.ts';
import type { Context } from '../../context.ts';
import { type Audience, hasEnded, recipientReader } from './recipient-sources.ts';

/** An audience as a user chose it: campaigns by their ids. */
export interface ChosenAudience extends Pick<Audience, 'part' | 'word'> {
  campaign: string;
  without?: string | undefined;
}

/** How many recipients a campaign to an audience would have, and how many more are on the do-not-contact list. */
export interface AudienceSize {
  recipients: number;
  suppressed: number;
}

/** `reason` is a sentence for the user. */
interface Unusable {
  ok: false;
  reason: string;
}

/** Why the *Not sent* option isn't available. */
export const notSentNeedsEnd =
  '“Not sent” is available once the campaign has ended. A paused campaign has to be cancelled first.';

const recipientsGone: Unusable = {
  ok: false,
  reason: 'These recipients are gone: a campaign was discarded or deleted in the meantime.',
};

export function createAudiences(context: Context) {
  const { campaigns, suppressionList, refuseOutdated } = context.store;

  /** Returns a campaign whose recipients the user may use. */
  async function findUsable(user: CampaignUser, id: string): Promise<Campaign | undefined> {
    const campaign = ifSteerable(await campaigns.find(user.workspaceId, id), user);
    return campaign !== undefined && isKept(context, campaign) ? campaign : undefined;
  }

  return {
    /** Returns those among the `limit` newest campaigns whose recipients the user may use. */
    async usable({ workspaceId, userId, isAdmin }: CampaignUser, limit: number): Promise<Campaign[]> {
      const createdBy = isAdmin ? undefined : userId;
      const recent = await campaigns.recent({ workspaceId, createdBy, limit });
      return recent.filter((campaign) => campaign.counts.recipients > 0 && isKept(context, campaign));
    },

    /**
     * Finds the recipients that a user chose.
     *
     * @throws StoreError `outdated` for a campaign from before the data was restored: its id may name another one now
     */
    async findAudience(
      user: CampaignUser,
      chosen: ChosenAudience,
    ): Promise<{ ok: true; source: Audience } | Unusable> {
      const { part, word } = chosen;
      if (part === 'answered_with' && createWordSearch(word) === undefined) {
        return { ok: false, reason: 'Enter a word of letters or digits.' };
      }
      const campaign = await findUsable(user, chosen.campaign);
      const without = chosen.without === undefined ? undefined : await findUsable(user, chosen.without);
      if (campaign === undefined || (without === undefined && chosen.without !== undefined)) {
        return recipientsGone;
      }
      // If the campaign resumed, the recipients it hasn't reached would get both messages.
      if (part === 'not_sent' && !hasEnded(campaign)) {
        return { ok: false, reason: notSentNeedsEnd };
      }
      if (part !== 'all') {
        refuseOutdated(campaign.id);
      }
      return { ok: true, source: { kind: 'audience', campaign, part, word, without } };
    },

    /**
     * Counts an audience by reading it, as an import does. If the signal aborts, the count is partial.
     *
     * @param options.onProgress called with the number of recipients read so far
     */
    countAudience(
      source: Audience,
      { onProgress, signal }: { onProgress: (read: number) => void; signal: AbortSignal },
    ): Promise<({ ok: true } & AudienceSize) | Unusable> {
      return catchCsvFault(async () => {
        const size = { ok: true as const, recipients: 0, suppressed: 0 };
        for await (const { members, read } of readAudience(source, context)) {
          if (signal.aborted) {
            break;
          }
          const numbers = members.map(({ number }) => number);
          const listed = await suppressionList.among(source.campaign.workspaceId, numbers);
          size.recipients += numbers.length - listed.length;
          size.suppressed += listed.length;
          onProgress(read);
        }
        return size;
      });
    },
  };
}

/** Recipients are deleted some time after a campaign has ended, so close to that time some may be gone already. */
function isKept({ settings, time }: Context, { state, text, endedAt }: Campaign): boolean {
  const kept = subDays(time.now(), settings.retentionDays);
  return state !== 'reading' && text !== undefined && (endedAt === undefined || endedAt >= kept);
}

/** Reads the audience as rows of the file that its recipients came from. */
export async function* rowsOfAudience(source: Audience, context: Context): AsyncGenerator<RecipientRow> {
  const recipient = recipientReader(source.campaign);
  let line = 0;
  for await (const { members } of readAudience(source, context)) {
    for (const { number, cells } of members) {
      line += 1;
      yield recipient(line, number, cells);
    }
  }
}

interface Member {
  number: string;
  cells: readonly string[];
}

/** Recipients that are judged at once. */
const fullBatch = { count: 2_000, bytes: fileBounds.batch };

/**
 * Reads an audience in constant memory. `read`: how many recipients of its campaign were read so far.
 *
 * @throws CsvFault if its campaign, or the excluded one, is deleted meanwhile
 */
async function* readAudience(
  source: Audience,
  context: Context,
): AsyncGenerator<{ members: Member[]; read: number }> {
  const { workspaceId, id } = source.campaign;
  const giveWay = createYield();
  let read = 0;
  const chunks = context.store.campaigns.everyChunk(workspaceId, id);
  for await (const batch of batchesOf(chunks, fullBatch, sizeOfChunk)) {
    const isMember = await judge(source, context, batch);
    const members: Member[] = [];
    for (const chunk of batch) {
      for (const [index, number] of chunk.to.entries()) {
        if (isMember(chunk, number)) {
          members.push({ number, cells: chunk.cells?.[index] ?? [] });
        }
        await giveWay();
      }
      read += chunk.to.length;
    }
    yield { members, read };
  }
  // If the campaign is deleted meanwhile, recipients are missing; if the excluded one is, some would get the message.
  const { campaign, without } = source;
  for (const each of without === undefined ? [campaign] : [campaign, without]) {
    const now = await context.store.campaigns.find(each.workspaceId, each.id);
    if (now?.sequence !== each.sequence || !isKept(context, now)) {
      throw new CsvFault(recipientsGone.reason);
    }
  }
}

/** Returns a function that says of each recipient of a batch whether they are in the audience. */
async function judge(
  { campaign, part, word, without }: Audience,
  { store: { campaigns, deliveries, replies } }: Context,
  batch: readonly KnownChunk[],
): Promise<(chunk: KnownChunk, number: string) => boolean> {
  const { workspaceId, startedAt: since } = campaign;
  const { has, needs } = partRules[part];
  const numbers = batch.flatMap(({ to }) => to);
  const ids = new Set(needs === 'delivery' ? batch.flatMap(({ providerId }) => providerId ?? []) : []);
  const find = ids.size === 0 ? undefined : await deliveries.ofRecipients(workspaceId, [...ids]);
  const isMeant = part === 'answered_with' ? createWordSearch(word) : undefined;
  const authors =
    needs === 'hasAnswered' &&
    since &&
    (await replies.authorsAmong(workspaceId, numbers, { since, isMeant }));
  const leftOut = without && (await campaigns.recipientsAmong(workspaceId, without.id, numbers));
  return ({ state, providerId }, number) =>
    leftOut?.has(number) !== true &&
    has({
      state,
      delivery: providerId === undefined ? undefined : find?.(providerId, number)?.state,
      hasAnswered: authors ? authors.has(number) : false,
    });
}
