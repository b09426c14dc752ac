import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { CampaignRepository } from '../../store/campaigns/campaign-repository.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { FoundChunk, PhoneIndex } from '../../store/phone-index/phone-index.ts';

/** Who reads the history, and which entries: the user's own, or everyone's in the workspace. */
export interface HistoryReader {
  workspaceId: string;
  userId: string;
  scope: 'own' | 'everyone';
}

/** An operation or a campaign in the history. */
export type HistoryEntry = { at: Date } & (
  | { kind: 'operation'; operation: Operation }
  /** `chunk`: in a search by number, the chunk of the campaign that had the number. */
  | { kind: 'campaign'; campaign: Campaign; chunk?: FoundChunk }
);

/** A page of the history, newest first. `next` is the `after` of the next page, if there is one. */
export interface HistoryPage {
  entries: HistoryEntry[];
  next: string | undefined;
}

/** The entries of a number, newest first. `more`: whether there are more than these. */
export interface HistorySearchResult {
  entries: HistoryEntry[];
  more: boolean;
}

/** What was done in a workspace, by whom, and how it ended. Numbers are masked. */
export interface History {
  page(reader: HistoryReader, query: { after?: string | undefined; limit: number }): Promise<HistoryPage>;
  /** Returns what was sent to a number within the retention time. */
  search(reader: HistoryReader, number: PhoneNumber, limit: number): Promise<HistorySearchResult>;
  /** Yields every entry, newest first, reading page by page. */
  all(reader: HistoryReader): AsyncIterable<HistoryEntry>;
}

const exportPageSize = 200;

/** Campaigns that were started or scheduled; those in preparation are left out. */
const startedStates: readonly CampaignState[] = [
  'scheduled',
  'running',
  'paused',
  'done',
  'cancelled',
  'missed',
];

/** The ids of the last operation and the last campaign on the previous pages. */
const cursorSchema = z.tuple([z.string().nullable(), z.string().nullable()]);

export function createHistory(store: {
  ledger: Ledger;
  campaigns: CampaignRepository;
  phoneIndex: PhoneIndex;
}): History {
  const { ledger, campaigns, phoneIndex } = store;

  async function page(
    { workspaceId, userId, scope: whose }: HistoryReader,
    { after, limit }: { after?: string | undefined; limit: number },
  ) {
    const [lastOperation, lastCampaign] =
      after === undefined ? [null, null] : cursorSchema.parse(JSON.parse(after));
    const own = whose === 'own' ? userId : undefined;
    const [someOperations, someCampaigns] = await Promise.all([
      ledger.recent({
        workspaceId,
        ...(own === undefined ? {} : { userId: own }),
        ...(lastOperation === null ? {} : { before: lastOperation }),
        limit: limit + 1,
      }),
      campaigns.recent({
        workspaceId,
        createdBy: own,
        states: startedStates,
        before: lastCampaign ?? undefined,
        limit: limit + 1,
      }),
    ]);
    const merged = newestFirst([...someOperations.map(ofOperation), ...someCampaigns.map(ofCampaign)]);
    const entries = merged.slice(0, limit);
    const operation = entries.findLast((entry) => entry.kind === 'operation')?.operation.id ?? lastOperation;
    const campaign = entries.findLast((entry) => entry.kind === 'campaign')?.campaign.id ?? lastCampaign;
    return { entries, next: merged.length > limit ? JSON.stringify([operation, campaign]) : undefined };
  }

  return {
    page,

    async search({ workspaceId, userId, scope: whose }, number, limit) {
      const found = await phoneIndex.find(workspaceId, number, {
        limit: limit + 1,
        userId: whose === 'own' ? userId : undefined,
      });
      const [foundOperations, foundCampaigns] = await Promise.all([
        Promise.all(found.operationIds.map((id) => ledger.find(workspaceId, { id }))),
        Promise.all(
          found.campaigns.map(async (chunk) => {
            const campaign = await campaigns.find(workspaceId, chunk.id);
            return campaign === undefined ? [] : [{ ...ofCampaign(campaign), chunk }];
          }),
        ),
      ]);
      const entries = newestFirst([
        ...foundOperations.flatMap((operation) => (operation === undefined ? [] : [ofOperation(operation)])),
        ...foundCampaigns.flat(),
      ]);
      return { entries: entries.slice(0, limit), more: entries.length > limit };
    },

    async *all(reader) {
      let after: string | undefined;
      do {
        const read = await page(reader, { after, limit: exportPageSize });
        yield* read.entries;
        after = read.next;
        // The database's answers may all be there already, and would be handled without a turn of the event loop.
        await setImmediate();
      } while (after !== undefined);
    },
  };
}

function ofOperation(operation: Operation) {
  return { kind: 'operation' as const, at: operation.createdAt, operation };
}

function ofCampaign(campaign: Campaign) {
  return { kind: 'campaign' as const, at: campaign.createdAt, campaign };
}

/** Stable: entries of the same instant stay in order. */
function newestFirst(entries: HistoryEntry[]): HistoryEntry[] {
  return entries.sort((one, other) => other.at.getTime() - one.at.getTime());
}
