import { showNumber } from '../../domain/access/private-values.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { allOfPages, listPageOf } from '../../lib/paging.ts';
import type { SuppressionList } from '../../store/replies/suppression-list.ts';
import type {
  AnswerResult,
  NewAnswer,
  SuppressionEntry,
  SuppressionSource,
} from '../../store/replies/suppression-records.ts';
import type { CampaignService } from '../campaigns/campaign-service.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../refusal.ts';

/** A number on the suppression list. */
export interface SuppressedNumber {
  /** Undefined once it is erased: it is still found by its number. */
  number: PhoneNumber | undefined;
  /** Undefined where the owner of the number did it. */
  createdBy: string | undefined;
  createdAt: Date;
  source: SuppressionSource | undefined;
}

/** A page of the list, latest additions first. `next` is the `after` of the next page, if there is one. */
export interface SuppressedPage {
  numbers: SuppressedNumber[];
  /** How many numbers come before these. */
  before: number;
  next: string | undefined;
}

export interface AddSuppressedResult {
  added: number;
  /** How many of the given numbers were on the list before. */
  alreadyListed: number;
}

const exportPageSize = 500;

interface NewNumbers {
  workspaceId: string;
  /** Left out where the owner of the number does it. */
  userId?: string | undefined;
  numbers: readonly PhoneNumber[];
  source?: SuppressionSource | undefined;
}

type NumberAnswer = NewAnswer & { number: PhoneNumber };
type SendingCampaigns = Pick<CampaignService, 'lostRecipients'>;

export type SuppressionService = ReturnType<typeof createSuppressionService>;

/** A workspace's list of opted-out numbers. Campaigns skip them, and a single message shows a warning. */
export function createSuppressionService(context: Context, { campaigns }: { campaigns: SendingCampaigns }) {
  const { suppressionList: store } = context.store;

  return {
    async add(request: NewNumbers): Promise<AddSuppressedResult> {
      const { workspaceId, userId, numbers, source } = request;
      const changed: string[] = [];
      const added = await store.add(workspaceId, numbers, userId, {
        source,
        onRemoved: (ids) => void changed.push(...ids),
      });
      // A recipient may use the link of a message any number of times: only the first is recorded.
      if (userId !== undefined || added > 0) {
        await recordAdded(context, request, added);
      }
      await campaigns.lostRecipients(workspaceId, [...new Set(changed)]);
      return { added, alreadyListed: numbers.length - added };
    },

    /** Applies a reply, once. */
    async answer(answer: NumberAnswer): Promise<AnswerResult> {
      const { workspaceId, number } = answer;
      const result = await store.answer(answer);
      if (result.decision === 'list') {
        await recordAdded(context, { workspaceId, numbers: [number], source: { kind: 'reply' } }, 1);
      } else if (result.decision === 'remove') {
        await recordRemoved(context, workspaceId, [number], 1);
      }
      await campaigns.lostRecipients(workspaceId, result.campaigns);
      return result;
    },

    /** Opts a number back in when a person accepts its START, unless it opted out again later. */
    async removeAsAsked(start: Parameters<SuppressionList['removeAsAsked']>[0] & { number: PhoneNumber }) {
      const removal = await store.removeAsAsked(start);
      if (removal === 'removed') {
        await recordRemoved(context, start.workspaceId, [start.number], 1);
      }
      return removal;
    },

    /** Returns how many of the numbers were on the list. */
    async remove(workspaceId: string, numbers: readonly PhoneNumber[]): Promise<number> {
      const removed = await store.remove(workspaceId, numbers);
      await recordRemoved(context, workspaceId, numbers, removed);
      return removed;
    },

    /** Returns the listed numbers among these, in the same order. */
    filterListed: (workspaceId: string, numbers: readonly PhoneNumber[]) => store.among(workspaceId, numbers),

    /** Returns who added each listed number among these, when and how. */
    async find(
      workspaceId: string,
      numbers: readonly PhoneNumber[],
    ): Promise<Map<PhoneNumber, SuppressedNumber>> {
      const entries = await store.find(workspaceId, numbers);
      return new Map(entries.map((entry) => [phoneNumberSchema.parse(entry.number), readEntry(entry)]));
    },

    count: (workspaceId: string) => store.count(workspaceId),

    /** Yields the whole list, latest additions first, reading page by page. */
    all: (workspaceId: string) =>
      allOfPages((after) => readPage(store, workspaceId, { after, limit: exportPageSize })),

    async page(workspaceId: string, query: PageQuery): Promise<SuppressedPage> {
      const { after } = query;
      const [{ records: numbers, next }, before] = await Promise.all([
        readPage(store, workspaceId, query),
        after === undefined ? 0 : store.countUpTo(workspaceId, after),
      ]);
      return { numbers, before, next };
    },
  };
}

interface PageQuery {
  after?: string | undefined;
  limit: number;
}

async function readPage(store: SuppressionList, workspaceId: string, { after, limit }: PageQuery) {
  const entries = await store.list({ workspaceId, after, limit: limit + 1 });
  const { records, next } = listPageOf(entries, limit, ({ cursor }) => cursor);
  return { records: records.map(readEntry), next };
}

function recordAdded(
  { audit }: Context,
  { workspaceId, userId, numbers, source }: NewNumbers,
  added: number,
): Promise<void> {
  return audit.record({
    workspaceId,
    userId,
    action: source?.kind === 'file' ? 'suppression.import' : 'suppression.add',
    subject: describe(numbers),
    outcome: 'done',
    details: { numbers: numbers.length, added, source: source?.kind ?? 'typed' },
  });
}

function recordRemoved(
  { audit }: Context,
  workspaceId: string,
  numbers: readonly PhoneNumber[],
  removed: number,
): Promise<void> {
  return audit.record({
    workspaceId,
    action: 'suppression.remove',
    subject: describe(numbers),
    outcome: 'done',
    details: { numbers: numbers.length, removed },
  });
}

/** Up to this many masked numbers are named. */
const maxNamed = 5;

function describe(numbers: readonly PhoneNumber[]): string | undefined {
  const named = numbers.slice(0, maxNamed).map((number) => showNumber(number, 'record'));
  const more = numbers.length > maxNamed ? ['…'] : [];
  return named.length === 0 ? undefined : [...named, ...more].join(', ');
}

function readEntry({ number, createdBy, createdAt, source }: SuppressionEntry): SuppressedNumber {
  return { number: phoneNumberSchema.optional().parse(number), createdBy, createdAt, source };
}

/** What an opt-out page may show: no number, and of the workspace only the sender. */
export interface OptOut {
  senderId: string;
  /** Whether the recipient is on the workspace's suppression list. */
  isOptedOut: boolean;
}

export type OptOutService = ReturnType<typeof createOptOutService>;

/** What a recipient can do with an opt-out link. Both methods throw a Refusal `gone` for an unknown link. */
export function createOptOutService(
  { store: { campaigns } }: Context,
  { suppressionList }: { suppressionList: SuppressionService },
) {
  async function findRecipient(token: string) {
    const found = await campaigns.findByOptOutToken(token);
    if (found === undefined) {
      throw new Refusal({ kind: 'gone', what: 'link' });
    }
    return { ...found, number: phoneNumberSchema.parse(found.number) };
  }

  return {
    /** Changes nothing: programs that scan links call it too. */
    async find(token: string): Promise<OptOut> {
      const { workspaceId, number, campaign } = await findRecipient(token);
      const listed = await suppressionList.filterListed(workspaceId, [number]);
      return { senderId: campaign.senderId, isOptedOut: listed.length > 0 };
    },

    /** Puts the recipient on the suppression list. Once is as good as twice. */
    async optOut(token: string): Promise<OptOut> {
      const { workspaceId, number, campaign } = await findRecipient(token);
      // If the number is listed already, an older START that arrives late doesn't remove it any more.
      const source = { kind: 'opt_out_link' as const, campaign: campaign.name };
      await suppressionList.add({ workspaceId, numbers: [number], source });
      return { senderId: campaign.senderId, isOptedOut: true };
    },
  };
}
