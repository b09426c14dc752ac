import { type Notice, noticeName } from '../../../src/store/outbox/notices.ts';
import type { Store } from '../../../src/store/store.ts';

/** All due notices, in order. */
export async function dueNotices({ outbox }: Pick<Store, 'outbox'>): Promise<Notice[]> {
  const seen = new Map<string, Notice>();
  for (;;) {
    const notice = await outbox.next(new Set(seen.keys()));
    if (notice === undefined) {
      return [...seen.values()];
    }
    seen.set(noticeName(notice), notice);
  }
}

/** The subjects of all due notices. */
export async function dueIds(store: Pick<Store, 'outbox'>): Promise<string[]> {
  return (await dueNotices(store)).map(({ subjectId }) => subjectId);
}

/** Ends all leases of notices, as they end where an instance stood still or is gone. */
export async function endLeases({ db }: Pick<Store, 'db'>): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ leaseUntil: new Date(1) })
    .where('lease', 'is not', null)
    .execute();
}
