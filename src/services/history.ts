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

/** A page of the history, the newest first; `next` is for `after` of the page that follows, if one does. */
export interface HistoryPage {
  deeds: Deed[];
  next: string | undefined;
}

/** What was done in a workspace, by whom, and how it ended. Numbers in it are masked. */
export interface History {
  page(reader: Reader, query: { after?: string | undefined; limit: number }): Promise<HistoryPage>;
  /** All of it, the newest first, read page by page as it is taken. */
  all(reader: Reader): AsyncIterable<Deed>;
}

const pageOfAll = 500;

export function createHistory({ ledger }: { ledger: Ledger }): History {
  async function page(
    { workspaceId, personId, whose }: Reader,
    { after, limit }: { after?: string | undefined; limit: number },
  ) {
    const operations = await ledger.recent({
      workspaceId,
      ...(whose === 'own' ? { actor: personId } : {}),
      ...(after === undefined ? {} : { before: after }),
      limit: limit + 1,
    });
    const deeds = operations.slice(0, limit).map((operation): Deed => {
      return { kind: 'operation', at: operation.createdAt, operation };
    });
    const last = deeds.at(-1);
    return { deeds, next: operations.length > limit ? last?.operation.id : undefined };
  }

  return {
    page,
    async *all(reader) {
      let after: string | undefined;
      do {
        const read = await page(reader, { after, limit: pageOfAll });
        yield* read.deeds;
        after = read.next;
      } while (after !== undefined);
    },
  };
}
