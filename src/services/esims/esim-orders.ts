import type { Keyv } from 'keyv';
import { z } from 'zod';
import { maskIccid } from '../../domain/esims/iccid.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { EsimOrder } from '../../provider/esims/esim-operations.ts';
import type { Outcome } from '../../provider/outcome.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { Operations } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { ownId } from '../operations/ownership.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type EsimPlan, priceOf } from './esim-plans.ts';
import type { EsimService } from './esims.ts';

/** What a person confirmed. */
export interface EsimOrderRequest {
  workspaceId: string;
  userId: string;
  /** The same order, made twice, has the same key, and is carried out once. */
  key: string;
  plan: EsimPlan;
  /** ISO 3166-1 alpha-3. */
  iso3?: string | undefined;
}

export type OrderEsimResult =
  | { kind: 'performed'; operation: Operation; first: boolean; esim?: OrderedEsim }
  | { kind: 'cancelled' }
  | { kind: 'not_connected' };

/** The eSIM of an order: kept for a month, encrypted, since the ledger has only the end of its ICCID. */
export interface OrderedEsim {
  iccid: string;
  /** As the provider wrote it in its answer to the order. */
  state?: string;
}

/** What the ledger keeps of an order: the ICCID masked, and nothing that installs the eSIM. */
export const orderSummarySchema = z.object({
  plan: z.string(),
  productId: z.string(),
  price: z.string().exactOptional(),
  country: z.string().exactOptional(),
  /** Of the eSIM that is topped up. */
  iccid: z.string().exactOptional(),
});
type OrderSummary = z.infer<typeof orderSummarySchema>;

/** What costs money: creating eSIMs and topping them up (API §4.13.4, §4.13.5), each order once. */
export interface EsimOrders {
  create(order: EsimOrderRequest): Promise<OrderEsimResult>;
  topUp(order: EsimOrderRequest & { iso3: string; iccid: string }): Promise<OrderEsimResult>;
  /** The eSIM of an order that the person made; undefined where it is not known, or not any more. */
  find(workspaceId: string, key: string, userId: string): Promise<OrderedEsim | undefined>;
}

const orderedSchema = z.object({ iccid: z.string(), state: z.string().exactOptional() });
const keptFor = 30 * 24 * 60 * 60_000;

export function createEsimOrders(options: {
  keyv: (workspaceId: string, area: string) => Keyv;
  workspaces: Workspaces;
  esims: EsimService;
  operations: Operations;
}): EsimOrders {
  const { workspaces, esims, operations } = options;
  const ordered = (workspaceId: string) => options.keyv(workspaceId, 'esim-orders');

  async function keep(
    { workspaceId, userId, key }: Pick<EsimOrderRequest, 'workspaceId' | 'userId' | 'key'>,
    esim: OrderedEsim,
  ): Promise<void> {
    // What the provider did must be written down as done even if this cannot be: the eSIM is in the list too.
    await ordered(workspaceId)
      .set(ownId(userId, key), esim, keptFor)
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
  ): Promise<OrderEsimResult> {
    const { workspaceId, userId, key, plan, iso3 } = order;
    const account = await workspaces.account(workspaceId);
    if (account === undefined) {
      return { kind: 'not_connected' };
    }
    const price = priceOf(plan);
    const summary: OrderSummary = {
      plan: plan.name,
      productId: plan.productId,
      ...(price !== undefined && { price }),
      ...(iso3 !== undefined && { country: iso3 }),
      ...(iccid !== undefined && { iccid: maskIccid(iccid) }),
    };
    const intent = { workspaceId, key, kind, userId: userId, summary };
    const performed = await operations.perform(intent, async () => {
      if (iccid !== undefined) {
        await keep(order, { iccid });
      }
      const outcome = await call(account);
      if (outcome.kind === 'accepted') {
        const { sim } = outcome.value;
        await keep(order, {
          iccid: sim.iccid,
          ...(sim.state !== undefined && { state: sim.state }),
        });
      }
      return toEnding(outcome, ({ sim }) => ({ providerId: maskIccid(sim.iccid) }));
    });
    if (performed.kind === 'cancelled') {
      return performed;
    }
    await esims.invalidateChoices(workspaceId);
    const esim = await find(workspaceId, key, userId);
    return { ...performed, ...(esim && { esim }) };
  }

  return {
    create: (order) =>
      perform(order, 'esim.create', undefined, (account) =>
        account.esims.create({
          productId: order.plan.productId,
          ...(order.iso3 !== undefined && { iso3: order.iso3 }),
        }),
      ),

    topUp: (order) =>
      perform(order, 'esim.top_up', order.iccid, (account) =>
        account.esims.purchase({
          iccid: order.iccid,
          productId: order.plan.productId,
          iso3: order.iso3,
        }),
      ),

    find,
  };
}
