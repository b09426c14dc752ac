import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import { addNotices, type NewNotice } from '../outbox/notices.ts';
import type { Schema as Typed } from '../schema/schema.ts';
import { type Schema, typed } from '../schema.ts';
import { inTransaction, orRollBack } from '../transaction.ts';
import { type CampaignReservations, createCampaignReservations } from './campaign-reservations.ts';
import { createReachedLimits, type ReachedLimits } from './reached-limits.ts';
import {
  type Charge,
  consume,
  type FullWindow,
  type GivenBackPoints,
  giveBackPoints,
  inKeyOrder,
  type Taken,
} from './windows.ts';

type TakeResult<Charged extends Charge> =
  /** In the order of the charges. */
  | { kind: 'taken'; charges: readonly Taken<Charged>[] }
  /** Nothing was taken. */
  | { kind: 'full'; full: readonly FullWindow<Charged>[] }
  /** What it is taken for had begun before. Nothing was taken. */
  | { kind: 'found' };

/** In milliseconds. Somebody slow may still take of a window, or give back to it, by a reading of the clock before its end. */
const keptAfterEnd = 60 * 60_000;

/** Writes down what is taken for, in the same transaction. `first`: whether this call did, or an earlier one. */
export type Begin = (transaction: Transaction<Typed>) => Promise<{ first: boolean }>;

/** What counts towards the limits, shared by every process that has the database. */
export interface LimitStore {
  /**
   * Takes every charge, or none where one does not fit. Calls with the same first charge run one after the other, in
   * whatever process: it locks its row.
   *
   * @param begin called in the same transaction, once all is taken
   */
  take<Charged extends Charge>(
    workspaceId: string,
    charges: readonly Charged[],
    begin?: Begin,
  ): Promise<TakeResult<Charged>>;
  /** Takes points out of windows again. Those of a window that has ended are gone with it. */
  giveBack(workspaceId: string, given: readonly GivenBackPoints[]): Promise<void>;
  /** Returns the points in windows, in the order of the keys. */
  used(workspaceId: string, keys: readonly string[]): Promise<number[]>;
  /** Ends windows at once. */
  reset(workspaceId: string, keys: readonly string[]): Promise<void>;
  /** Adds notices to the outbox with the first call of a key; the key is forgotten at a time. */
  noticeOnce(
    workspaceId: string,
    once: { key: string; forgottenAt: Date },
    notices: readonly NewNotice[],
  ): Promise<void>;
  /** Returns what stands for texts that are not to be stored: the same for the same, in the order of the texts. */
  hashes(workspaceId: string, texts: readonly string[]): Promise<string[]>;
  readonly reached: ReachedLimits;
  readonly reservations: CampaignReservations;
}

export function createLimitStore(options: {
  db: Kysely<Schema>;
  phoneHashes: Pick<PhoneHashes, 'of'>;
  clock: Clock;
}): LimitStore {
  const { db, phoneHashes, clock } = options;

  /** Called on write, so that no sweep timer is needed. */
  async function deleteEnded(transaction: Transaction<Schema>): Promise<void> {
    await transaction
      .deleteFrom('limit_window')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('workspace_id', 'key'),
          'in',
          // What others hold is deleted by a later call.
          selectFrom('limit_window as ended')
            .select(['ended.workspace_id', 'ended.key'])
            .where('ended.expires', '<=', clock().getTime() - keptAfterEnd)
            .forUpdate()
            .skipLocked()
            .$asTuple('workspace_id', 'key'),
        ),
      )
      .execute();
  }

  /** Every charge is asked, so that the refusal can name the window that is full for longest. */
  async function takeAll<Charged extends Charge>(
    transaction: Transaction<Schema>,
    workspaceId: string,
    charges: readonly Charged[],
    begin: Begin | undefined,
  ): Promise<TakeResult<Charged>> {
    const taken: Taken<Charged>[] = [];
    const full: FullWindow<Charged>[] = [];
    for (const consumed of await consume(transaction, workspaceId, charges, clock)) {
      if (consumed.fits) {
        taken.push(consumed.taken);
      } else {
        full.push(consumed.full);
      }
    }
    if (full.length > 0) {
      return { kind: 'full', full };
    }
    await deleteEnded(transaction);
    const begun = await begin?.(typed(transaction));
    return begun?.first === false ? { kind: 'found' } : { kind: 'taken', charges: taken };
  }

  const take: LimitStore['take'] = (workspaceId, charges, begin) =>
    orRollBack(db, (transaction) => takeAll(transaction, workspaceId, charges, begin), isTaken);

  return {
    take,

    giveBack: (workspaceId, given) =>
      inTransaction(db, async (transaction) => {
        for (const each of inKeyOrder(given)) {
          await giveBackPoints(transaction, workspaceId, each);
        }
      }),

    async used(workspaceId, keys) {
      const rows = await db
        .selectFrom('limit_window')
        .select(['key', 'points'])
        .where('workspace_id', '=', workspaceId)
        .where('key', 'in', keys)
        .where('expires', '>', clock().getTime())
        .execute();
      const points = new Map(rows.map((row) => [row.key, Number(row.points)]));
      return keys.map((key) => points.get(key) ?? 0);
    },

    async reset(workspaceId, keys) {
      await db
        .deleteFrom('limit_window')
        .where('workspace_id', '=', workspaceId)
        .where('key', 'in', keys)
        .execute();
    },

    async noticeOnce(workspaceId, { key, forgottenAt }, notices) {
      const charge = { key, points: 1, limit: 1, ends: { at: forgottenAt } };
      await take(workspaceId, [charge], async (transaction) => {
        await addNotices(transaction, notices, clock());
        return { first: true };
      });
    },

    hashes: phoneHashes.of,
    reached: createReachedLimits({ db, clock }),
    reservations: createCampaignReservations({ db, clock }),
  };
}

const isTaken = ({ kind }: { kind: 'taken' | 'full' | 'found' }) => kind === 'taken';
