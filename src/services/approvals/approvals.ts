import { addHours } from 'date-fns/addHours';
import { addSeconds } from 'date-fns/addSeconds';
import type { Standing } from '../../domain/access/decision.ts';
import { usualApprovalHours } from '../../domain/defaults.ts';
import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { createListeners } from '../../lib/listeners.ts';
import type {
  Approval,
  ApprovalEnd,
  ApprovalRepository,
  NewApproval,
  Yes,
} from '../../store/approvals/approvals.ts';
import { wakeTopics } from '../../store/jobs/jobs.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { VoidCause } from '../../store/schema/approvals.ts';
import type { AccessService } from '../access/access.ts';
import type { Context } from '../context.ts';
import {
  type ApprovalSettings,
  type ApprovalSettingsStore,
  createApprovalSettings,
  isOverPrice,
} from './approval-settings.ts';

/** What is asked for: until when the request stands is set here. */
export type ApprovalRequest = Omit<NewApproval, 'expiresAt'> & {
  /** The request stands no longer than this: it is of a start at this time. */
  notAfter?: Date | undefined;
};

/** How an approver's yes was carried out. */
export type Approved =
  | { kind: 'approved'; approval: Approval; operation?: Operation | undefined }
  /** It is no longer what was asked for. Nothing was done. */
  | { kind: 'void'; cause: VoidCause }
  /** Somebody else was quicker, or it has expired. */
  | { kind: 'ended' }
  /** A limit was reached. The request still waits. */
  | { kind: 'limited'; limit: ReachedLimit }
  /** No provider key is connected. The request still waits. */
  | { kind: 'not_connected' }
  /** The provider did not say whether the price is still the same. The request still waits. */
  | { kind: 'unavailable' };

/** What can be approved. */
export interface ApprovalSubject {
  /**
   * Checks that all is as it was asked for, and claims and performs it at most once.
   *
   * @param onApproved called once it is claimed, which may be long before it is performed
   */
  approve(approval: Approval, yes: Yes, onApproved: (approval: Approval) => void): Promise<Approved>;
  /**
   * Takes up what was approved and not performed, as the program stopped.
   *
   * @param standing whether the person who asked may do it now
   */
  resume?(approval: Approval, standing: () => Promise<Standing>): Promise<void>;
}

/** A person who decides: the caller knows that they may approve now. */
export interface Decider {
  workspaceId: string;
  userId: string;
  /** The id of the request. */
  id: string;
}

export type ApprovalDecision =
  | { kind: 'done'; approval: Approval; operation?: Operation | undefined }
  /** It waits no more, or has just become void: `approval` says how it ended. */
  | { kind: 'ended'; approval: Approval }
  /** The person asked for it, or it is their own campaign. */
  | { kind: 'own'; approval: Approval }
  /** There is no such request; to withdraw one that somebody else made is the same. */
  | { kind: 'gone' }
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'not_connected' }
  | { kind: 'unavailable' }
  /** Slack did not say whether the person who asked may still do it. The request still waits. */
  | { kind: 'person_unknown' };

export interface Approvals extends Pick<ApprovalSettingsStore, 'settings'> {
  /** @param userId the admin who changed them */
  saveSettings(workspaceId: string, changed: ApprovalSettings, userId: string): Promise<void>;
  /** Returns the channel in which a campaign to this number of recipients needs approval; undefined where it needs none. */
  channelForCampaign(workspaceId: string, recipients: number): Promise<string | undefined>;
  /** Whether some purchases of eSIMs need approval. */
  coversEsims(workspaceId: string): Promise<boolean>;
  /** Returns the channel in which a purchase needs approval; undefined where it needs none. */
  channelForPurchase(
    workspaceId: string,
    price: { amount: string; currency?: string | undefined } | undefined,
  ): Promise<string | undefined>;
  /** Asks for approval. Returns the request that waits already, where one does. */
  request(request: ApprovalRequest): Promise<Approval>;
  find(workspaceId: string, id: string): Promise<Approval | undefined>;
  /** Returns the requests of a workspace that wait, or those of these subjects; the oldest first. */
  waiting(query: Parameters<ApprovalRepository['waiting']>[0]): Promise<Approval[]>;
  approve(decider: Decider): Promise<ApprovalDecision>;
  reject(decider: Decider & { reason: string }): Promise<ApprovalDecision>;
  withdraw(decider: Decider): Promise<ApprovalDecision>;
  /** Makes an approved request void that cannot be performed. */
  revoke(approval: Approval, cause: VoidCause): Promise<void>;
  /** Ends what has expired or is no longer so, and resumes what was approved and not done. */
  tick(): Promise<void>;
  /** Called when campaigns were moved, edited or lost recipients: ends the requests for them. Never rejects. */
  changed(): Promise<void>;
  /** Calls the listener with every request that is made or ends. Returns a function that removes it. */
  watch(listener: (approval: Approval) => void): () => void;
}

export function createApprovals(
  context: Context,
  {
    access,
    subjectOf,
  }: {
    access: Pick<AccessService, 'standing'>;
    subjectOf: (kind: Approval['kind']) => ApprovalSubject;
  },
): Approvals {
  const { time, dialect, report } = context;
  const { approvals: store, jobs, keyv } = context.store;
  const settings = createApprovalSettings(keyv);
  const listeners = createListeners<Approval>(report);

  async function sweep(): Promise<void> {
    for (const approval of await store.sweep(time.now())) {
      listeners.tell(approval);
    }
  }

  /** Calls `decide` with the request if it waits. */
  async function ifWaiting(
    { workspaceId, id }: Decider,
    decide: (approval: Approval) => Promise<ApprovalDecision>,
  ): Promise<ApprovalDecision> {
    const approval = await store.find(workspaceId, id);
    if (approval === undefined) {
      return { kind: 'gone' };
    }
    return approval.state === 'waiting' ? decide(approval) : { kind: 'ended', approval };
  }

  /** Ends a request, unless somebody else was quicker. */
  async function end(approval: Approval, how: ApprovalEnd): Promise<ApprovalDecision> {
    const ended = await store.end(approval, how);
    if (ended === undefined) {
      return { kind: 'ended', approval: (await store.find(approval.workspaceId, approval.id)) ?? approval };
    }
    listeners.tell(ended);
    return how.state === 'void' ? { kind: 'ended', approval: ended } : { kind: 'done', approval: ended };
  }

  /** Returns whether the person who asked may do it now. */
  function standingOf({ workspaceId, requestedBy, kind }: Approval): Promise<Standing> {
    return access.standing(workspaceId, requestedBy, kind === 'campaign' ? 'campaign' : 'buy');
  }

  async function revoke(approval: Approval, cause: VoidCause): Promise<void> {
    const revoked = await store.revoke(approval, cause);
    if (revoked !== undefined) {
      listeners.tell(revoked);
    }
  }

  async function carryOut(approval: Approval, by: string): Promise<ApprovalDecision> {
    const standing = await standingOf(approval);
    if (standing !== 'allowed') {
      return standing === 'unknown'
        ? { kind: 'person_unknown' }
        : end(approval, { state: 'void', cause: 'not_permitted' });
    }
    const result = await subjectOf(approval.kind).approve(approval, { by, at: time.now() }, listeners.tell);
    switch (result.kind) {
      case 'approved':
        return { ...result, kind: 'done' };
      case 'void':
        return end(approval, { state: 'void', cause: result.cause });
      case 'ended':
        await sweep();
        return { kind: 'ended', approval: (await store.find(approval.workspaceId, approval.id)) ?? approval };
      default:
        return result;
    }
  }

  return {
    settings: settings.settings,

    async saveSettings(workspaceId, changed, userId) {
      await settings.saveSettings(workspaceId, changed);
      const { recipients = null, price = null, channelId = null, hours = usualApprovalHours } = changed;
      await context.audit.record({
        workspaceId,
        userId,
        action: 'settings.change',
        subject: 'approvals',
        outcome: 'done',
        details: { recipients, price, channelId, hours },
      });
    },

    async channelForCampaign(workspaceId, recipients) {
      const { recipients: limit, channelId } = await settings.settings(workspaceId);
      return limit !== undefined && recipients > limit ? channelId : undefined;
    },

    coversEsims: async (workspaceId) => (await settings.settings(workspaceId)).price !== undefined,

    async channelForPurchase(workspaceId, price) {
      const { price: limit, channelId } = await settings.settings(workspaceId);
      return limit !== undefined && isOverPrice(limit, price, dialect.currency) ? channelId : undefined;
    },

    async request({ notAfter, ...request }) {
      const { hours = usualApprovalHours } = await settings.settings(request.workspaceId);
      const latest = addHours(time.now(), hours);
      const expiresAt = notAfter !== undefined && notAfter < latest ? notAfter : latest;
      const { approval, first } = await store.request({ ...request, expiresAt });
      if (first) {
        listeners.tell(approval);
        // Looked at every minute too.
        const at = addSeconds(expiresAt, 1);
        await jobs.at(at, wakeTopics.approvals, '').catch(report);
      }
      return approval;
    },

    find: store.find,
    waiting: store.waiting,

    approve: (decider) =>
      ifWaiting(decider, async (approval) =>
        isOwn(approval, decider) ? { kind: 'own', approval } : carryOut(approval, decider.userId),
      ),

    reject: ({ reason, ...decider }) =>
      ifWaiting(decider, async (approval) =>
        isOwn(approval, decider)
          ? { kind: 'own', approval }
          : end(approval, { state: 'rejected', by: decider.userId, reason: reason.trim() || undefined }),
      ),

    async withdraw(decider) {
      const approval = await store.find(decider.workspaceId, decider.id);
      return approval?.requestedBy === decider.userId
        ? end(approval, { state: 'withdrawn', by: decider.userId })
        : { kind: 'gone' };
    },

    revoke,

    async tick() {
      await sweep();
      for (const approval of await store.unperformed()) {
        await subjectOf(approval.kind)
          .resume?.(approval, () => standingOf(approval))
          .catch(report);
      }
    },

    changed: () => sweep().catch(report),
    watch: listeners.watch,
  };
}

/** Nobody approves what they asked for, or what is done with their own campaign. */
function isOwn({ requestedBy, owner }: Approval, { userId }: Decider): boolean {
  return userId === requestedBy || userId === owner;
}
