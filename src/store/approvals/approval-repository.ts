import { type CampaignMove, moveCampaignWithin, type SendingMove } from '../campaigns/campaign-moves.ts';
import type { Campaign } from '../campaigns/campaigns.ts';
import { toCampaignWithText } from '../campaigns/row-mapping.ts';
import type { StoreContext } from '../context.ts';
import { orRollBack } from '../engine/transaction.ts';
import type { ShownMessage } from '../operations/operation.ts';
import type { VoidCause } from '../schema/approvals.ts';
import {
  type Approval,
  type ApprovalEnd,
  type ApprovalGrant,
  type ApprovalKey,
  type ApprovalRow,
  type ApprovalWrite,
  afterEnd,
  afterRequest,
  endWaiting,
  type NewApproval,
  sweepApprovals,
  toApproval,
  voidRestored,
  writeContent,
  writeReason,
} from './approvals.ts';

/** In milliseconds: an instance that approved an order has begun to place it by then, or is gone. */
const beginsWithin = 30_000;

/** `changed`: the campaign has changed since, or can no longer make the move. `ended`: the request no longer waits. */
type ApprovedMove =
  | { kind: 'approved'; approval: Approval; campaign: Campaign }
  | { kind: 'changed' }
  | { kind: 'ended' };

/**
 * Requests for approval. Each is decided by one statement with its state in the condition, so of any number of decisions
 * one counts. What ends a request, or makes one, writes its notices and its entry in the audit in the same transaction.
 */
export function createApprovalRepository(context: StoreContext) {
  const { db, encryption, restoredAt, refuseOutdated } = context;
  const read = (row: ApprovalRow) => toApproval(row, encryption);

  return {
    ...createApprovalQueries(context),

    /** Stores a request, or returns the one with the same id or waiting for the same subject. `first`: whether it is new. */
    async request(approval: NewApproval): Promise<{ approval: Approval; first: boolean }> {
      const { row, first } = await transact(context, (write) => insertOrFind(write, approval, context));
      return { approval: read(row), first };
    },

    /**
     * Stores a request like `request`, and moves a campaign in the same transaction. Resolves with undefined
     * if the campaign has changed since it was read.
     */
    async requestWith(
      approval: NewApproval,
      move: Omit<CampaignMove, 'workspaceId'>,
    ): Promise<{ approval: Approval; first: boolean; campaign: Campaign } | undefined> {
      const { log } = context;
      return transact(
        context,
        async (write) => {
          const { transaction, append: appendAudit, now } = write;
          const asked = { ...move, workspaceId: approval.workspaceId };
          const moved = await moveCampaignWithin(transaction, asked, { now, log, appendAudit });
          const campaign = moved && toCampaignWithText(moved, encryption);
          if (campaign === undefined) {
            return undefined;
          }
          const { row, first } = await insertOrFind(write, approval, context);
          return { approval: read(row), first, campaign };
        },
        (result) => result !== undefined,
      );
    },

    /** Ends a request that waits. Resolves with undefined where it does not. */
    async end(key: ApprovalKey, { state, by, cause, reason }: ApprovalEnd): Promise<Approval | undefined> {
      const written = reason === undefined ? undefined : writeReason(key, reason, encryption);
      const ending = { state, cause, endedBy: by, reason: written };
      const row = await transact(context, (write) => endWaiting(write, key, ending));
      return row && read(row);
    },

    /** Approves a request that waits and has not expired. Resolves with undefined for any other. */
    async approve(key: ApprovalKey, grant: ApprovalGrant): Promise<Approval | undefined> {
      const row = await transact(context, (write) => approve(write, key, grant, { encryption }));
      return row && read(row);
    },

    /**
     * Approves a request like `approve`, and moves its campaign in the same transaction. The move checks the
     * requested version.
     *
     * @throws StoreError `outdated` for a campaign from before a restore
     */
    async approveMove(
      key: ApprovalKey,
      grant: ApprovalGrant,
      move: Omit<SendingMove, 'workspaceId'>,
    ): Promise<ApprovedMove> {
      if (move.from.includes('ready') || move.from.includes('missed')) {
        refuseOutdated(move.id);
      }
      return transact<ApprovedMove>(
        context,
        async (write) => {
          // The campaign is locked before the request, as by everything that locks both.
          await move.reserve?.(write.transaction);
          const row = await approve(write, key, grant, { encryption, performedAt: write.now });
          if (row === undefined) {
            return { kind: 'ended' };
          }
          const { transaction, append: appendAudit, now } = write;
          const asked = { ...move, workspaceId: key.workspaceId };
          const { log } = context;
          const moved = await moveCampaignWithin(transaction, asked, { now, log, appendAudit });
          const campaign = moved && toCampaignWithText(moved, encryption);
          return campaign === undefined
            ? { kind: 'changed' }
            : { kind: 'approved', approval: read(row), campaign };
        },
        ({ kind }) => kind === 'approved',
      );
    },

    /** Makes an approved request void that could not be performed. */
    async revoke(key: ApprovalKey, cause: VoidCause): Promise<Approval | undefined> {
      const row = await transact(context, (write) => revoke(write, key, cause));
      return row && read(row);
    },

    /** Ends the requests that have expired, and those whose campaign has changed or gone. Returns them. */
    async sweep(now: Date): Promise<Approval[]> {
      // It is asked often, and mostly nothing waits.
      const any = await db
        .selectFrom('approval')
        .select('id')
        .where('state', '=', 'waiting')
        .limit(1)
        .executeTakeFirst();
      const ended = any && (await transact(context, (write) => sweepApprovals(write, now)));
      return (ended ?? []).map(read);
    },

    /** Called at the start of the program: requests that waited when the data was restored are void. */
    async recover(): Promise<void> {
      if (restoredAt !== undefined) {
        await transact(context, (write) => voidRestored(write, restoredAt));
      }
    },
  };
}

/** What decides nothing. */
function createApprovalQueries({ db, encryption, clock, instances }: StoreContext) {
  const read = (row: ApprovalRow) => toApproval(row, encryption);

  async function change(
    { workspaceId, id }: ApprovalKey,
    columns: Partial<Pick<ApprovalRow, 'performedAt' | 'messageChannel' | 'messageTs'>>,
  ): Promise<void> {
    await db
      .updateTable('approval')
      .set(columns)
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute();
  }

  return {
    async find(workspaceId: string, id: string): Promise<Approval | undefined> {
      const row = await db
        .selectFrom('approval')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && read(row);
    },

    /** Returns the requests that wait, the oldest first. */
    async waiting(query: {
      workspaceId: string;
      kind?: Approval['kind'] | undefined;
      subjects?: readonly string[] | undefined;
    }): Promise<Approval[]> {
      const { workspaceId, kind, subjects } = query;
      if (subjects?.length === 0) {
        return [];
      }
      let rows = db
        .selectFrom('approval')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where('state', '=', 'waiting');
      if (kind !== undefined) {
        rows = rows.where('kind', '=', kind);
      }
      if (subjects !== undefined) {
        rows = rows.where('subject', 'in', subjects);
      }
      return (await rows.orderBy('createdAt').orderBy('id').execute()).map(read);
    },

    /** Returns the request for a subject that was decided last, or ended otherwise. */
    async lastEnded(workspaceId: string, subject: string): Promise<Approval | undefined> {
      const row = await db
        .selectFrom('approval')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where('subject', '=', subject)
        .where('endedAt', 'is not', null)
        .orderBy('endedAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && read(row);
    },

    /** Returns the approved orders of all workspaces that are still to be placed: the instance that was to stopped before. */
    async unperformed(): Promise<Approval[]> {
      const begunBefore = new Date(clock().getTime() - beginsWithin);
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where('state', '=', 'approved')
        .where('performedAt', 'is', null)
        .$if(!instances.isAlone, (query) => query.where('endedAt', '<=', begunBefore))
        .orderBy('createdAt')
        .execute();
      return rows.map(read);
    },

    setPerformed: (key: ApprovalKey, at: Date) => change(key, { performedAt: at }),

    setMessage: (key: ApprovalKey, { channel, ts }: ShownMessage) =>
      change(key, { messageChannel: channel, messageTs: ts }),

    /** Deletes the requests that ended before a time. */
    async expire(endedBefore: Date): Promise<void> {
      await db.deleteFrom('approval').where('endedAt', '<', endedBefore).execute();
    },
  };
}

async function transact<Result>(
  { db, audit, clock }: StoreContext,
  work: (write: ApprovalWrite) => Promise<Result>,
  isKept: (result: Result) => boolean = () => true,
): Promise<Result> {
  const append = await audit.prepare();
  const now = clock();
  return orRollBack(db, (transaction) => work({ transaction, append, now }), isKept);
}

/** Inserts a request with its notice, or finds the existing one with its id, or waiting for its subject. */
async function insertOrFind(
  write: ApprovalWrite,
  approval: NewApproval,
  context: StoreContext,
): Promise<{ row: ApprovalRow; first: boolean }> {
  const { transaction, now } = write;
  const { workspaceId, id, kind, subject, campaign } = approval;
  const inserted = await transaction
    .insertInto('approval')
    .values({
      workspaceId,
      id,
      kind,
      subject,
      requestedBy: approval.requestedBy,
      owner: approval.owner,
      channelId: approval.channelId,
      content: writeContent(approval, context.encryption),
      campaignState: campaign?.state,
      recipients: campaign?.recipients,
      campaignVersion: campaign?.version,
      state: 'waiting',
      createdAt: now,
      expiresAt: approval.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted !== undefined) {
    await afterRequest(write, inserted);
    return { row: inserted, first: true };
  }
  const row = await transaction
    .selectFrom('approval')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where((eb) => eb.or([eb('id', '=', id), eb.and({ kind, subject, state: 'waiting' })]))
    .orderBy((eb) => eb.case().when('id', '=', id).then(0).else(1).end())
    .executeTakeFirst();
  // Another instance has ended the one that waited, in between.
  return row === undefined ? insertOrFind(write, approval, context) : { row, first: false };
}

/** Approves a request in one statement: it waits, in time, for somebody who neither asked nor owns it. */
async function approve(
  write: ApprovalWrite,
  { workspaceId, id }: ApprovalKey,
  { by, at, content }: ApprovalGrant,
  { encryption, performedAt }: Pick<StoreContext, 'encryption'> & { performedAt?: Date },
): Promise<ApprovalRow | undefined> {
  const written = content && { content: writeContent({ workspaceId, id, content }, encryption) };
  const row = await write.transaction
    .updateTable('approval')
    .set({ state: 'approved', endedBy: by, endedAt: at, performedAt, ...written })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expiresAt', '>', at)
    .where('requestedBy', '<>', by)
    .where('owner', '<>', by)
    .returningAll()
    .executeTakeFirst();
  await afterEnd(write, row === undefined ? [] : [row]);
  return row;
}

async function revoke(
  write: ApprovalWrite,
  { workspaceId, id }: ApprovalKey,
  cause: VoidCause,
): Promise<ApprovalRow | undefined> {
  const row = await write.transaction
    .updateTable('approval')
    .set({ state: 'void', cause })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .where('performedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
  await afterEnd(write, row === undefined ? [] : [row]);
  return row;
}
