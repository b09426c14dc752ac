import { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome } from '../../provider/errors.ts';
import { readInstallLink, wholeActivationCode } from '../../provider/esims/activation-code.ts';
import type { DataPlanStatus, DataUsage, EsimProfile } from '../../provider/esims/esim-operations.ts';
import type { Context } from '../context.ts';
import { accepted } from '../refusal.ts';
import { createAccountListCache, gatherList, type KnownList } from '../workspaces/account-list-cache.ts';
import { notConnected, type Workspaces } from '../workspaces/workspaces.ts';
import { browsePlans, countriesOfPlan, type PlanFilter, type PlanPage } from './esim-plans.ts';

/** An eSIM to choose. */
export interface EsimChoice {
  iccid: string;
  state: string | undefined;
  productId: string | undefined;
}

/** A country with plans for eSIMs. */
export interface EsimCountryChoice {
  name: string;
  iso2?: string | undefined;
  iso3?: string | undefined;
  region?: string | undefined;
}

/** The status of an eSIM. Each part was requested separately, and can fail separately. */
export interface EsimStatus {
  iccid: string;
  profile: Outcome<EsimProfile>;
  plan: Outcome<DataPlanStatus>;
  usage: Outcome<DataUsage>;
  /** When it was requested. */
  at: Date;
}

/** What installs an eSIM without a scan. Secret: enough to install it. */
export interface EsimInstallation {
  /** What is typed into a phone. Undefined where the provider only gives a link. */
  typed: TypedInstallation | undefined;
  /** The provider's link, which the phone opens. */
  link: Secret | undefined;
}

/** GSMA SGP.22 §4.1. */
interface TypedInstallation {
  /** The host name of the SM-DP+. */
  smdp: string;
  /** The matching id, which phones call the activation code. */
  code: Secret;
  /** Both in one, as in a QR code. */
  whole: Secret;
  /** Whether the phone also asks for a confirmation code; undefined if the provider does not say. */
  asksConfirmation: boolean | undefined;
}

/** An image to scan. Secret: enough to install the eSIM. */
export interface EsimQrImage {
  content: Buffer;
  format: 'png' | 'jpeg';
  /** Whether it was drawn from the activation code. Otherwise it is the provider's, and may hold anything. */
  isDrawn: boolean;
}

/** The provider's own default (API §2.1). */
const listedPerPage = 15;
const esimsTtlMs = 5 * 60_000;
const catalogueTtlMs = 6 * 60 * 60_000;
const perPage = 100;

export type EsimService = ReturnType<typeof createEsimService>;

/** Reads about eSIMs (API §4.13). */
export function createEsimService(context: Context, { workspaces }: { workspaces: Workspaces }) {
  const { now: clock } = context.time;

  return {
    ...createEsimLists(context, workspaces),

    plans: async (workspaceId: string, filter: PlanFilter): Promise<PlanPage> =>
      browsePlans(await workspaces.connected(workspaceId), filter),

    /** Returns one page of the created eSIMs. */
    async list(workspaceId: string, page: number) {
      const { esims } = await workspaces.connected(workspaceId);
      return accepted(await esims.list({ page, size: listedPerPage }));
    },

    async status(workspaceId: string, iccid: string): Promise<EsimStatus> {
      const { esims } = await workspaces.connected(workspaceId);
      const [profile, plan, usage] = await Promise.all([
        esims.profile({ iccid }),
        esims.planStatus({ iccid }),
        esims.usage({ iccid }),
      ]);
      return { iccid, profile, plan, usage, at: clock() };
    },

    async qrImage(workspaceId: string, iccid: string): Promise<EsimQrImage> {
      const { esims } = await workspaces.connected(workspaceId);
      const { image, activationCode } = accepted(await esims.qrCode({ iccid }));
      const content = Buffer.from(image.bytes);
      return { content, format: image.format, isDrawn: activationCode !== undefined };
    },

    /** Reads the activation code or link from the profile, or the code from the QR code response if it has neither. */
    async installation(workspaceId: string, iccid: string): Promise<EsimInstallation | 'only_an_image'> {
      const { esims } = await workspaces.connected(workspaceId);
      const profile = await esims.profile({ iccid });
      const known = profile.kind === 'accepted' ? profile.value : undefined;
      const activationCode = known?.activationCode;
      const link =
        activationCode !== undefined && readInstallLink(activationCode.reveal()) !== undefined
          ? activationCode
          : undefined;
      const inProfile = known && wholeActivationCode(known);
      const whole =
        inProfile ??
        (link === undefined ? accepted(await esims.qrCode({ iccid })).activationCode : undefined);
      return whole === undefined && link === undefined
        ? 'only_an_image'
        : { typed: whole && partsOf(whole, known?.ccRequired), link };
    },
  };
}

/** Caches the lists that users choose from. */
function createEsimLists({ broadcast, time: { elapsed }, timers }: Context, workspaces: Workspaces) {
  const options = { elapsed, timers };
  const choices = createAccountListCache<EsimChoice>({
    ...options,
    ttlMs: esimsTtlMs,
    fetch: (account) =>
      gatherList(account.esims.all({ size: perPage }), ({ iccid, state, productId }) => [
        iccid,
        { iccid, state, productId },
      ]),
  });
  const countries = createAccountListCache<EsimCountryChoice>({
    ...options,
    ttlMs: catalogueTtlMs,
    fetch: (account) =>
      gatherList(account.esims.allCountries({ size: perPage }), ({ name, iso2, iso3, region }) => [
        iso3 ?? name,
        { name, iso2, iso3, region },
      ]),
  });
  const plans = createAccountListCache({
    ...options,
    ttlMs: catalogueTtlMs,
    fetch: (account: ProviderAccount) =>
      gatherList(account.esims.allPlans({ size: perPage }), (plan) => [
        plan.productId,
        { productId: plan.productId, countries: countriesOfPlan(plan) },
      ]),
  });

  async function invalidate(workspaceId: string): Promise<void> {
    const account = await workspaces.account(workspaceId);
    if (account !== undefined) {
      choices.invalidate(account);
    }
  }
  // Where the account cannot be read, the list is as old as it may be.
  broadcast.on('esims', (workspaceId) => {
    if (workspaceId !== undefined) {
      void invalidate(workspaceId).catch(() => {});
    }
  });

  return {
    /** Returns the eSIMs to choose from, in the provider's order. Resolves within little more than a second. */
    async choices(workspaceId: string): Promise<KnownList<EsimChoice>> {
      const account = await workspaces.account(workspaceId);
      return account === undefined ? { records: [], note: notConnected } : choices.getWithin(account);
    },

    /** Called when an eSIM was created or changed. */
    async invalidateChoices(workspaceId: string): Promise<void> {
      await invalidate(workspaceId);
      broadcast.send('esims', workspaceId);
    },

    countries: async (workspaceId: string): Promise<KnownList<EsimCountryChoice>> =>
      countries.get(await workspaces.connected(workspaceId)),

    /** Returns where an eSIM's plan works, alpha-3; empty if that is not known within little more than a second. */
    async countriesOf(workspaceId: string, iccid: string): Promise<readonly string[]> {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return [];
      }
      const [created, onSale] = await Promise.all([choices.getWithin(account), plans.getWithin(account)]);
      const productId = created.records.find((esim) => esim.iccid === iccid)?.productId;
      return onSale.records.find((plan) => plan.productId === productId)?.countries ?? [];
    },
  };
}

/** `LPA:1$<smdp>$<matching id>`, and further parts that few codes have. */
function partsOf(whole: Secret, asksConfirmation: boolean | undefined): TypedInstallation {
  const [, smdp = '', code = '', , confirmation] = whole.reveal().split('$');
  return {
    smdp,
    code: new Secret(code),
    whole,
    // SGP.22 §4.1: the fifth part is 1 where a confirmation code is needed.
    asksConfirmation: asksConfirmation ?? (confirmation === '1' ? true : undefined),
  };
}
