import type { Ledger, Operation } from '../store/ledger.ts';

/** Who reads the history, and whose part of it: a person's own, or everyone's in the workspace. */
export interface Reader {
  workspaceId: string;
  personId: string;
  whose: 'own' | 'everyone';
}

/** Something that was done, as the history has it. */
export interface Deed {
  kind: 'operation';
  at: Date;
  operation: Operation;
}

/** Where a page ends: the last one seen. */
export interface Place {
  operation?: string | undefined;
}

/** A page of the history, the newest first; `next` is where the one after it begins, if there is one. */
export interface HistoryPage {
  deeds: Deed[];
  next: Place | undefined;
}

/** What was done in a workspace, by whom, and how it ended. Numbers in it are masked. */
export interface History {
  page(reader: Reader, query: { after: Place; limit: number }): Promise<HistoryPage>;
  /** All of it, the newest first, read page by page as it is taken. */
  all(reader: Reader): AsyncIterable<Deed>;
}

const pageOfAll = 500;

export function createHistory({ ledger }: { ledger: Ledger }): History {
  async function page(
    { workspaceId, personId, whose }: Reader,
    { after, limit }: { after: Place; limit: number },
  ) {
    const operations = await ledger.recent({
      workspaceId,
      ...(whose === 'own' ? { actor: personId } : {}),
      ...(after.operation === undefined ? {} : { before: after.operation }),
      limit: limit + 1,
    });
    const deeds = operations.slice(0, limit).map((operation): Deed => {
      return { kind: 'operation', at: operation.createdAt, operation };
    });
    const last = deeds.at(-1);
    const next =
      last === undefined || operations.length <= limit ? undefined : { operation: last.operation.id };
    return { deeds, next };
  }

  return {
    page,
    async *all(reader) {
      for (let after: Place | undefined = {}; after !== undefined; ) {
        const read: HistoryPage = await page(reader, { after, limit: pageOfAll });
        yield* read.deeds;
        after = read.next;
      }
    },
  };
}
