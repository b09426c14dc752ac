import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Campaign, CampaignState, Campaigns } from '../../store/campaigns/campaigns.ts';
import type { Ledger, Operation } from '../../store/operations/ledger.ts';
import type { FoundChunk, NumberIndex } from '../../store/phone-index/phone-index.ts';

/** Who reads the history, and whose part of it: a person's own, or everyone's in the workspace. */
export interface Reader {
  workspaceId: string;
  personId: string;
  whose: 'own' | 'everyone';
}

/** Something that was done, as the history has it. */
export type Deed = { at: Date } & (
  | { kind: 'operation'; operation: Operation }
  /** `chunk`: where a number was looked for, the part of the campaign that it was in. */
  | { kind: 'campaign'; campaign: Campaign; chunk?: FoundChunk }
);

/** A page of the history, the newest first; `next` is for `after` of the page that follows, if one does. */
export interface HistoryPage {
  deeds: Deed[];
  next: string | undefined;
}

/** What was found of a number, the newest first; `more`: there is more than this. */
export interface Found {
  deeds: Deed[];
  more: boolean;
}

/** What was done in a workspace, by whom, and how it ended. Numbers in it are masked. */
export interface History {
  page(reader: Reader, query: { after?: string | undefined; limit: number }): Promise<HistoryPage>;
  /** What went to a number, as long as it can be found by it, which is the retention time. */
  search(reader: Reader, number: PhoneNumber, limit: number): Promise<Found>;
  /** All of it, the newest first, read page by page as it is taken. */
  all(reader: Reader): AsyncIterable<Deed>;
}

const pageOfAll = 200;

/** What is still being prepared was not done yet. */
const confirmed: readonly CampaignState[] = ['scheduled', 'running', 'paused', 'done', 'cancelled', 'missed'];

/** The ids of the last operation and the last campaign that were seen. */
const cursorSchema = z.tuple([z.string().nullable(), z.string().nullable()]);

export function createHistory(store: {
  ledger: Ledger;
  campaigns: Campaigns;
  numberIndex: NumberIndex;
}): History {
  const { ledger, campaigns, numberIndex } = store;

  async function page(
    { workspaceId, personId, whose }: Reader,
    { after, limit }: { after?: string | undefined; limit: number },
  ) {
    const [lastOperation, lastCampaign] =
      after === undefined ? [null, null] : cursorSchema.parse(JSON.parse(after));
    const own = whose === 'own' ? personId : undefined;
    const [someOperations, someCampaigns] = await Promise.all([
      ledger.recent({
        workspaceId,
        ...(own === undefined ? {} : { actor: own }),
        ...(lastOperation === null ? {} : { before: lastOperation }),
        limit: limit + 1,
      }),
      campaigns.recent({
        workspaceId,
        author: own,
        states: confirmed,
        before: lastCampaign ?? undefined,
        limit: limit + 1,
      }),
    ]);
    const merged = newestFirst([...someOperations.map(ofOperation), ...someCampaigns.map(ofCampaign)]);
    const deeds = merged.slice(0, limit);
    const operation = deeds.findLast((deed) => deed.kind === 'operation')?.operation.id ?? lastOperation;
    const campaign = deeds.findLast((deed) => deed.kind === 'campaign')?.campaign.id ?? lastCampaign;
    return { deeds, next: merged.length > limit ? JSON.stringify([operation, campaign]) : undefined };
  }

  return {
    page,

    async search({ workspaceId, personId, whose }, number, limit) {
      const found = await numberIndex.find(workspaceId, number, {
        limit: limit + 1,
        actor: whose === 'own' ? personId : undefined,
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
      const deeds = newestFirst([
        ...foundOperations.flatMap((operation) => (operation === undefined ? [] : [ofOperation(operation)])),
        ...foundCampaigns.flat(),
      ]);
      return { deeds: deeds.slice(0, limit), more: deeds.length > limit };
    },

    async *all(reader) {
      let after: string | undefined;
      do {
        const read = await page(reader, { after, limit: pageOfAll });
        yield* read.deeds;
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
function newestFirst(deeds: Deed[]): Deed[] {
  return deeds.sort((one, other) => other.at.getTime() - one.at.getTime());
}
