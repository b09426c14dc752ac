import { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome } from '../../provider/errors.ts';
import { wholeActivationCode } from '../../provider/esims/activation-code.ts';
import type { DataPlanStatus, DataUsage, Esim, EsimProfile } from '../../provider/esims/esim-operations.ts';
import type { Page } from '../../provider/response/paging.ts';
import type { Context } from '../context.ts';
import { type ProviderAnswer, toAnswer } from '../operations/outcomes.ts';
import type { KnownList } from '../workspaces/account-list-cache.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { createEsimLists } from './esim-lists.ts';
import { browsePlans, type PlanFilter, type PlanPage } from './esim-plans.ts';

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

/** What is typed into a phone that cannot scan (GSMA SGP.22 §4.1). Secret: enough to install the eSIM. */
export interface EsimInstallation {
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

/** Reads about eSIMs (API §4.13). */
export interface EsimService {
  plans(workspaceId: string, filter: PlanFilter): Promise<ProviderAnswer<PlanPage>>;
  /** Returns one page of the created eSIMs. */
  list(workspaceId: string, page: number): Promise<ProviderAnswer<Page<Esim>>>;
  /** Returns the eSIMs to choose from, in the provider's order. Resolves within little more than a second. */
  choices(workspaceId: string): Promise<KnownList<EsimChoice>>;
  /** Called when an eSIM was created or changed. */
  invalidateChoices(workspaceId: string): Promise<void>;
  countries(workspaceId: string): Promise<KnownList<EsimCountryChoice> | 'not_connected'>;
  /** Returns where an eSIM's plan works, alpha-3; empty if that is not known within little more than a second. */
  countriesOf(workspaceId: string, iccid: string): Promise<readonly string[]>;
  status(workspaceId: string, iccid: string): Promise<EsimStatus | 'not_connected'>;
  qrImage(workspaceId: string, iccid: string): Promise<ProviderAnswer<EsimQrImage>>;
  installation(
    workspaceId: string,
    iccid: string,
  ): Promise<ProviderAnswer<EsimInstallation | 'only_an_image'>>;
}

/** The provider's own default (API §2.1). */
const listedPerPage = 15;

export function createEsimService(context: Context, { workspaces }: { workspaces: Workspaces }): EsimService {
  const { now: clock } = context.time;

  async function withAccount<T>(
    workspaceId: string,
    read: (account: ProviderAccount) => Promise<ProviderAnswer<T>>,
  ): Promise<ProviderAnswer<T>> {
    const account = await workspaces.account(workspaceId);
    return account === undefined ? { kind: 'not_connected' } : read(account);
  }

  return {
    ...createEsimLists(context, { workspaces }),

    plans: (workspaceId, filter) => withAccount(workspaceId, (account) => browsePlans(account, filter)),

    list: (workspaceId, page) =>
      withAccount(workspaceId, async ({ esims }) =>
        toAnswer(await esims.list({ page, size: listedPerPage })),
      ),

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
      withAccount(workspaceId, async ({ esims }) => {
        const answer = toAnswer(await esims.qrCode({ iccid }));
        if (answer.kind !== 'answered') {
          return answer;
        }
        const { image, activationCode } = answer.value;
        const content = Buffer.from(image.bytes);
        return {
          kind: 'answered',
          value: { content, format: image.format, isDrawn: activationCode !== undefined },
        };
      }),

    installation: (workspaceId, iccid) =>
      withAccount(workspaceId, (account) => readInstallation(account, iccid)),
  };
}

/** Reads the activation code from the profile, or else from the answer to the request for the QR code. */
async function readInstallation(
  { esims }: ProviderAccount,
  iccid: string,
): Promise<ProviderAnswer<EsimInstallation | 'only_an_image'>> {
  const profile = await esims.profile({ iccid });
  const whole = profile.kind === 'accepted' ? wholeActivationCode(profile.value) : undefined;
  const asksConfirmation = profile.kind === 'accepted' ? profile.value.ccRequired : undefined;
  if (whole !== undefined) {
    return { kind: 'answered', value: partsOf(whole, asksConfirmation) };
  }
  const answer = toAnswer(await esims.qrCode({ iccid }));
  if (answer.kind !== 'answered') {
    return answer;
  }
  const { activationCode } = answer.value;
  return {
    kind: 'answered',
    value: activationCode === undefined ? 'only_an_image' : partsOf(activationCode, asksConfirmation),
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

/** A date of an eSIM's plan that is near or has passed. */
export interface EsimDeadline {
  kind: 'activate' | 'expire';
  at: Date;
  over: boolean;
}

/** In milliseconds: how long before a date the warning begins. */
const warningMs = 3 * 24 * 60 * 60_000;

/**
 * Returns the dates to warn about: a plan that is not activated by the end of its window may become invalid (API §3), and
 * one past its expiry date is unusable.
 */
export function deadlinesOf(plan: DataPlanStatus, now: Date): EsimDeadline[] {
  const { status, windowActivationEndDate, expiryDate } = plan;
  const toActivate = status === 'NOT_ACTIVE' ? windowActivationEndDate : undefined;
  return [
    ...(toActivate === undefined ? [] : [{ kind: 'activate' as const, at: toActivate }]),
    ...(expiryDate === undefined ? [] : [{ kind: 'expire' as const, at: expiryDate }]),
  ]
    .filter(({ at }) => at.getTime() - now.getTime() <= warningMs)
    .map((deadline) => ({ ...deadline, over: deadline.at <= now }));
}
