import { showNumber } from '../../domain/access/private-values.ts';
import { createNumberMentions } from '../../domain/phone/number-mentions.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { noOthers } from '../../lib/broadcast.ts';
import { systemTimers as timers } from '../../lib/time/timers.ts';
import { createAuditTrail } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { createPhoneHashes, type HashNumber } from '../engine/encryption/phone-hashes.ts';
import { createDatabaseNow } from '../engine/instances/database-now.ts';
import { openInstances } from '../engine/instances/instances.ts';
import { createBroadcastSender } from '../engine/jobs/postgres-broadcast.ts';
import { createKeyValueStore } from '../engine/key-value/key-value-store.ts';
import { type DataOptions, openData, openTime } from '../engine/open-data.ts';
import { type ChangedCampaign, eraseFromCampaigns, isInCampaigns } from './erase-from-campaigns.ts';
import { eraseFromDeliveries, eraseFromOperations, eraseFromReplies } from './erase-from-history.ts';
import {
  type ErasedAreas,
  eraseFromApprovals,
  eraseFromKeyValues,
  eraseFromLimits,
  eraseFromOutbox,
  eraseFromSuppressionList,
  eraseFromTemplates,
} from './erase-from-values.ts';
import { type ErasureContext, type ErasureCounts, noCounts } from './erasure-context.ts';

export interface ErasureRequest {
  /** The workspaces that forget the person. */
  workspaceIds: readonly string[];
  number: PhoneNumber;
  areas: ErasedAreas;
  /** Aborted to stop where nothing is half done. */
  signal: AbortSignal;
}

export interface ErasureResult {
  counts: ErasureCounts;
  /** The campaigns that lost recipients they had not sent to. */
  changed: ChangedCampaign[];
  /** Whether all was looked at, rather than the signal aborted. */
  isComplete: boolean;
}

/** What is known of a number, found at once by its hash. */
export interface ErasureReview {
  operations: number;
  campaigns: number;
  isListed: boolean;
}

type Context = Pick<StoreContext, 'db' | 'encryption' | 'phoneHashes' | 'clock' | 'timers' | 'purge'>;

/** Removes a person, by their phone number, from everything that is stored. */
export function createErasure(context: Context) {
  const { db, phoneHashes } = context;

  /** Returns the hash that stands for a number in a workspace, also once it is erased. */
  async function hashOf(workspaceId: string, number: PhoneNumber): Promise<string> {
    const hash = await phoneHashes.hasher(workspaceId);
    return hash(number);
  }

  return {
    /** Returns the ids of all workspaces that may have something of a person. */
    async workspaces(): Promise<string[]> {
      const tables = ['numberKey', 'keyv', 'operation', 'campaign', 'suppression'] as const;
      const ids = new Set<string>();
      for (const table of tables) {
        const rows = await db.selectFrom(table).select('workspaceId').distinct().execute();
        for (const { workspaceId } of rows) {
          ids.add(workspaceId);
        }
      }
      return [...ids].sort();
    },

    hashOf,

    async find(workspaceId: string, number: PhoneNumber): Promise<ErasureReview> {
      const hash = await hashOf(workspaceId, number);
      const operations = await db
        .selectFrom('operationNumber')
        .select('operationId')
        .where('hash', '=', hash)
        .execute();
      const campaigns = await db
        .selectFrom('campaignNumber')
        .select('campaign')
        .where(isInCampaigns(workspaceId, hash))
        .execute();
      const listed = await db
        .selectFrom('suppression')
        .select('hash')
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash)
        .execute();
      return { operations: operations.length, campaigns: campaigns.length, isListed: listed.length > 0 };
    },

    /**
     * Erases a person while other work goes on. If interrupted, call it again to go on. When it resolves, the old values are
     * gone from the files, or will be once no other program reads them.
     */
    erase: (request: ErasureRequest) => erase(context, request),
  };
}

async function erase(
  { phoneHashes, purge, ...shared }: Context,
  { workspaceIds, number, areas, signal }: ErasureRequest,
): Promise<ErasureResult> {
  const hashers = new Map<string, HashNumber>();
  for (const workspaceId of workspaceIds) {
    hashers.set(workspaceId, await phoneHashes.hasher(workspaceId));
  }
  const person = {
    number,
    masked: showNumber(number, 'record'),
    mentions: createNumberMentions(number),
    hashers,
  };
  const context: ErasureContext = { ...shared, person, counts: noCounts(), signal };
  // Campaigns first: they may be about to send.
  const changed = await eraseFromCampaigns(context);
  await eraseFromOperations(context);
  await eraseFromDeliveries(context);
  await eraseFromReplies(context);
  await eraseFromApprovals(context);
  await eraseFromKeyValues(context, areas);
  await eraseFromSuppressionList(context);
  await eraseFromOutbox(context);
  await eraseFromLimits(context);
  await eraseFromTemplates(context);
  await purge();
  return { counts: context.counts, changed, isComplete: !signal.aborted };
}

/**
 * Opens the data for an erasure, on PostgreSQL beside the instances that run on it.
 *
 * @param report called with errors that no caller waits for
 * @throws StoreError `inUse` while the program runs on SQLite, and its other faults
 */
export async function openErasure(options: DataOptions, report: (error: unknown) => void) {
  const data = await openData({ ...options, besideInstances: true });
  const { db, encryption, retryWrite, purge } = data;
  const stops: (() => Promise<void>)[] = [data.close];
  const close = async () => {
    for (const stop of stops.toReversed()) {
      await stop();
    }
  };
  try {
    const { time, stop } = await openTime(data);
    stops.push(stop);
    const { now: clock, elapsed } = time;
    const instances = await openInstances({
      db,
      isAlone: data.engine === 'sqlite',
      now: createDatabaseNow(db, clock),
      version: '',
      keyId: encryption.currentKeyId,
      elapsed,
      timers,
      report,
    });
    stops.push(instances.close);
    await instances.announceStop();
    const phoneHashes = createPhoneHashes(db, encryption, elapsed);
    return {
      erasure: createErasure({ db, encryption, phoneHashes, clock, timers, purge }),
      /** A run that takes no campaigns. If interrupted, others finish its work. */
      instances,
      keyv: createKeyValueStore({ db, encryption, clock }),
      trail: createAuditTrail({ db, encryption, clock, retryWrite }),
      purge,
      /** Tells the instances that run on the data. It hears nothing itself. */
      broadcast:
        data.engine === 'sqlite'
          ? noOthers
          : { ...noOthers, send: createBroadcastSender({ ...data, from: '' }) },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
