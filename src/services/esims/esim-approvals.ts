import { z } from 'zod';
import type { PermissionState } from '../../domain/access/decision.ts';
import { ownId } from '../../domain/access/ownership.ts';
import { compareSeen, type NotAsShown, type Seen, type Unchanged } from '../../domain/limits/seen.ts';
import type { Approval, ApprovalGrant } from '../../store/approvals/approvals.ts';
import { StoreError } from '../../store/engine/errors.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { VoidCause } from '../../store/schema/approvals.ts';
import type { Approvals, Approved } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Operations } from '../operations/operations.ts';
import { ifRefused, Refusal } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type CheckedOrder, type EsimPlacing, requirePurchases } from './esim-placing.ts';
import { type EsimPlan, esimPlanSchema, offerOf, rereadPlan } from './esim-plans.ts';

/** What approvers decide on. The ICCID is shown masked. */
export const esimApprovalSchema = z.object({
  /** The idempotency key of the order. */
  key: z.string(),
  plan: esimPlanSchema,
  /** ISO 3166-1 alpha-3. */
  iso3: z.string().exactOptional(),
  /** The eSIM that is topped up; absent for a new one. */
  iccid: z.string().exactOptional(),
});
export type EsimApproval = z.infer<typeof esimApprovalSchema>;

/** A confirmed order. */
export interface ConfirmedOrder extends CheckedOrder {
  /** What the confirmation showed besides the plan. */
  seen: Pick<Seen, 'approval'>;
}

/** Why an order is not placed at once. */
export type OrderCheck =
  /** It waits for an approver, or did so before. */
  | { kind: 'approval'; approval: Approval }
  /** `plan`: the current offer. No approval was requested and nothing was bought. */
  | (NotAsShown & { plan: EsimPlan });

/** Purchases that wait for an approver. */
export function createEsimApprovals(
  { store, time }: Context,
  {
    approvals,
    workspaces,
    operations,
    limits,
    placing,
  }: {
    approvals: Approvals;
    workspaces: Workspaces;
    operations: Operations;
    limits: Limits;
    placing: EsimPlacing;
  },
) {
  /**
   * Returns proof that the order still matches the request, or what changed. Throws a Refusal if that can't
   * be checked.
   */
  async function checkApproved(approval: Approval): Promise<Unchanged | Extract<Approved, { kind: 'void' }>> {
    const { workspaceId } = approval;
    const { plan } = contentOf(approval);
    try {
      await requirePurchases(workspaces, workspaceId);
      const current = await rereadPlan(await workspaces.connected(workspaceId), plan);
      const compared = compareSeen({ offer: offerOf(plan) }, { offer: offerOf(current) });
      return compared.kind === 'unchanged' ? compared : { kind: 'void', cause: 'price' };
    } catch (error) {
      return ifRefused(['failed', 'purchases_off', 'gone'], ({ kind }) => {
        if (kind === 'failed') {
          throw new Refusal({ kind: 'unavailable' });
        }
        return { kind: 'void' as const, cause: kind === 'gone' ? ('plan_gone' as const) : kind };
      })(error);
    }
  }

  /** Places an approved order, and records that it was placed. */
  async function perform(approval: Approval, unchanged: Unchanged): Promise<Operation | undefined> {
    const { workspaceId, requestedBy: userId } = approval;
    const { key, plan, iso3, iccid } = contentOf(approval);
    const result = await placing
      .place({ workspaceId, userId, key, plan, iso3, iccid }, unchanged)
      .catch(ifRefused(['cancelled', 'limited', 'not_connected', 'purchases_off'], ({ kind }) => ({ kind })))
      .catch(unlessOutdated);
    if (result?.kind === 'performed') {
      await store.approvals.setPerformed(approval, time.now());
      return result.operation;
    }
    // An order that restored data shows as approved may already have been bought after the backup.
    return revoke(approval, result?.kind ?? 'restored');
  }

  /**
   * Voids an approved order for good. If another instance is placing it, it isn't voided, and its result is
   * returned.
   */
  async function revoke(approval: Approval, cause: VoidCause): Promise<Operation | undefined> {
    const { workspaceId, requestedBy } = approval;
    const operation = await operations
      .cancel(workspaceId, contentOf(approval).key, requestedBy)
      .catch(unlessOutdated);
    if (operation === undefined) {
      await approvals.revoke(approval, cause);
    } else {
      await store.approvals.setPerformed(approval, time.now());
    }
    return operation;
  }

  return {
    /** Returns the channel where a purchase needs approval, or undefined if it doesn't need any. */
    channelFor: (workspaceId: string, plan: EsimPlan) => approvals.channelFor(workspaceId, sizeOf(plan)),

    /**
     * Reads the plan again and asks for approval if needed, provided nothing has changed. Resolves with the
     * proof if the order may be placed.
     */
    async check({ seen, ...order }: ConfirmedOrder): Promise<OrderCheck | Unchanged> {
      const { workspaceId, userId, key, plan } = order;
      const id = ownId(userId, key);
      operations.refuseOutdated(key);
      const known = await approvals.find(workspaceId, id);
      if (known !== undefined) {
        return { kind: 'approval', approval: known };
      }
      const current = await rereadPlan(await workspaces.connected(workspaceId), plan).catch(
        ifRefused(['failed'], ({ error }) => {
          throw new Refusal({ kind: 'price_unknown', error });
        }),
      );
      const size = sizeOf(current);
      const needsApproval = (await approvals.channelFor(workspaceId, size)) !== undefined;
      const unchanged = compareSeen(
        { ...seen, offer: offerOf(plan) },
        { ...(needsApproval && { approval: 'needed' as const }), offer: offerOf(current) },
      );
      if (unchanged.kind === 'not_as_shown') {
        return { ...unchanged, plan: current };
      }
      const approval = await approvals.ask({
        workspaceId,
        id,
        kind: 'esim',
        subject: id,
        requestedBy: userId,
        owner: userId,
        size,
        describe: () => describe({ ...order, plan: current }),
      });
      return approval === undefined ? unchanged : { kind: 'approval', approval };
    },

    /** Places the order that was approved, if its price is still the same. */
    async approve(
      approval: Approval,
      grant: ApprovalGrant,
      onApproved: (approval: Approval) => void,
    ): Promise<Approved> {
      const checked = await checkApproved(approval);
      if (checked.kind !== 'unchanged') {
        return checked;
      }
      // A purchase in progress may still place it. In that case, the request is void.
      const { workspaceId, requestedBy: userId } = approval;
      await limits.checkPurchase({ workspaceId, userId });
      const approved = await store.approvals.approve(approval, grant);
      if (approved === undefined) {
        return { kind: 'ended' };
      }
      onApproved(approved);
      const operation = await perform(approved, checked);
      return operation === undefined
        ? { kind: 'ended' }
        : { kind: 'approved', approval: approved, operation };
    },

    /**
     * Places an order that was approved before the program stopped, unless that was done, or another instance is doing it.
     *
     * @param permission whether the person who asked may buy now
     */
    async resume(approval: Approval, permission: () => Promise<PermissionState>): Promise<void> {
      const { workspaceId, requestedBy } = approval;
      const { key } = contentOf(approval);
      if ((await operations.findEnded(workspaceId, key, requestedBy)) !== undefined) {
        await store.approvals.setPerformed(approval, time.now());
        return;
      }
      const allowed = await permission();
      if (allowed === 'denied') {
        await revoke(approval, 'not_permitted');
        return;
      }
      const checked =
        allowed === 'allowed'
          ? await checkApproved(approval).catch(ifRefused(['not_connected', 'unavailable'], () => undefined))
          : undefined;
      if (checked?.kind === 'unchanged') {
        await perform(approval, checked);
      } else if (checked?.kind === 'void') {
        await revoke(approval, checked.cause);
      } else if (approval.expiresAt <= time.now()) {
        await revoke(approval, 'late');
      }
    },
  };
}

/** A key from before a restore is never used to start anything again. */
function unlessOutdated(error: unknown): undefined {
  if (!(error instanceof StoreError) || error.fault !== 'outdated') {
    throw error;
  }
}

const sizeOf = ({ price, currency }: EsimPlan) => ({
  price: price === undefined ? undefined : { amount: price, currency },
});

function contentOf({ content }: Approval): EsimApproval {
  return esimApprovalSchema.parse(JSON.parse(content));
}

function describe({ key, plan, iso3, iccid }: CheckedOrder): EsimApproval {
  return { key, plan, ...(iso3 !== undefined && { iso3 }), ...(iccid !== undefined && { iccid }) };
}
