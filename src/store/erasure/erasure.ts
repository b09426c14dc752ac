import type { Kysely } from 'kysely';
import { createNumberMentions } from '../../domain/phone/number-mentions.ts';
import { maskNumber, type PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { HashNumber, PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema/schema.ts';
import { eraseFromApprovals } from './erase-from-approvals.ts';
import { type ChangedCampaign, eraseFromCampaigns, isInCampaigns } from './erase-from-campaigns.ts';
import { eraseFromDeliveries } from './erase-from-deliveries.ts';
import { eraseFromLimits } from './erase-from-limits.ts';
import { eraseFromOperations } from './erase-from-operations.ts';
import { eraseFromReplies } from './erase-from-replies.ts';
import {
  type ErasedAreas,
  eraseFromKeyValues,
  eraseFromOutbox,
  eraseFromSuppressionList,
} from './erase-from-values.ts';
import { type ErasureCounts, noCounts } from './erased-person.ts';
import type { ErasureContext } from './erasure-context.ts';

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
export interface ErasurePreview {
  operations: number;
  campaigns: number;
  isListed: boolean;
}

/** Removes a person, by their phone number, from everything that is stored. */
export interface Erasure {
  /** Returns the ids of all workspaces that may have something of a person. */
  workspaces(): Promise<string[]>;
  find(workspaceId: string, number: PhoneNumber): Promise<ErasurePreview>;
  /** Returns the hash that stands for a number in a workspace, also once it is erased. */
  hashOf(workspaceId: string, number: PhoneNumber): Promise<string>;
  /**
   * Erases a person. It may be cut off and called again, and goes on with the rest. Other work goes on meanwhile. The
   * former values are gone from the files when it resolves, or as soon as no other program reads them.
   */
  erase(request: ErasureRequest): Promise<ErasureResult>;
}

interface ErasureOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  clock: Clock;
  timers: Timers;
  purge(): Promise<void>;
}

export function createErasure({ phoneHashes, purge, ...shared }: ErasureOptions): Erasure {
  const { db } = shared;

  async function createContext({ workspaceIds, number, signal }: ErasureRequest): Promise<ErasureContext> {
    const hashers = new Map<string, HashNumber>();
    for (const workspaceId of workspaceIds) {
      hashers.set(workspaceId, await phoneHashes.hasher(workspaceId));
    }
    const person = { number, masked: maskNumber(number), mentions: createNumberMentions(number), hashers };
    return { ...shared, person, counts: noCounts(), signal };
  }

  async function hashOf(workspaceId: string, number: PhoneNumber): Promise<string> {
    const hash = await phoneHashes.hasher(workspaceId);
    return hash(number);
  }

  return {
    workspaces: () => readWorkspaces(db),

    hashOf,

    async find(workspaceId, number) {
      return findPerson(db, workspaceId, await hashOf(workspaceId, number));
    },

    async erase(request) {
      const context = await createContext(request);
      // Campaigns first: they may be about to send.
      const changed = await eraseFromCampaigns(context);
      await eraseFromOperations(context);
      await eraseFromDeliveries(context);
      await eraseFromReplies(context);
      await eraseFromApprovals(context);
      await eraseFromKeyValues(context, request.areas);
      await eraseFromSuppressionList(context);
      await eraseFromOutbox(context);
      await eraseFromApprovals(context);
      await eraseFromLimits(context);
      await purge();
      return { counts: context.counts, changed, isComplete: !request.signal.aborted };
    },
  };
}

async function readWorkspaces(db: Kysely<Schema>): Promise<string[]> {
  const tables = ['numberKey', 'keyv', 'operation', 'campaign', 'suppression'] as const;
  const ids = new Set<string>();
  for (const table of tables) {
    const rows = await db.selectFrom(table).select('workspaceId').distinct().execute();
    for (const { workspaceId } of rows) {
      ids.add(workspaceId);
    }
  }
  return [...ids].sort();
}

async function findPerson(db: Kysely<Schema>, workspaceId: string, hash: string): Promise<ErasurePreview> {
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
}
