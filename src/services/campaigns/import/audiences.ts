import { subDays } from 'date-fns/subDays';
import { type CampaignUser, ifSteerable } from '../../../domain/access/ownership.ts';
import {
  type AudiencePart,
  createWordSearch,
  isInPart,
  needsAnswers,
  needsDeliveries,
} from '../../../domain/campaigns/audience.ts';
import { CsvFault } from '../../../domain/csv/read-csv.ts';
import type { RecipientRow, RecipientTable } from '../../../domain/csv/recipient-rows.ts';
import { createYield } from '../../../lib/yield-to-event-loop.ts';
import type { Campaign, KnownChunk } from '../../../store/campaigns/campaigns.ts';
import type { Context } from '../../context.ts';
import { batchesOf } from '../result-files.ts';
import { recipientReader, tableOf } from './recipient-sources.ts';

/** Recipients of a campaign who are used again, in whatever state they and the campaign are. */
export interface Audience {
  kind: 'audience';
  campaign: Campaign;
  part: AudiencePart;
  /** Whom `answered_with` is about: those who answered with it. */
  word?: string | undefined;
  /** The campaign whose recipients are left out. */
  without?: Campaign | undefined;
}

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

export type FoundAudience =
  | { kind: 'found'; source: Audience }
  /** `reason` is a sentence for the user. */
  | { kind: 'unusable'; reason: string };

export function createAudiences(context: Context) {
  const { campaigns, refuseOutdated } = context.store;

  /** Returns a campaign whose recipients the user may use. */
  async function findUsable(user: CampaignUser, id: string): Promise<Campaign | undefined> {
    const campaign = ifSteerable(await campaigns.find(user.workspaceId, id), user);
    return campaign !== undefined && isKept(context, campaign) ? campaign : undefined;
  }

  return {
    /** Returns the newest campaigns whose recipients the user may use, at most `limit` of them. */
    async usable(
      { workspaceId, userId, isAdmin }: CampaignUser,
      { limit, except }: { limit: number; except?: string | undefined },
    ): Promise<Campaign[]> {
      const recent = await campaigns.recent({
        workspaceId,
        createdBy: isAdmin ? undefined : userId,
        limit: limit + 1,
      });
      return recent
        .filter(
          (campaign) => campaign.id !== except && campaign.counts.recipients > 0 && isKept(context, campaign),
        )
        .slice(0, limit);
    },

    /**
     * Finds the recipients that a user chose.
     *
     * @throws StoreError `outdated` for a part of a campaign from before the data was restored: what became of them since is not known
     */
    async findAudience(user: CampaignUser, chosen: ChosenAudience): Promise<FoundAudience> {
      const { part, word } = chosen;
      if (part === 'answered_with' && createWordSearch(word ?? '') === undefined) {
        return { kind: 'unusable', reason: 'Write a word of letters or digits.' };
      }
      const campaign = await findUsable(user, chosen.campaign);
      const without = chosen.without === undefined ? undefined : await findUsable(user, chosen.without);
      if (campaign === undefined || (without === undefined && chosen.without !== undefined)) {
        return { kind: 'unusable', reason: recipientsGone };
      }
      if (part !== 'all') {
        refuseOutdated(campaign.id);
      }
      return { kind: 'found', source: { kind: 'audience', campaign, part, word, without } };
    },

    ...createCounting(context),
  };
}

export type CountedAudience =
  | { kind: 'counted'; size: AudienceSize }
  /** Its campaign, or the one whose recipients are left out, was deleted meanwhile. */
  | Extract<FoundAudience, { kind: 'unusable' }>
  /** The same asker has asked for another one since. */
  | { kind: 'replaced' };

/** A count under way. */
interface Counting {
  audience: string;
  onProgress: (read: number) => void;
  isReplaced: boolean;
  result?: Promise<CountedAudience>;
}

function createCounting(context: Context) {
  /** By who asked. */
  const underway = new Map<string, Counting>();

  async function count(source: Audience, counting: Counting): Promise<CountedAudience> {
    const size = { recipients: 0, suppressed: 0 };
    try {
      for await (const { members, read } of readAudience(source, context)) {
        if (counting.isReplaced) {
          return { kind: 'replaced' };
        }
        const numbers = members.map(({ number }) => number);
        const listed = await context.store.suppressionList.among(source.campaign.workspaceId, numbers);
        size.recipients += numbers.length - listed.length;
        size.suppressed += listed.length;
        counting.onProgress(read);
      }
    } catch (error) {
      if (error instanceof CsvFault) {
        return { kind: 'unusable', reason: error.reason };
      }
      throw error;
    }
    return { kind: 'counted', size };
  }

  return {
    /**
     * Counts an audience by reading it, as an import does. Of one asker, only the last audience is counted, and once: a form
     * asks again at each change of its other fields.
     *
     * @param options.onProgress called with the number of the former campaign's recipients that were read so far
     */
    countAudience(
      source: Audience,
      { asker, onProgress }: { asker: string; onProgress: (read: number) => void },
    ): Promise<CountedAudience> {
      const { campaign, part, word, without } = source;
      const audience = JSON.stringify([campaign.sequence, part, word, without?.sequence]);
      const before = underway.get(asker);
      if (before?.audience === audience && before.result !== undefined) {
        before.onProgress = onProgress;
        return before.result;
      }
      if (before !== undefined) {
        before.isReplaced = true;
      }
      const counting: Counting = { audience, onProgress, isReplaced: false };
      underway.set(asker, counting);
      counting.result = count(source, counting).finally(() => {
        if (underway.get(asker) === counting) {
          underway.delete(asker);
        }
      });
      return counting.result;
    },
  };
}

const recipientsGone = 'These recipients are gone: a campaign was discarded or deleted meanwhile.';

/** Recipients are deleted some time after a campaign has ended: of one that is about to be, some may be gone already. */
function isKept({ settings, time }: Context, { state, text, endedAt }: Campaign): boolean {
  const kept = subDays(time.now(), settings.retentionDays);
  return state !== 'reading' && text !== undefined && (endedAt === undefined || endedAt >= kept);
}

/** The audience as a table with the columns of the file that its recipients came from. */
export function openAudience(source: Audience, context: Context): RecipientTable {
  return tableOf(source.campaign, rowsOf(source, context));
}

async function* rowsOf(source: Audience, context: Context): AsyncGenerator<RecipientRow> {
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

/** Recipients that are judged at once: few enough that others wait no longer than a moment. */
const batchSize = 500;

/** Reads an audience in constant memory. `read`: how many recipients of its campaign were read so far. */
async function* readAudience(
  source: Audience,
  context: Context,
): AsyncGenerator<{ members: Member[]; read: number }> {
  const { workspaceId, id } = source.campaign;
  const giveWay = createYield();
  let read = 0;
  for await (const batch of batchesOf(context.store.campaigns.everyChunk(workspaceId, id), batchSize)) {
    const isMember = await judge(source, context, batch);
    const members: Member[] = [];
    for (const chunk of batch) {
      for (const [index, number] of chunk.to.entries()) {
        if (isMember(chunk, number)) {
          members.push({ number, cells: chunk.cells?.[index] ?? [] });
        }
      }
      read += chunk.to.length;
      await giveWay();
    }
    yield { members, read };
  }
  await assertStillThere(source, context);
}

/** Returns a function that says of each recipient of a batch whether they are in the audience. */
async function judge(
  { campaign, part, word, without }: Audience,
  { store: { campaigns, deliveries, replies } }: Context,
  batch: readonly KnownChunk[],
): Promise<(chunk: KnownChunk, number: string) => boolean> {
  const { workspaceId, startedAt: since } = campaign;
  const numbers = batch.flatMap(({ to }) => to);
  const ids = needsDeliveries(part) ? batch.flatMap(({ providerId }) => providerId ?? []) : [];
  const isMeant = part === 'answered_with' ? createWordSearch(word ?? '') : undefined;
  const find = await deliveries.ofRecipients(workspaceId, [...new Set(ids)]);
  const authors =
    needsAnswers(part) && since !== undefined
      ? await replies.authorsAmong(workspaceId, numbers, { since, isMeant })
      : undefined;
  const excluded = without && (await campaigns.recipientsAmong(workspaceId, without.id, numbers));
  return ({ state, providerId }, number) =>
    excluded?.has(number) !== true &&
    isInPart(part, {
      state,
      delivery: ids.length === 0 || providerId === undefined ? undefined : find(providerId, number)?.state,
      hasAnswered: authors?.has(number) === true,
    });
}

/**
 * Checks what was read at its end. Of a campaign that is deleted meanwhile, some would be missing; and of one whose
 * recipients are left out, some would be sent to.
 */
async function assertStillThere(source: Audience, context: Context): Promise<void> {
  const { campaign, without } = source;
  for (const { workspaceId, id, sequence } of without === undefined ? [campaign] : [campaign, without]) {
    const now = await context.store.campaigns.find(workspaceId, id);
    if (now?.sequence !== sequence || !isKept(context, now)) {
      throw new CsvFault(recipientsGone);
    }
  }
}
