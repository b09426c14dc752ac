import { addHours } from 'date-fns/addHours';
import { addSeconds } from 'date-fns/addSeconds';
import type { PermissionState } from '../../domain/access/decision.ts';
import { usualApprovalHours } from '../../domain/defaults.ts';
import type { NotAsShown, Seen } from '../../domain/limits/seen.ts';
import { createListeners } from '../../lib/listeners.ts';
import type { Approval, ApprovalEnd, ApprovalGrant, NewApproval } from '../../store/approvals/approvals.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { VoidCause } from '../../store/schema/approvals.ts';
import type { AccessService } from '../access/access.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { type ApprovalSize, createApprovalSettings } from './approval-settings.ts';

/** What is asked for. The channel, and until when it waits, follow from the settings. */
export interface ApprovalRequest extends Omit<NewApproval, 'channelId' | 'content' | 'expiresAt'> {
  size: ApprovalSize;
  /** Called where approval is needed and no request waits yet: returns its content. */
  describe: () => object | Promise<object>;
  /** It waits no longer than this: it is of a start at this time. */
  notAfter?: Date | undefined;
}

/** How an approval was carried out. */
export type Approved =
  | { kind: 'approved'; approval: Approval; operation?: Operation | undefined }
  /** It has changed since it was requested. Nothing was done. */
  | { kind: 'void'; cause: VoidCause }
  /** Somebody else was quicker, or it has expired. */
  | { kind: 'ended' }
  | NotAsShown;

/** What the approver saw when they pressed the button. */
export interface ShownToApprover {
  seen: Seen;
  /** The start time that the approver chose. */
  startAt?: Date | undefined;
}

/** What can be approved. */
export interface ApprovalSubject {
  /**
   * Checks that nothing has changed since the request, then claims and performs it at most once. If it throws
   * a Refusal, the request stays open.
   *
   * @param onApproved called as soon as it is claimed, which may be long before it is performed
   */
  approve(
    approval: Approval,
    grant: ApprovalGrant & ShownToApprover,
    onApproved: (approval: Approval) => void,
  ): Promise<Approved>;
  /**
   * Resumes an approved action that was not performed because the program stopped.
   *
   * @param permission whether the person who asked may do it now
   */
  resume?(approval: Approval, permission: () => Promise<PermissionState>): Promise<void>;
}

/** A person who decides: the caller knows that they may approve now. */
export interface Decider {
  workspaceId: string;
  userId: string;
  /** The id of the request. */
  id: string;
}

/** How an approval ended. If something has changed since the approver saw it, the request stays open. */
export type ApprovalResult = ApprovalDecision | (NotAsShown & { approval: Approval });

export type ApprovalDecision =
  | { kind: 'done'; approval: Approval; operation?: Operation | undefined }
  /** It has ended, maybe just now because it became void: `approval` says how. */
  | { kind: 'ended'; approval: Approval }
  /** The person asked for it, or it is their own campaign. */
  | { kind: 'own'; approval: Approval }
  /** There is no such request, or a person tried to withdraw somebody else's. */
  | { kind: 'gone' };

interface ApprovalDeps {
  access: AccessService;
  subjects: Readonly<Record<Approval['kind'], ApprovalSubject>>;
}

type ApprovalListeners = ReturnType<typeof createListeners<Approval>>;

export type Approvals = ReturnType<typeof createApprovals>;

export function createApprovals(context: Context, { access, subjects }: ApprovalDeps) {
  const { time, report } = context;
  const { approvals: store, jobs } = context.store;
  const settings = createApprovalSettings(context);
  const listeners = createListeners<Approval>(report);

  async function describe(
    { size, describe: describeSubject, notAfter, ...request }: ApprovalRequest,
    channelId: string,
  ): Promise<NewApproval> {
    const content = JSON.stringify(await describeSubject());
    const { hours = usualApprovalHours } = await settings.settings(request.workspaceId);
    const latest = addHours(time.now(), hours);
    const expiresAt = notAfter !== undefined && notAfter < latest ? notAfter : latest;
    return { ...request, channelId, content, expiresAt };
  }

  async function tellFirst({ approval, first }: { approval: Approval; first: boolean }): Promise<Approval> {
    if (first) {
      listeners.tell(approval);
      // If this fails, the check that runs every minute finds it.
      const at = addSeconds(approval.expiresAt, 1);
      await jobs.at(at, jobTopics.approvals, '').catch(report);
    }
    return approval;
  }

  const decisions = createDecisions(context, { access, subjects, listeners });

  return {
    ...settings,
    ...decisions,
    find: store.find,
    /** Returns the requests of a workspace that wait, or those for these subjects; the oldest first. */
    waiting: store.waiting,
    /** Calls the listener with every request that is made or ends. Returns a function that removes it. */
    watch: listeners.watch,

    /** Asks for approval if it is needed. Returns the waiting request, new or existing. */
    async ask(asked: ApprovalRequest): Promise<Approval | undefined> {
      const { workspaceId, kind, subject, size } = asked;
      const channelId = await settings.channelFor(workspaceId, size);
      if (channelId === undefined) {
        return undefined;
      }
      const [waiting] = await store.waiting({ workspaceId, kind, subjects: [subject] });
      return waiting ?? tellFirst(await store.request(await describe(asked, channelId)));
    },

    /**
     * Like `ask`, but also moves a campaign in the same transaction. If the campaign has changed since it was
     * read, nobody is asked.
     */
    async askWith(
      asked: ApprovalRequest,
      move: Parameters<typeof store.requestWith>[1],
    ): Promise<{ kind: 'asked'; moved: Campaign } | { kind: 'not_needed' | 'too_late' }> {
      const channelId = await settings.channelFor(asked.workspaceId, asked.size);
      if (channelId === undefined) {
        return { kind: 'not_needed' };
      }
      const made = await store.requestWith(await describe(asked, channelId), move);
      if (made === undefined) {
        return { kind: 'too_late' };
      }
      await tellFirst(made);
      return { kind: 'asked', moved: made.campaign };
    },

    /** Makes an approved request void that cannot be performed. */
    async revoke(approval: Approval, cause: VoidCause): Promise<void> {
      const revoked = await store.revoke(approval, cause);
      if (revoked !== undefined) {
        listeners.tell(revoked);
      }
    },

    /** Ends requests that expired or became void, and resumes approved actions. */
    async tick(): Promise<void> {
      await sweep(context, listeners);
      for (const approval of await store.unperformed()) {
        await subjects[approval.kind].resume?.(approval, () => permissionOf(approval, access)).catch(report);
      }
    },

    /** Called when campaigns were moved, edited or lost recipients: ends the requests for them. Never rejects. */
    changed: () => sweep(context, listeners).catch(report),
  };
}

/** Ends requests that expired or became void. */
async function sweep({ store, time }: Context, listeners: ApprovalListeners): Promise<void> {
  for (const approval of await store.approvals.sweep(time.now())) {
    listeners.tell(approval);
  }
}

/** Returns whether the person who asked may do it now. */
function permissionOf(
  { workspaceId, requestedBy, kind }: Approval,
  access: AccessService,
): Promise<PermissionState> {
  return access.permissionState(workspaceId, requestedBy, kind === 'campaign' ? 'campaign' : 'buy');
}

/** What people decide of requests. Of any number of decisions of a request, one counts. */
function createDecisions(
  context: Context,
  { access, subjects, listeners }: ApprovalDeps & { listeners: ApprovalListeners },
) {
  const { approvals: store } = context.store;
  /** Calls `decide` with a waiting request, unless it is the person's own. */
  async function ifWaiting<Result>(
    { workspaceId, id, userId }: Decider,
    decide: (approval: Approval) => Promise<Result>,
  ): Promise<Result | ApprovalDecision> {
    const approval = await store.find(workspaceId, id);
    if (approval === undefined) {
      return { kind: 'gone' };
    }
    if (approval.state !== 'waiting') {
      return { kind: 'ended', approval };
    }
    // Nobody decides on their own request or campaign.
    const { requestedBy, owner } = approval;
    return userId === requestedBy || userId === owner ? { kind: 'own', approval } : decide(approval);
  }

  const asItEnded = async (approval: Approval): Promise<ApprovalDecision> => ({
    kind: 'ended',
    approval: (await store.find(approval.workspaceId, approval.id)) ?? approval,
  });

  /** Ends a request, unless somebody else was quicker. */
  async function end(approval: Approval, how: ApprovalEnd): Promise<ApprovalDecision> {
    const ended = await store.end(approval, how);
    if (ended === undefined) {
      return asItEnded(approval);
    }
    listeners.tell(ended);
    return { kind: how.state === 'void' ? 'ended' : 'done', approval: ended };
  }

  async function carryOut(approval: Approval, by: string, shown: ShownToApprover): Promise<ApprovalResult> {
    const permission = await permissionOf(approval, access);
    if (permission === 'unknown') {
      throw new Refusal({ kind: 'person_unknown' });
    }
    if (permission === 'denied') {
      return end(approval, { state: 'void', cause: 'not_permitted' });
    }
    const grant = { by, at: context.time.now(), ...shown };
    const result = await subjects[approval.kind].approve(approval, grant, listeners.tell);
    switch (result.kind) {
      case 'approved':
        return { ...result, kind: 'done' };
      case 'void':
        return end(approval, { state: 'void', cause: result.cause });
      case 'ended':
        await sweep(context, listeners);
        return asItEnded(approval);
      case 'not_as_shown':
        return { ...result, approval };
    }
  }

  return {
    approve: ({ seen, startAt, ...decider }: Decider & ShownToApprover) =>
      ifWaiting(decider, (approval) => carryOut(approval, decider.userId, { seen, startAt })),

    reject: ({ reason, ...decider }: Decider & { reason: string }) =>
      ifWaiting(decider, (approval) =>
        end(approval, { state: 'rejected', by: decider.userId, reason: reason.trim() || undefined }),
      ),

    async withdraw({ workspaceId, userId, id }: Decider): Promise<ApprovalDecision> {
      const approval = await store.find(workspaceId, id);
      return approval?.requestedBy === userId
        ? end(approval, { state: 'withdrawn', by: userId })
        : { kind: 'gone' };
    },
  };
}
