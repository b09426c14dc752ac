import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { maskIccid } from '../../domain/esims/iccid.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome } from '../../provider/errors.ts';
import type { EsimOrder } from '../../provider/esims/esim-operations.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import {
  type CheckedOrder,
  createEsimApprovals,
  type EsimApprovals,
  type OrderCheck,
} from './esim-approvals.ts';
import { createEsimCreatorStore, type EsimCreators } from './esim-creators.ts';
import { type EsimPlan, priceOf } from './esim-plans.ts';
import type { EsimService } from './esims.ts';

/** An order that a user confirmed. */
export interface EsimOrderRequest {
  workspaceId: string;
  userId: string;
  /** The idempotency key: a repeated order has the same one, and is carried out once. */
  key: string;
  plan: EsimPlan;
  /** ISO 3166-1 alpha-3. */
  iso3?: string | undefined;
}

type PlacedOrder =
  | (SpendResult & { esim?: OrderedEsim | undefined })
  /** Purchases are switched off. Nothing was written down. */
  | { kind: 'purchases_off' };
export type OrderEsimResult = PlacedOrder | OrderCheck;

/** The eSIM of an order, stored (encrypted, for a month), since the ledger has only the end of its ICCID. */
export interface OrderedEsim {
  iccid: string;
  /** As the provider wrote it in its answer to the order. */
  state?: string | undefined;
}

/** What the ledger keeps of an order: the ICCID masked, and nothing that installs the eSIM. */
export const orderSummarySchema = z.object({
  plan: z.string(),
  productId: z.string(),
  price: z.string().exactOptional(),
  country: z.string().exactOptional(),
  /** The eSIM that is topped up. */
  iccid: z.string().exactOptional(),
});
type OrderSummary = z.infer<typeof orderSummarySchema>;

/** Creates eSIMs and tops them up, both for money (API §4.13.4, §4.13.5), each order once. */
export interface EsimOrders {
  create(order: EsimOrderRequest): Promise<OrderEsimResult>;
  topUp(order: EsimOrderRequest & { iso3: string; iccid: string }): Promise<OrderEsimResult>;
  /** Who created these eSIMs here. */
  creators(workspaceId: string, iccids: readonly string[]): Promise<EsimCreators>;
  /** Orders that wait for an approver. */
  readonly approvals: EsimApprovals;
  /** Returns the eSIM of the user's own order, or `undefined` if it is not known or has expired. */
  find(workspaceId: string, key: string, userId: string): Promise<OrderedEsim | undefined>;
}

const orderedSchema = z.object({ iccid: z.string(), state: z.string().optional() });
/** In milliseconds. */
const orderedTtl = 30 * 24 * 60 * 60_000;

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
): EsimOrders {
  const { keyv } = context.store;
  const arePurchasesOn = async (workspaceId: string) =>
    (await workspaces.defaults(workspaceId)).esimPurchases;
  const ordered = (workspaceId: string) => keyv(workspaceId, 'esim-orders');
  const creators = createEsimCreatorStore(context.store);

  async function keep(
    { workspaceId, userId, key }: Pick<EsimOrderRequest, 'workspaceId' | 'userId' | 'key'>,
    esim: OrderedEsim,
  ): Promise<void> {
    // Errors are ignored: the order must be recorded as done all the same, and the eSIM is in the provider's list too.
    await ordered(workspaceId)
      .set(ownId(userId, key), esim, orderedTtl)
      .catch(() => {});
  }

  async function find(workspaceId: string, key: string, userId: string): Promise<OrderedEsim | undefined> {
    return orderedSchema
      .optional()
      .catch(undefined)
      .parse(await ordered(workspaceId).get(ownId(userId, key)));
  }

  async function perform(
    order: EsimOrderRequest,
    kind: 'esim.create' | 'esim.top_up',
    iccid: string | undefined,
    call: (account: ProviderAccount) => Promise<Outcome<EsimOrder>>,
  ): Promise<PlacedOrder> {
    const { workspaceId, userId, key } = order;
    if (!(await arePurchasesOn(workspaceId))) {
      // An order from before they were switched off has its outcome.
      const operation = await operations.find(workspaceId, key, userId);
      return operation === undefined
        ? { kind: 'purchases_off' }
        : { kind: 'performed', operation, first: false, esim: await find(workspaceId, key, userId) };
    }
    const intent = { workspaceId, key, kind, userId, summary: summarize(order, iccid) };
    const result = await operations.spend({ ...intent, usage: { kind: 'purchase' } }, async (account) => {
      if (iccid !== undefined) {
        await keep(order, { iccid });
      }
      const outcome = await call(account);
      if (outcome.kind === 'accepted') {
        const { sim } = outcome.value;
        await keep(order, { iccid: sim.iccid, state: sim.state });
      }
      return toEnding(outcome, ({ sim }) => ({ providerId: maskIccid(sim.iccid) }));
    });
    if (result.kind !== 'performed') {
      return result;
    }
    await esims.invalidateChoices(workspaceId);
    const esim = await find(workspaceId, key, userId);
    const { state, createdAt: at } = result.operation;
    if (kind === 'esim.create' && result.first && state === 'accepted' && esim !== undefined) {
      // A note for the list: the order is done without it.
      await creators.add(workspaceId, esim.iccid, { userId, at }).catch(() => {});
    }
    return { ...result, esim };
  }

  function place({ iccid, ...order }: CheckedOrder): Promise<PlacedOrder> {
    const { plan, iso3 } = order;
    const { productId } = plan;
    if (iccid === undefined) {
      const wanted = { productId, ...(iso3 !== undefined && { iso3 }) };
      return perform(order, 'esim.create', undefined, (account) => account.esims.create(wanted));
    }
    const wanted = { iccid, productId, iso3: iso3 ?? '' };
    return perform(order, 'esim.top_up', iccid, (account) => account.esims.purchase(wanted));
  }

  const checks = createEsimApprovals(context, { approvals, workspaces, operations, limits, place });
  const order = async (wanted: CheckedOrder): Promise<OrderEsimResult> =>
    ((await arePurchasesOn(wanted.workspaceId)) ? await checks.check(wanted) : undefined) ?? place(wanted);

  return {
    create: order,
    topUp: order,
    find,
    creators: creators.find,
    approvals: checks,
  };
}

function summarize({ plan, iso3 }: EsimOrderRequest, iccid: string | undefined): OrderSummary {
  const price = priceOf(plan);
  return {
    plan: plan.name,
    productId: plan.productId,
    ...(price !== undefined && { price }),
    ...(iso3 !== undefined && { country: iso3 }),
    ...(iccid !== undefined && { iccid: maskIccid(iccid) }),
  };
}
