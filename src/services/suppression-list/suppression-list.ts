import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import type { SuppressionList } from '../../store/suppression-list/suppression-list.ts';

/** A number on the suppression list. */
export interface SuppressedNumber {
  number: PhoneNumber;
  createdBy: string;
  createdAt: Date;
}

/** A page of the list, latest additions first. `next` is the `after` of the next page, if there is one. */
export interface SuppressedPage {
  numbers: SuppressedNumber[];
  next: string | undefined;
}

export interface AddSuppressedResult {
  added: number;
  /** How many of the given numbers were on the list before. */
  alreadyListed: number;
}

/** A workspace's list of people who want no messages. Campaigns skip them, and a single message shows a warning. */
export interface SuppressionService {
  add(request: {
    workspaceId: string;
    userId: string;
    numbers: readonly PhoneNumber[];
  }): Promise<AddSuppressedResult>;
  /** Returns how many of the numbers were on the list. */
  remove(workspaceId: string, numbers: readonly PhoneNumber[]): Promise<number>;
  /** Returns those of the numbers that are on the list, in the same order. */
  filterListed(workspaceId: string, numbers: readonly PhoneNumber[]): Promise<PhoneNumber[]>;
  count(workspaceId: string): Promise<number>;
  page(workspaceId: string, query: { after?: string | undefined; limit: number }): Promise<SuppressedPage>;
}

export function createSuppressionService(
  store: SuppressionList,
  {
    onRemoved,
  }: {
    /** Called with the ids of the campaigns that lost recipients. */
    onRemoved: (workspaceId: string, campaigns: readonly string[]) => Promise<void>;
  },
): SuppressionService {
  return {
    async add({ workspaceId, userId, numbers }) {
      const changed: string[] = [];
      const added = await store.add(workspaceId, numbers, userId, (ids) => void changed.push(...ids));
      await onRemoved(workspaceId, [...new Set(changed)]);
      return { added, alreadyListed: numbers.length - added };
    },

    remove: (workspaceId, numbers) => store.remove(workspaceId, numbers),

    filterListed: (workspaceId, numbers) => store.among(workspaceId, numbers),

    count: (workspaceId) => store.count(workspaceId),

    async page(workspaceId, { after, limit }) {
      const entries = await store.list({ workspaceId, after, limit: limit + 1 });
      const shown = entries.slice(0, limit);
      return {
        numbers: shown.map(({ number, createdBy, createdAt }) => {
          return { number: phoneNumberSchema.parse(number), createdBy, createdAt };
        }),
        next: entries.length > limit ? shown.at(-1)?.cursor : undefined,
      };
    },
  };
}
