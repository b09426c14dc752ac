import type { Clock, Stopwatch } from '../../lib/clock.ts';
import { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import { wholeActivationCode } from '../../provider/esims/activation-code.ts';
import type {
  DataPlanStatus,
  DataUsage,
  Esim,
  EsimCountry,
  EsimProfile,
} from '../../provider/esims/esim-records.ts';
import { ProviderFailure } from '../../provider/failure.ts';
import type { Outcome } from '../../provider/outcome.ts';
import type { Page } from '../../provider/response/paging.ts';
import { type ProviderAnswer, toAnswer } from '../operations/outcomes.ts';
import {
  createAccountListCache,
  type FetchedList,
  type KnownList,
} from '../workspaces/account-list-cache.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { browsePlans, type PlanFilter, type PlanPage } from './esim-plans.ts';

/** An eSIM to choose. */
export type EsimChoice = Pick<Esim, 'iccid' | 'state' | 'productId'>;

/** Where eSIMs have plans. */
export type EsimCountryChoice = Pick<EsimCountry, 'name' | 'iso2' | 'iso3' | 'region'>;

/** All that can be known of an eSIM. Each part came, or did not, by itself. */
export interface EsimStatus {
  iccid: string;
  profile: Outcome<EsimProfile>;
  plan: Outcome<DataPlanStatus>;
  usage: Outcome<DataUsage>;
  /** When it was asked for. */
  at: Date;
}

/** What is typed into a phone that cannot scan (GSMA SGP.22 §4.1). Whoever has it can install the eSIM. */
export interface EsimInstallation {
  /** The host name of the SM-DP+. */
  smdp: string;
  /** The matching id, which phones call the activation code. */
  code: Secret;
  /** Both in one, as a QR code has it. */
  whole: Secret;
  /** Whether the phone asks for a confirmation code besides; undefined where the provider does not say. */
  asksConfirmation: boolean | undefined;
}

/** What can be asked about eSIMs (API §4.13). */
export interface EsimService {
  plans(workspaceId: string, filter: PlanFilter): Promise<ProviderAnswer<PlanPage>>;
  /** One page of the eSIMs that were created. */
  list(workspaceId: string, page: number): Promise<ProviderAnswer<Page<Esim>>>;
  /** The eSIMs to choose from, the newest first as the provider has it. Answers soon, whatever the provider does. */
  choices(workspaceId: string): Promise<KnownList<EsimChoice>>;
  /** An eSIM was created or changed. */
  invalidateChoices(workspaceId: string): Promise<void>;
  countries(workspaceId: string): Promise<KnownList<EsimCountryChoice> | 'not_connected'>;
  status(workspaceId: string, iccid: string): Promise<EsimStatus | 'not_connected'>;
  /** A PNG for phones to scan. Whoever does so has the eSIM. */
  qrImage(workspaceId: string, iccid: string): Promise<ProviderAnswer<Buffer>>;
  installation(workspaceId: string, iccid: string): Promise<ProviderAnswer<EsimInstallation>>;
}

const esimsFreshFor = 5 * 60_000;
const countriesFreshFor = 6 * 60 * 60_000;
const perPage = 100;
/** As many as the provider's own lists have on a page (API §2.1). */
const listedPerPage = 15;
const mostChoices = 1_000;

export function createEsimService(options: {
  workspaces: Workspaces;
  clock: Clock;
  elapsed: Stopwatch;
}): EsimService {
  const { workspaces, clock, elapsed } = options;

  const choices = createAccountListCache<EsimChoice>({
    elapsed,
    freshFor: esimsFreshFor,
    fetch: ({ esims }) =>
      gather(esims.all({ size: perPage }), ({ iccid, state, productId }) => ({
        iccid,
        ...(state !== undefined && { state }),
        ...(productId !== undefined && { productId }),
      })),
  });

  const countries = createAccountListCache<EsimCountryChoice>({
    elapsed,
    freshFor: countriesFreshFor,
    fetch: ({ esims }) =>
      gather(esims.allCountries({ size: perPage }), ({ name, iso2, iso3, region }) => ({
        name,
        ...(iso2 !== undefined && { iso2 }),
        ...(iso3 !== undefined && { iso3 }),
        ...(region !== undefined && { region }),
      })),
  });

  async function ask<T>(
    workspaceId: string,
    question: (account: ProviderAccount) => Promise<ProviderAnswer<T>>,
  ): Promise<ProviderAnswer<T>> {
    const account = await workspaces.account(workspaceId);
    return account === undefined ? { kind: 'not_connected' } : question(account);
  }

  return {
    plans: (workspaceId, filter) => ask(workspaceId, (account) => browsePlans(account, filter)),

    list: (workspaceId, page) =>
      ask(workspaceId, async ({ esims }) => toAnswer(await esims.list({ page, size: listedPerPage }))),

    async choices(workspaceId) {
      const account = await workspaces.account(workspaceId);
      return account === undefined
        ? { records: [], note: 'No provider key is connected' }
        : choices.getWithin(account);
    },

    async invalidateChoices(workspaceId) {
      const account = await workspaces.account(workspaceId);
      if (account !== undefined) {
        choices.invalidate(account);
      }
    },

    async countries(workspaceId) {
      const account = await workspaces.account(workspaceId);
      return account === undefined ? 'not_connected' : countries.get(account);
    },

    async status(workspaceId, iccid) {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return 'not_connected';
      }
      const [profile, plan, usage] = await Promise.all([
        account.esims.profile({ iccid }),
        account.esims.planStatus({ iccid }),
        account.esims.usage({ iccid }),
      ]);
      return { iccid, profile, plan, usage, at: clock() };
    },

    qrImage: (workspaceId, iccid) =>
      ask(workspaceId, async ({ esims }) => {
        const drawn = toAnswer(await esims.qrCode({ iccid }));
        return drawn.kind === 'answered' ? { kind: 'answered', value: Buffer.from(drawn.value.png) } : drawn;
      }),

    installation: (workspaceId, iccid) =>
      ask(workspaceId, async ({ esims }) => {
        const profile = await esims.profile({ iccid });
        const whole = profile.kind === 'accepted' ? wholeActivationCode(profile.value) : undefined;
        const asksConfirmation = profile.kind === 'accepted' ? profile.value.ccRequired : undefined;
        if (whole !== undefined) {
          return { kind: 'answered', value: partsOf(whole, asksConfirmation) };
        }
        const drawn = toAnswer(await esims.qrCode({ iccid }));
        return drawn.kind === 'answered'
          ? { kind: 'answered', value: partsOf(drawn.value.activationCode, asksConfirmation) }
          : drawn;
      }),
  };
}

/** `LPA:1$<smdp>$<matching id>`, and further parts that few codes have. */
function partsOf(whole: Secret, asksConfirmation: boolean | undefined): EsimInstallation {
  const [, smdp = '', code = '', , confirmation] = whole.reveal().split('$');
  return {
    smdp,
    code: new Secret(code),
    whole,
    // SGP.22 §4.1: the fifth part is 1 where a confirmation code is needed.
    asksConfirmation: asksConfirmation ?? (confirmation === '1' ? true : undefined),
  };
}

/** The records of all pages, up to as many as one chooses from. */
async function gather<From, To>(
  records: AsyncIterable<From>,
  toKnown: (record: From) => To,
): Promise<FetchedList<To>> {
  const gathered: To[] = [];
  try {
    for await (const record of records) {
      if (gathered.length === mostChoices) {
        return { records: gathered, note: `Only the first ${mostChoices} are listed` };
      }
      gathered.push(toKnown(record));
    }
    return { records: gathered };
  } catch (error) {
    if (error instanceof ProviderFailure) {
      return { failure: 'The provider did not give its list' };
    }
    throw error;
  }
}
