import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { addMinutes, lagosIso, lagosTimestamp } from '../../lib/lagos-time.ts';
import { ok } from '../http/replies.ts';
import {
  findSim,
  iccidField,
  ProviderErrorReply,
  pageOf,
  pagingFields,
  tokenInHeader,
} from '../http/request-checks.ts';
import { charge } from '../messages/messages.ts';
import { type OperationHandler, operation } from '../operation.ts';
import type { Sim } from '../state/state.ts';
import {
  type CatalogueCountry,
  type CataloguePlan,
  countryIn,
  describePlan,
  findPlan,
  inEnvelope,
} from './plans.ts';
import { qrCodeShapes } from './qr.ts';

const smdp = 'rsp.sandbox.example';

interface NewSimOptions {
  /** Unique, of at most seven digits. */
  serial: number;
  /** The digit that selects the shape of the QR code. 0 by default. */
  shape?: number;
  /** The activation code. A bare one by default. */
  activationCode?: string;
  productId: string;
  at: Date;
}

/** Creates an eSIM with its first plan. Its identifiers are derived from the serial number. */
function newSim({ serial, shape = 0, activationCode, productId, at }: NewSimOptions): Sim {
  const digits = String(serial).padStart(7, '0');
  const time = at.toISOString();
  return {
    id: serial,
    iccid: withCheckDigit(`8923490000${digits}${shape}`),
    imsi: `62190000${digits}`,
    productId,
    state: 'RELEASED',
    createdAt: time,
    lastOperationAt: time,
    activationCode: activationCode ?? `SB-${digits.slice(0, 3)}-${digits.slice(3)}`,
    smdp,
    plan: { boughtAt: time, carriedOver: 0 },
  };
}

/** Appends the check digit of an ICCID (ITU-T E.118, Luhn). */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The sandbox's rule: a plan becomes active five minutes after its purchase, as if the eSIM was installed then. */
export const activationMinutes = 5;
/** The sandbox's rule: data is used at this rate, fast enough to watch. */
export const gigabytesPerMinute = 0.02;
/** The time within which a plan must be activated. */
const windowMinutes = 90 * 24 * 60;

interface PlanStatus {
  name: string;
  status: 'NOT_ACTIVE' | 'ACTIVE' | 'EXPIRED';
  createdAt: Date;
  /** Missing until the plan is active. */
  activatedAt?: Date;
  expiresAt?: Date;
  windowEndsAt: Date;
  totalGigabytes: number;
  usedGigabytes: number;
}

/** Returns the status of an eSIM's data plan, which depends only on the time of purchase and the clock. */
function planStatusOf({ productId, plan: { boughtAt, carriedOver } }: Sim, now: Date): PlanStatus {
  const plan = findPlan(productId);
  if (!plan) {
    throw new Error(`The catalogue has no plan ${productId}`);
  }
  const createdAt = new Date(boughtAt);
  const activatedAt = addMinutes(createdAt, activationMinutes);
  const expiresAt = addMinutes(activatedAt, plan.days * 24 * 60);
  const totalGigabytes = rounded(carriedOver + plan.gigabytes);
  const common = {
    name: plan.name,
    createdAt,
    windowEndsAt: addMinutes(createdAt, windowMinutes),
    totalGigabytes,
  };
  if (now < activatedAt) {
    return { ...common, status: 'NOT_ACTIVE', usedGigabytes: 0 };
  }
  const until = now < expiresAt ? now : expiresAt;
  const minutesInUse = (until.getTime() - activatedAt.getTime()) / 60_000;
  const usedGigabytes = Math.min(totalGigabytes, rounded(minutesInUse * gigabytesPerMinute));
  const status = now < expiresAt ? 'ACTIVE' : 'EXPIRED';
  return { ...common, status, activatedAt, expiresAt, usedGigabytes };
}

/** Returns the data that a top-up carries over, in gigabytes. An expired plan has none left at the sandbox's rate. */
function remainingData(sim: Sim, now: Date): number {
  const { totalGigabytes, usedGigabytes } = planStatusOf(sim, now);
  return rounded(totalGigabytes - usedGigabytes);
}

function rounded(gigabytes: number): number {
  return Math.round(gigabytes * 1000) / 1000;
}

const day = 24 * 60;

/** The age of each plan in minutes: one new, one in use, one expired, one in use. */
const ages = [1, 25, 10 * day, 40];

/** Creates an account's first eSIMs: one for each shape of QR code, in that order, and one with a whole code. */
export function seedSims(firstSerial: number, now: Date): Sim[] {
  const sims = qrCodeShapes.map((_, shape) =>
    newSim({
      serial: firstSerial + shape,
      shape,
      productId: shape === 1 ? 'gb-1gb-7d' : 'ng-1gb-7d',
      at: addMinutes(now, -(ages[shape] ?? day)),
    }),
  );
  const withWholeCode = newSim({
    serial: firstSerial + sims.length,
    shape: 5,
    activationCode: `LPA:1$${smdp}$SB-WHOLE-${firstSerial}`,
    productId: 'europe-5gb-30d',
    at: addMinutes(now, -2 * day),
  });
  return [...sims, withWholeCode];
}

const iso3 = z.string().regex(/^[A-Z]{3}$/, 'must be the three capital letters of a country');

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
