import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { lagosIso, lagosTimestamp } from '../../lib/lagos-time.ts';
import { tokenInHeader } from '../http/credentials.ts';
import { ProviderErrorReply } from '../http/error-responses.ts';
import { pageOf, pagingFields } from '../http/paging.ts';
import { ok } from '../http/replies.ts';
import { charge } from '../messages/accept.ts';
import { type OperationHandler, operation } from '../operation.ts';
import type { AccountState, Sim } from '../state/state.ts';
import { type CatalogueCountry, type CataloguePlan, countryIn, describePlan, findPlan } from './catalogue.ts';
import { inEnvelope } from './envelope.ts';
import { newSim } from './new-sim.ts';
import { planStatusOf, remainingData } from './plan-status.ts';

const iso3 = z.string().regex(/^[A-Z]{3}$/, 'must be the three capital letters of a country');

/** The field of the operations on one eSIM. */
export const iccidField = z.strictObject({ iccid: z.string() });

export function findSim({ sims }: AccountState, iccid: string): Sim {
  const sim = sims.find((candidate) => candidate.iccid === iccid);
  if (!sim) {
    throw new ProviderErrorReply(404, `eSIM not found: ${iccid}`);
  }
  return sim;
}

/** Finds a plan and one of its countries. Throws a `ProviderErrorReply` when there is none. */
function choosePlan(
  productId: string,
  wanted: string | undefined,
): { plan: CataloguePlan; country: CatalogueCountry } {
  const plan = findPlan(productId);
  if (!plan) {
    throw new ProviderErrorReply(404, `Data plan not found: ${productId}`);
  }
  const country = countryIn(plan, wanted);
  if (!country) {
    throw new ProviderErrorReply(400, `iso3: ${productId} is not for ${wanted}`);
  }
  return { plan, country };
}

/** Formats an eSIM (API §2.8). */
function describeSim(sim: Sim): JsonObject {
  const { id, iccid, productId, imsi, state, lastOperationAt, activationCode, smdp, purchasedAt } = sim;
  return {
    id,
    iccid,
    productId,
    imsi,
    state,
    lastOperationDate: lagosTimestamp(new Date(lastOperationAt)),
    activationCode,
    smdp,
    ...(purchasedAt !== undefined && { purchaseDate: lagosIso(new Date(purchasedAt)) }),
  };
}

/** API §4.13.4. The country is optional, since no source says otherwise. The answer has no envelope. */
const create = operation({
  name: 'esims.create',
  method: 'POST',
  path: '/api/esim/create',
  credentials: tokenInHeader,
  fields: z.strictObject({ productId: z.string(), iso3: iso3.exactOptional() }),
  answer({ productId, iso3: wanted }, { account, state, now }) {
    const { plan, country } = choosePlan(productId, wanted);
    charge(account, plan.price * 100);
    const taken = state.accounts.flatMap(({ sims }) => sims.map(({ id }) => id));
    const sim = newSim({ serial: Math.max(0, ...taken) + 1, productId, at: now });
    account.sims.unshift(sim);
    return ok({ sim: describeSim(sim), dataPlan: describePlan(plan, country) });
  },
});

/** API §4.13.5. The new plan takes over the data left from the plan before. */
const purchase = operation({
  name: 'esims.purchase',
  method: 'POST',
  path: '/api/esim/data-plan/purchase',
  credentials: tokenInHeader,
  fields: z.strictObject({ iccid: z.string(), productId: z.string(), iso3 }),
  answer({ iccid, productId, iso3: wanted }, context) {
    const { account, now } = context;
    const sim = findSim(account, iccid);
    const { plan, country } = choosePlan(productId, wanted);
    charge(account, plan.price * 100);
    const time = now.toISOString();
    sim.plan = { boughtAt: time, carriedOver: remainingData(sim, now) };
    sim.productId = productId;
    sim.state = 'INACTIVE';
    sim.lastOperationAt = time;
    sim.purchasedAt = time;
    const data = { sim: describeSim(sim), dataPlan: describePlan(plan, country) };
    return inEnvelope(data, 'Data plan purchased successfully', context);
  },
});

/** API §4.13.7. The timestamps are in milliseconds. No source shows the unit. */
const profile = operation({
  name: 'esims.profile',
  method: 'GET',
  path: '/api/esim/euicc/{iccid}',
  credentials: tokenInHeader,
  fields: iccidField,
  answer({ iccid }, { account }) {
    const { imsi, state, lastOperationAt, createdAt, activationCode, smdp } = findSim(account, iccid);
    return ok({
      iccid,
      imsi,
      state,
      last_operation_date: new Date(lastOperationAt).getTime(),
      reuse_remaining_count: 3,
      cc_required: false,
      release_date: new Date(createdAt).getTime(),
      activationCode,
      smdp,
    });
  },
});

/** API §4.13.8. */
const usage = operation({
  name: 'esims.usage',
  method: 'GET',
  path: '/api/esim/subscriptions/usage/{iccid}',
  credentials: tokenInHeader,
  fields: iccidField,
  answer({ iccid }, { account, now }) {
    const { totalGigabytes, usedGigabytes } = planStatusOf(findSim(account, iccid), now);
    return ok({ data_total_gigabyte: totalGigabytes, data_used_gigabyte: usedGigabytes });
  },
});

/** API §4.13.9. Future events have no date. */
const planStatus = operation({
  name: 'esims.planStatus',
  method: 'GET',
  path: '/api/esim/iccid/{iccid}/details',
  credentials: tokenInHeader,
  fields: iccidField,
  answer({ iccid }, context) {
    const sim = findSim(context.account, iccid);
    const { name, status, createdAt, activatedAt, expiresAt, windowEndsAt } = planStatusOf(sim, context.now);
    const data = {
      productId: sim.productId,
      iccid,
      createdDate: lagosTimestamp(createdAt),
      activatedDate: activatedAt ? lagosTimestamp(activatedAt) : null,
      expiryDate: expiresAt ? lagosTimestamp(expiresAt) : null,
      windowActivationEndDate: lagosTimestamp(windowEndsAt),
      Status: status,
      dataPlan: name,
    };
    return inEnvelope(data, 'Data plan status fetched successfully', context);
  },
});

/** API §4.13.10, the newest first. */
const list = operation({
  name: 'esims.list',
  method: 'GET',
  path: '/api/esim/fetch/esims',
  credentials: tokenInHeader,
  fields: z.strictObject(pagingFields),
  answer(paging, { account }) {
    return ok(pageOf(account.sims.map(describeSim), paging));
  },
});

export const simOperations: readonly OperationHandler[] = [
  create,
  purchase,
  profile,
  usage,
  planStatus,
  list,
];
