import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Campaign, CampaignRepository, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { FoundChunk, PhoneIndex } from '../../store/phone-index/phone-index.ts';

/** Who reads the history, and whose part of it: a person's own, or everyone's in the workspace. */
export interface HistoryReader {
  workspaceId: string;
  userId: string;
  scope: 'own' | 'everyone';
}

/** Something that was done, as the history has it. */
export type HistoryEntry = { at: Date } & (
  | { kind: 'operation'; operation: Operation }
  /** `chunk`: where a number was looked for, the part of the campaign that it was in. */
  | { kind: 'campaign'; campaign: Campaign; chunk?: FoundChunk }
);

/** A page of the history, the newest first; `next` is for `after` of the page that follows, if one does. */
export interface HistoryPage {
  entries: HistoryEntry[];
  next: string | undefined;
}

/** What was found of a number, the newest first; `more`: there is more than this. */
export interface HistorySearchResult {
  entries: HistoryEntry[];
  more: boolean;
}

/** What was done in a workspace, by whom, and how it ended. Numbers in it are masked. */
export interface History {
  page(reader: HistoryReader, query: { after?: string | undefined; limit: number }): Promise<HistoryPage>;
  /** What went to a number, as long as it can be found by it, which is the retention time. */
  search(reader: HistoryReader, number: PhoneNumber, limit: number): Promise<HistorySearchResult>;
  /** All of it, the newest first, read page by page as it is taken. */
  all(reader: HistoryReader): AsyncIterable<HistoryEntry>;
}

const pageOfAll = 200;

/** What is still being prepared was not done yet. */
const confirmed: readonly CampaignState[] = ['scheduled', 'running', 'paused', 'done', 'cancelled', 'missed'];

/** The ids of the last operation and the last campaign that were seen. */
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
        states: confirmed,
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
        const read = await page(reader, { after, limit: pageOfAll });
        yield* read.entries;
        after = read.next;
        // Answers of the database that wait already are given one after another, with no turn of the loop in between.
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

/** What is of the same instant stays in the order given, each kind in its own. */
function newestFirst(entries: HistoryEntry[]): HistoryEntry[] {
  return entries.sort((one, other) => other.at.getTime() - one.at.getTime());
}
