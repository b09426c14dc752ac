import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PermissionState } from '../../domain/access/decision.ts';
import { ownId } from '../../domain/access/ownership.ts';
import type { ProviderError } from '../../provider/errors.ts';
import type { Approval, Yes } from '../../store/approvals/approvals.ts';
import { StoreError } from '../../store/engine/errors.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { VoidCause } from '../../store/schema/approvals.ts';
import type { Approvals, Approved } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type EsimPlan, esimPlanSchema, rereadPlan } from './esim-plans.ts';

/** What approvers decide on. The ICCID is shown masked. */
export const esimApprovalSchema = z.object({
  /** Of everything that is approved. */
  hash: z.string(),
  /** The idempotency key of the order. */
  key: z.string(),
  plan: esimPlanSchema,
  /** ISO 3166-1 alpha-3. */
  iso3: z.string().exactOptional(),
  /** The eSIM that is topped up; absent for a new one. */
  iccid: z.string().exactOptional(),
});
export type EsimApproval = z.infer<typeof esimApprovalSchema>;

/** An order that a user confirmed, and that may need approval. */
export interface CheckedOrder {
  workspaceId: string;
  userId: string;
  /** The idempotency key: a repeated order has the same one, and is carried out once. */
  key: string;
  plan: EsimPlan;
  /** ISO 3166-1 alpha-3. */
  iso3?: string | undefined;
  /** The eSIM that is topped up. */
  iccid?: string | undefined;
}

/** Why an order is not placed at once. */
export type OrderCheck =
  /** It waits for an approver, or did so before. */
  | { kind: 'approval'; approval: Approval }
  /** The plan has another price now, or is not on sale any more. Nothing was asked or bought. */
  | { kind: 'plan_changed'; plan: EsimPlan | undefined }
  /** The provider did not say what the plan costs now. Nothing was asked or bought. */
  | { kind: 'failed'; error: ProviderError }
  | { kind: 'not_connected' };

interface PurchaseOthers {
  approvals: Approvals;
  workspaces: Workspaces;
  operations: Operations;
  limits: Limits;
  /** Places an order, once for its key. */
  place: (order: CheckedOrder) => Promise<SpendResult | { kind: 'purchases_off' }>;
}

/** Purchases that wait for an approver. */
export function createEsimApprovals(context: Context, others: PurchaseOthers) {
  return {
    /** Resolves with undefined where the order may be placed. */
    check: (order: CheckedOrder) => checkOrder(others, order),

    /** Places the order that was approved, if its price is still the same. */
    approve: (approval: Approval, yes: Yes, onApproved: (approval: Approval) => void) =>
      approve(context, others, approval, { yes, onApproved }),

    /**
     * Places an order that was approved before the program stopped, unless that was done, or another instance is doing it.
     *
     * @param permission whether the person who asked may buy now
     */
    resume: (approval: Approval, permission: () => Promise<PermissionState>) =>
      resume(context, others, approval, permission),
  };
}

async function checkOrder(
  { approvals, workspaces, operations }: PurchaseOthers,
  order: CheckedOrder,
): Promise<OrderCheck | undefined> {
  const { workspaceId, userId, key, plan } = order;
  const id = ownId(userId, key);
  operations.refuseOutdated(key);
  const known = await approvals.find(workspaceId, id);
  if (known !== undefined) {
    return { kind: 'approval', approval: known };
  }
  const isPlaced = async () => (await operations.find(workspaceId, key, userId)) !== undefined;
  if (!(await approvals.coversEsims(workspaceId)) || (await isPlaced())) {
    return undefined;
  }
  const connected = await workspaces.account(workspaceId);
  if (connected === undefined) {
    return { kind: 'not_connected' };
  }
  const answer = await rereadPlan(connected, plan);
  if (answer.kind !== 'answered') {
    return answer;
  }
  const current = answer.value;
  if (current === undefined || current.price !== plan.price || current.currency !== plan.currency) {
    return { kind: 'plan_changed', plan: current };
  }
  const { price, currency } = current;
  const approval = await approvals.ask({
    workspaceId,
    id,
    kind: 'esim',
    subject: id,
    requestedBy: userId,
    owner: userId,
    size: { price: price === undefined ? undefined : { amount: price, currency } },
    describe: () => describe({ ...order, plan: current }),
  });
  return approval && { kind: 'approval', approval };
}

async function approve(
  context: Context,
  others: PurchaseOthers,
  approval: Approval,
  { yes, onApproved }: { yes: Yes; onApproved: (approval: Approval) => void },
): Promise<Approved> {
  const refusal = await whyNot(others, approval);
  if (refusal !== undefined) {
    return refusal;
  }
  // A purchase that is made meanwhile may still reach it: then the request is void.
  const { workspaceId, requestedBy: userId } = approval;
  const limit = await others.limits.checkPurchase({ workspaceId, userId });
  if (limit !== undefined) {
    return { kind: 'limited', limit };
  }
  const approved = await context.store.approvals.approve(approval, yes);
  if (approved === undefined) {
    return { kind: 'ended' };
  }
  onApproved(approved);
  const operation = await perform(context, others, approved);
  return operation === undefined ? { kind: 'ended' } : { kind: 'approved', approval: approved, operation };
}

async function resume(
  context: Context,
  others: PurchaseOthers,
  approval: Approval,
  permission: () => Promise<PermissionState>,
): Promise<void> {
  const { workspaceId, requestedBy } = approval;
  const { key } = contentOf(approval);
  if ((await others.operations.find(workspaceId, key, requestedBy)) !== undefined) {
    await context.store.approvals.setPerformed(approval, context.time.now());
    return;
  }
  const refusal = refusalFor(await permission()) ?? (await whyNot(others, approval));
  if (refusal === undefined) {
    await perform(context, others, approval);
  } else if (refusal.kind === 'void') {
    await revoke(context, others, approval, refusal.cause);
  } else if (approval.expiresAt <= context.time.now()) {
    await revoke(context, others, approval, 'late');
  }
}

/** Returns why an order is no longer what was asked for; undefined where it is. */
async function whyNot(
  { workspaces }: PurchaseOthers,
  approval: Approval,
): Promise<Exclude<Approved, { kind: 'approved' | 'ended' | 'limited' }> | undefined> {
  if (!(await workspaces.defaults(approval.workspaceId)).esimPurchases) {
    return { kind: 'void', cause: 'purchases_off' };
  }
  const content = contentOf(approval);
  const connected = await workspaces.account(approval.workspaceId);
  if (connected === undefined) {
    return { kind: 'not_connected' };
  }
  const answer = await rereadPlan(connected, content.plan);
  if (answer.kind !== 'answered') {
    return { kind: 'unavailable' };
  }
  if (answer.value === undefined) {
    return { kind: 'void', cause: 'plan_gone' };
  }
  const now = hashOf({ ...orderOf(approval), plan: answer.value });
  return now === content.hash ? undefined : { kind: 'void', cause: 'price' };
}

/** Places an approved order, and notes that it was placed. */
async function perform(
  context: Context,
  others: PurchaseOthers,
  approval: Approval,
): Promise<Operation | undefined> {
  const result = await others.place(orderOf(approval));
  if (result.kind === 'performed') {
    await context.store.approvals.setPerformed(approval, context.time.now());
    return result.operation;
  }
  return revoke(context, others, approval, result.kind);
}

/**
 * Makes an approved order void, for good. Another instance may be placing it: then it is not void, and is returned as it
 * ended.
 */
async function revoke(
  { store, time }: Context,
  { approvals, operations }: PurchaseOthers,
  approval: Approval,
  cause: VoidCause,
): Promise<Operation | undefined> {
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

/** What has an outdated key was never begun, and is begun nowhere any more. */
function unlessOutdated(error: unknown): undefined {
  if (!(error instanceof StoreError) || error.fault !== 'outdated') {
    throw error;
  }
}

function refusalFor(
  permission: PermissionState,
): { kind: 'void'; cause: 'not_permitted' } | { kind: 'unavailable' } | undefined {
  switch (permission) {
    case 'allowed':
      return undefined;
    case 'denied':
      return { kind: 'void', cause: 'not_permitted' };
    case 'unknown':
      return { kind: 'unavailable' };
  }
}

function contentOf({ content }: Approval): EsimApproval {
  return esimApprovalSchema.parse(JSON.parse(content));
}

function orderOf(approval: Approval): CheckedOrder {
  const { key, plan, iso3, iccid } = contentOf(approval);
  return { workspaceId: approval.workspaceId, userId: approval.requestedBy, key, plan, iso3, iccid };
}

function describe(order: CheckedOrder): EsimApproval {
  const { key, plan, iso3, iccid } = order;
  return {
    hash: hashOf(order),
    key,
    plan,
    ...(iso3 !== undefined && { iso3 }),
    ...(iccid !== undefined && { iccid }),
  };
}

/** The countries of a plan are left out: the older list has them in part, by what was searched for. */
function hashOf({ workspaceId, userId, key, plan, iso3, iccid }: CheckedOrder): string {
  const { productId, name, data, time, type, price, currency } = plan;
  const parts = {
    order: [workspaceId, userId, key],
    plan: [productId, name, data, time, type],
    price: [price, currency],
    for: [iso3, iccid],
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
