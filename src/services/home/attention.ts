import { z } from 'zod';
import type { Approval } from '../../store/approvals/approvals.ts';
import { isWithheld } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** What waits for a user to act. */
export interface Attention {
  /** The user's campaigns that are paused, the newest first. */
  paused: readonly Campaign[];
  /** The user's campaigns that missed their start lately. */
  missed: readonly Campaign[];
  /** The user's requests for approval that wait. */
  asked: readonly Approval[];
  /** The requests that wait for somebody else than the user to approve them. */
  toDecide: readonly Approval[];
  /** How many campaigns the user has prepared and not started, without those that wait for approval. */
  drafts: number;
  /** The user's operations and campaigns of the last day that ended unconfirmed, in part or as a whole, the newest first. */
  unconfirmed: readonly { kind: 'operation' | 'campaign'; id: string }[];
  notDelivered: {
    /** How many of the user's operations had a message reported as not delivered lately, since the user last looked. */
    operations: number;
    /** The user's campaigns that ended lately with messages not delivered, and no follow-up; the newest of them. */
    campaigns: readonly Campaign[];
    /** How many more of them there are. */
    otherCampaigns: number;
  };
}

const dayMs = 24 * 60 * 60_000;
const missedMs = 7 * dayMs;
/** A weekend, and the day after it. */
const notDeliveredMs = 3 * dayMs;
/** How long after a message was sent its report may come. */
const reportMs = 7 * dayMs;
const maxOperations = 50;
const maxDrafts = 30;
const maxCampaigns = 20;
const maxNotDelivered = 3;
const badKey = 'bad_key';

export function createAttentionService(
  { store, time: { now: clock } }: Context,
  { workspaces }: { workspaces: Workspaces },
) {
  return {
    attention: (workspaceId: string, userId: string) =>
      readAttention(store, { workspaceId, userId, now: clock() }),

    /** Notes that a user has seen the undelivered messages so far. `attention` counts only later ones. */
    async sawNotDelivered(workspaceId: string, userId: string, at: Date): Promise<void> {
      await seenOf(store, workspaceId).set(userId, at.getTime(), notDeliveredMs);
    },

    /** Returns the campaigns of a workspace that are paused because their creator might not start them, the newest first. */
    async withheld(workspaceId: string): Promise<Campaign[]> {
      const paused = await store.campaigns.recent({ workspaceId, states: ['paused'], limit: maxCampaigns });
      return paused.filter(isWithheld);
    },

    /** Returns whether the provider refused the workspace's key, and accepted nothing since. */
    async isKeyRejected(workspaceId: string): Promise<boolean> {
      const connection = await workspaces.connection(workspaceId);
      if (connection === undefined) {
        return false;
      }
      const [operations, spendings] = await Promise.all([
        store.ledger.recent({ workspaceId, limit: maxOperations }),
        store.campaigns.spendings(workspaceId, connection.at),
      ]);
      const rejectedAt = [
        ...operations.filter(({ error }) => error?.reason === badKey).map(endedAt),
        ...spendings.map(({ pauseReason, pausedAt }) => (pauseReason === badKey ? pausedAt : undefined)),
      ];
      const acceptedAt = [
        ...operations.filter(({ state }) => state === 'accepted').map(endedAt),
        ...spendings.map(({ balance }) => balance?.at),
      ];
      return latest(rejectedAt) > Math.max(latest(acceptedAt), connection.at.getTime());
    },

    /** Returns what the encryption keys other than the first are still needed for. */
    encryptionKeys: store.keyRotation.state,
  };
}

/** When users last looked at undelivered messages. */
const seenOf = ({ keyv }: Store, workspaceId: string) => keyv(workspaceId, 'not-delivered-seen');

async function readAttention(
  store: Store,
  { workspaceId, userId, now }: { workspaceId: string; userId: string; now: Date },
): Promise<Attention> {
  const { ledger, campaigns, approvals } = store;
  const ofUser = { workspaceId, createdBy: userId };
  const [paused, drafts, over, operations, waiting, notDelivered] = await Promise.all([
    campaigns.recent({ ...ofUser, states: ['paused'], limit: maxCampaigns }),
    campaigns.recent({ ...ofUser, states: ['ready'], limit: maxDrafts }),
    campaigns.recent({ ...ofUser, states: ['missed', 'done', 'cancelled'], limit: maxCampaigns }),
    ledger.recent({ workspaceId, userId, limit: maxOperations }),
    approvals.waiting({ workspaceId }),
    readNotDelivered(store, { workspaceId, userId, now }),
  ]);
  const subjects = new Set(waiting.map(({ subject }) => subject));
  const isWithin = (ms: number, at: Date | undefined) =>
    at !== undefined && now.getTime() - at.getTime() <= ms;
  const unconfirmed = [
    ...operations
      .filter(
        ({ state, mark, endedAt: at }) =>
          state === 'unconfirmed' && mark === undefined && isWithin(dayMs, at),
      )
      .map(({ id, createdAt }) => ({ kind: 'operation' as const, id, createdAt })),
    ...over
      .filter(({ counts, endedAt: at }) => counts.unconfirmed > 0 && isWithin(dayMs, at))
      .map(({ id, createdAt }) => ({ kind: 'campaign' as const, id, createdAt })),
  ];
  return {
    paused,
    missed: over.filter((campaign) => campaign.state === 'missed' && isWithin(missedMs, campaign.endedAt)),
    asked: waiting.filter(({ requestedBy }) => requestedBy === userId),
    toDecide: waiting.filter(({ requestedBy, owner }) => requestedBy !== userId && owner !== userId),
    drafts: drafts.filter(({ id }) => !subjects.has(id)).length,
    unconfirmed: unconfirmed.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime()),
    notDelivered,
  };
}

async function readNotDelivered(
  store: Store,
  { workspaceId, userId, now }: { workspaceId: string; userId: string; now: Date },
): Promise<Attention['notDelivered']> {
  const { ledger, campaigns } = store;
  const since = now.getTime() - notDeliveredMs;
  const seen = z
    .number()
    .catch(0)
    .parse(await seenOf(store, workspaceId).get(userId));
  const which = {
    ...{ workspaceId, createdBy: userId, isNotDelivered: true, isNotFollowedUp: true },
    ...{ states: ['done', 'cancelled'] as const, endedFrom: new Date(since) },
  };
  const [operations, named, count] = await Promise.all([
    ledger.countNotDelivered(
      { workspaceId, userId },
      { startedSince: new Date(since - reportMs), learnedAfter: new Date(Math.max(since, seen)) },
    ),
    campaigns.recent({ ...which, limit: maxNotDelivered }),
    campaigns.count(which),
  ]);
  return { operations, campaigns: named, otherCampaigns: Math.max(0, count - named.length) };
}

function endedAt(operation: Operation): number | undefined {
  return operation.endedAt?.getTime();
}

function latest(times: readonly (number | undefined)[]): number {
  return Math.max(0, ...times.map((time) => time ?? 0));
}
