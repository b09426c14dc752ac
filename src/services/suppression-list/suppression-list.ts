import { maskNumber, type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { allOfPages, listPageOf } from '../../lib/paging.ts';
import type { NewAnswer } from '../../store/suppression-list/answer-number.ts';
import type { SuppressionEntry, SuppressionSource } from '../../store/suppression-list/suppression-rows.ts';
import type { CampaignService } from '../campaigns/campaign-service.ts';
import type { Context } from '../context.ts';

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

/** A workspace's list of opted-out numbers. Campaigns skip them, and a single message shows a warning. */
export interface SuppressionService {
  add(request: {
    workspaceId: string;
    /** Left out where the owner of the number does it. */
    userId?: string | undefined;
    numbers: readonly PhoneNumber[];
    source?: SuppressionSource | undefined;
  }): Promise<AddSuppressedResult>;
  /**
   * Notes that the owner of a number stops messages once more. Resolves with false, and changes nothing, where the number
   * isn’t on the list.
   */
  listAgain(workspaceId: string, number: PhoneNumber): Promise<boolean>;
  /** Does what a reply asks for, once. Returns whether its number is on the list for this very reply. */
  answer(answer: NewAnswer & { number: PhoneNumber }): Promise<boolean>;
  /** Returns how many of the numbers were on the list. */
  remove(workspaceId: string, numbers: readonly PhoneNumber[]): Promise<number>;
  /** Returns those of the numbers that are on the list, in the same order. */
  filterListed(workspaceId: string, numbers: readonly PhoneNumber[]): Promise<PhoneNumber[]>;
  /** Returns who added those of the numbers that are on the list, when and how, by number. */
  find(workspaceId: string, numbers: readonly PhoneNumber[]): Promise<Map<PhoneNumber, SuppressedNumber>>;
  count(workspaceId: string): Promise<number>;
  /** Yields the whole list, latest additions first, reading page by page. */
  all(workspaceId: string): AsyncIterable<SuppressedNumber>;
  page(workspaceId: string, query: { after?: string | undefined; limit: number }): Promise<SuppressedPage>;
}

const exportPageSize = 500;

export function createSuppressionService(
  { store: { suppressionList: store }, audit: { record } }: Context,
  { campaigns }: { campaigns: Pick<CampaignService, 'lostRecipients'> },
): SuppressionService {
  async function recordAdded({
    workspaceId,
    userId,
    numbers,
    source,
    added,
  }: Parameters<SuppressionService['add']>[0] & { added: number }): Promise<void> {
    await record({
      workspaceId,
      userId,
      action: source?.kind === 'file' ? 'suppression.import' : 'suppression.add',
      ...describe(numbers),
      outcome: 'done',
      details: { numbers: numbers.length, added, source: source?.kind ?? 'typed' },
    });
  }

  async function recordRemoved(
    workspaceId: string,
    numbers: readonly PhoneNumber[],
    removed: number,
  ): Promise<void> {
    const details = { numbers: numbers.length, removed };
    const entry = { action: 'suppression.remove', outcome: 'done', details } as const;
    await record({ workspaceId, ...entry, ...describe(numbers) });
  }

  async function readPage(
    workspaceId: string,
    { after, limit }: { after?: string | undefined; limit: number },
  ) {
    const entries = await store.list({ workspaceId, after, limit: limit + 1 });
    const { records, next } = listPageOf(entries, limit, ({ cursor }) => cursor);
    return { records: records.map(readEntry), next };
  }

  return {
    async add(request) {
      const { workspaceId, userId, numbers, source } = request;
      const changed: string[] = [];
      const added = await store.add(workspaceId, numbers, userId, {
        source,
        onRemoved: (ids) => void changed.push(...ids),
      });
      await recordAdded({ ...request, added });
      await campaigns.lostRecipients(workspaceId, [...new Set(changed)]);
      return { added, alreadyListed: numbers.length - added };
    },

    listAgain: store.listAgain,

    async answer(answer) {
      const { workspaceId, number } = answer;
      const { done, isListed, campaigns: changed } = await store.answer(answer);
      if (done === 'listed') {
        await recordAdded({ workspaceId, numbers: [number], source: { kind: 'reply' }, added: 1 });
        await campaigns.lostRecipients(workspaceId, changed);
      } else if (done === 'removed') {
        await recordRemoved(workspaceId, [number], 1);
      }
      return isListed;
    },

    async remove(workspaceId, numbers) {
      const removed = await store.remove(workspaceId, numbers);
      await recordRemoved(workspaceId, numbers, removed);
      return removed;
    },

    filterListed: (workspaceId, numbers) => store.among(workspaceId, numbers),

    async find(workspaceId, numbers) {
      const entries = await store.find(workspaceId, numbers);
      return new Map(entries.map((entry) => [phoneNumberSchema.parse(entry.number), readEntry(entry)]));
    },

    count: (workspaceId) => store.count(workspaceId),

    all: (workspaceId) => allOfPages((after) => readPage(workspaceId, { after, limit: exportPageSize })),

    async page(workspaceId, query) {
      const { after } = query;
      const [{ records: numbers, next }, before] = await Promise.all([
        readPage(workspaceId, query),
        after === undefined ? 0 : store.countUpTo(workspaceId, after),
      ]);
      return { numbers, before, next };
    },
  };
}

/** Up to this many masked numbers are named. */
const maxNamed = 5;

function describe(numbers: readonly PhoneNumber[]): { subject: string | undefined } {
  const named = numbers.slice(0, maxNamed).map(maskNumber);
  const more = numbers.length > maxNamed ? ['…'] : [];
  return { subject: named.length === 0 ? undefined : [...named, ...more].join(', ') };
}

function readEntry({ number, createdBy, createdAt, source }: SuppressionEntry): SuppressedNumber {
  return { number: phoneNumberSchema.optional().parse(number), createdBy, createdAt, source };
}
