import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { showIccid } from '../../domain/access/private-values.ts';
import type { Unchanged } from '../../domain/limits/seen.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { Refusal } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type EsimPlan, priceOf } from './esim-plans.ts';
import type { EsimService } from './esims.ts';

/** An order that a user confirmed, and that may need approval. */
export interface CheckedOrder {
  workspaceId: string;
  userId: string;
  /** The idempotency key: a repeated order has the same one, and is carried out once. */
  key: string;
  /** The plan as shown to the user. */
  plan: EsimPlan;
  /** ISO 3166-1 alpha-3. */
  iso3?: string | undefined;
  /** The eSIM that is topped up. */
  iccid?: string | undefined;
}

export type PlacedOrder = SpendResult & { esim?: OrderedEsim | undefined };

/** The eSIM of an order, stored (encrypted, for a month), since the ledger has only the end of its ICCID. */
export interface OrderedEsim {
  iccid: string;
  /** As the provider wrote it in its answer to the order. */
  state?: string | undefined;
}

/** What the ledger stores of an order: the ICCID masked, and nothing that installs the eSIM. */
export const orderSummarySchema = z.object({
  plan: z.string(),
  productId: z.string(),
  price: z.string().exactOptional(),
  country: z.string().exactOptional(),
  /** The eSIM that is topped up. */
  iccid: z.string().exactOptional(),
});
type OrderSummary = z.infer<typeof orderSummarySchema>;

/** Who created an eSIM in Switchboard, and when. */
export interface EsimCreator {
  userId: string;
  at: Date;
}

/** By ICCID. */
export type EsimCreators = ReadonlyMap<string, EsimCreator>;

const creatorSchema = z.object({ iccid: z.string(), userId: z.string(), at: z.number() });
const creatorsSchema = z.array(creatorSchema).catch([]);
type StoredCreator = z.infer<typeof creatorSchema>;

const orderedSchema = z.object({ iccid: z.string(), state: z.string().optional() });
/** In milliseconds. */
const orderedTtl = 30 * 24 * 60 * 60_000;

export type EsimPlacing = ReturnType<typeof createEsimPlacing>;

/** Carries orders out, and remembers whose eSIMs they brought. */
export function createEsimPlacing(
  context: Context,
  { esims, operations, workspaces }: { esims: EsimService; operations: Operations; workspaces: Workspaces },
) {
  return {
    /** Places an order, once per key, unless purchases are off. */
    async place(order: CheckedOrder, unchanged: Unchanged): Promise<PlacedOrder> {
      const { workspaceId, userId, key, plan, iccid, iso3 } = order;
      await requirePurchases(workspaces, workspaceId);
      const kind = iccid === undefined ? 'esim.create' : 'esim.top_up';
      const price = priceOf(order.plan);
      const summary: OrderSummary = {
        plan: order.plan.name,
        productId: order.plan.productId,
        ...(price !== undefined && { price }),
        ...(order.iso3 !== undefined && { country: order.iso3 }),
        ...(iccid !== undefined && { iccid }),
      };
      const intent = { workspaceId, key, kind, userId, summary };
      const result = await operations.spend(
        { ...intent, usage: { kind: 'purchase' }, unchanged },
        async (account) => {
          if (iccid !== undefined) {
            await storeOrdered(context, order, { iccid });
          }
          const { productId } = plan;
          const outcome =
            iccid === undefined
              ? await account.esims.create({ productId, ...(iso3 !== undefined && { iso3 }) })
              : await account.esims.purchase({ iccid, productId, iso3: iso3 ?? '' });
          if (outcome.kind === 'accepted') {
            const { sim } = outcome.value;
            await storeOrdered(context, order, { iccid: sim.iccid, state: sim.state });
          }
          return toEnding(outcome, ({ sim }) => ({ providerId: showIccid(sim.iccid, 'record') }));
        },
      );
      await esims.invalidateChoices(workspaceId);
      const esim = await findOrdered(context, order);
      const { state, createdAt: at } = result.operation;
      if (kind === 'esim.create' && result.first && state === 'accepted' && esim !== undefined) {
        // A note for the list: the order is done without it.
        const creator: StoredCreator = { iccid: esim.iccid, userId, at: at.getTime() };
        // The value is encrypted. The key isn't, so it has only the end of the ICCID.
        const valueKey = { workspaceId, area: 'esim-creators', key: showIccid(esim.iccid, 'record') };
        await context.store
          .updateValue(valueKey, (value) => {
            const others = creatorsSchema.parse(value).filter((stored) => stored.iccid !== creator.iccid);
            return { set: [...others, creator] };
          })
          .catch(() => {});
      }
      return { ...result, esim };
    },

    /** Returns the eSIM of the user's own order, or `undefined` if it is not known or has expired. */
    find: (order: OrderKey) => findOrdered(context, order),

    /** Returns who created these eSIMs here. */
    creators: (workspaceId: string, iccids: readonly string[]) => findCreators(context, workspaceId, iccids),
  };
}

/** Throws a Refusal where eSIMs cannot be bought in the workspace. */
export async function requirePurchases(workspaces: Workspaces, workspaceId: string): Promise<void> {
  if (!(await workspaces.defaults(workspaceId)).esimPurchases) {
    throw new Refusal({ kind: 'purchases_off' });
  }
}

type OrderKey = Pick<CheckedOrder, 'workspaceId' | 'userId' | 'key'>;

/** Errors are ignored: the order must be recorded as done all the same, and the eSIM is in the provider's list too. */
async function storeOrdered(
  { store }: Context,
  { workspaceId, userId, key }: OrderKey,
  esim: OrderedEsim,
): Promise<void> {
  await store
    .keyv(workspaceId, 'esim-orders')
    .set(ownId(userId, key), esim, orderedTtl)
    .catch(() => {});
}

async function findOrdered(
  { store }: Context,
  { workspaceId, userId, key }: OrderKey,
): Promise<OrderedEsim | undefined> {
  const stored: unknown = await store.keyv(workspaceId, 'esim-orders').get(ownId(userId, key));
  return orderedSchema.optional().catch(undefined).parse(stored);
}

/** Returns who created these eSIMs; only for eSIMs created in Switchboard. */
async function findCreators(
  { store }: Context,
  workspaceId: string,
  iccids: readonly string[],
): Promise<EsimCreators> {
  const endings = [...new Set(iccids.map((iccid) => showIccid(iccid, 'record')))];
  const creators = store.keyv(workspaceId, 'esim-creators');
  const stored = await Promise.all(
    endings.map(async (ending) => creatorsSchema.parse(await creators.get(ending))),
  );
  return new Map(
    stored
      .flat()
      .filter(({ iccid }) => iccids.includes(iccid))
      .map(({ iccid, userId, at }) => [iccid, { userId, at: new Date(at) }]),
  );
}
