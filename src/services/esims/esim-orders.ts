import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Operations } from '../operations/operations.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type ConfirmedOrder, createEsimApprovals, type OrderCheck } from './esim-approvals.ts';
import { createEsimPlacing, type PlacedOrder, requirePurchases } from './esim-placing.ts';
import type { EsimService } from './esims.ts';

export type OrderEsimResult = PlacedOrder | OrderCheck;

/** Creates eSIMs and tops them up, both for money (API §4.13.4, §4.13.5), each order once. */
export function createEsimOrders(
  context: Context,
  {
    esims,
    operations,
    workspaces,
    limits,
    approvals,
  }: {
    esims: EsimService;
    operations: Operations;
    workspaces: Workspaces;
    limits: Limits;
    approvals: Approvals;
  },
) {
  const placing = createEsimPlacing(context, { esims, operations, workspaces });
  const checks = createEsimApprovals(context, { approvals, workspaces, operations, limits, placing });

  async function order(wanted: ConfirmedOrder): Promise<OrderEsimResult> {
    const { workspaceId, key, userId } = wanted;
    // An order that was already placed keeps its outcome, whatever has changed since.
    const operation = await operations.findEnded(workspaceId, key, userId);
    if (operation !== undefined) {
      return { kind: 'performed', operation, first: false, esim: await placing.find(wanted) };
    }
    await requirePurchases(workspaces, workspaceId);
    const checked = await checks.check(wanted);
    return checked.kind === 'unchanged' ? placing.place(wanted, checked) : checked;
  }

  return {
    /** Throws a Refusal where eSIMs cannot be bought in the workspace. */
    requirePurchases: (workspaceId: string) => requirePurchases(workspaces, workspaceId),

    create: (wanted: Omit<ConfirmedOrder, 'iccid'>) => order(wanted),
    topUp: (wanted: ConfirmedOrder & { iso3: string; iccid: string }) => order(wanted),

    /** Returns the eSIM of the user's own order, or `undefined` if it is not known or has expired. */
    find: (workspaceId: string, key: string, userId: string) => placing.find({ workspaceId, key, userId }),

    /** Returns who created these eSIMs here. */
    creators: placing.creators,

    /** Orders that wait for an approver. */
    approvals: checks,
  };
}
