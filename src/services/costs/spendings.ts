import { z } from 'zod';
import { type Route, readRoute, routeSchema } from '../../domain/messages/routes.ts';
import type { CampaignSpending } from '../../store/campaigns/campaign-spendings.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { BalanceFigure } from '../../store/operations/operation-balances.ts';
import type { CheckedBalance } from './balance-checks.ts';

/** What may have cost something. */
export type SpentOn = 'message' | 'code' | 'campaign' | 'esim';

/** Something that may have cost money, or shows the balance. Times are milliseconds since 1970. */
export interface Spending {
  /** `check`: the provider was asked for the balance. */
  what: SpentOn | 'check';
  from: number;
  /** Undefined while it goes on. */
  to?: number | undefined;
  /** `country`: of all its pages; undefined where they go to several, or that is not known. */
  cost: 'nothing' | 'unknown' | { route: Route; pages: number; country: string | undefined };
  /** The last balance that the provider named for it, and when. */
  balance?: { amount: string; at: number } | undefined;
  /** The first one it named, where it may have named several. */
  firstBalance?: string | undefined;
  /** Whether the balance rose while it went on: somebody topped up. */
  rose?: boolean | undefined;
  /** When the provider refused it because the balance was too low. */
  tooLowAt?: number | undefined;
}

const subjects: Readonly<Record<string, SpentOn>> = {
  sms: 'message',
  campaign: 'message',
  otp: 'code',
  esim: 'esim',
};
/** What comes before the dot of the kinds that may cost something. */
export const spendingSubjects = Object.keys(subjects);

const summarySchema = z.object({ route: routeSchema });
const balanceTooLow = 'balance_too_low';

/** Returns undefined for an operation of a kind that costs nothing. */
export function ofOperation(operation: Operation): Spending | undefined {
  const { kind, state, pages, balance, createdAt, endedAt, error } = operation;
  const what = subjects[kind.split('.')[0] ?? ''];
  if (what === undefined) {
    return undefined;
  }
  const from = createdAt.getTime();
  const to = endedAt && Math.max(from, endedAt.getTime());
  const route = routeOfOperation(operation);
  const known = route !== undefined && pages !== undefined && pages > 0;
  return {
    what,
    from,
    to,
    cost: costOf(state, known ? { route, pages, country: onlyCountry(operation.countries) } : undefined),
    balance: balance === undefined || to === undefined ? undefined : { amount: balance, at: to },
    tooLowAt: state === 'rejected' && error?.reason === balanceTooLow ? to : undefined,
  };
}

/** Returns the route of an operation that is one message. */
export function routeOfOperation({ summary }: Pick<Operation, 'summary'>): Route | undefined {
  return summarySchema.safeParse(summary).data?.route;
}

function onlyCountry(counts: Readonly<Record<string, number>> = {}): string | undefined {
  const [first, ...others] = Object.keys(counts);
  return others.length === 0 ? first : undefined;
}

function costOf(
  state: Operation['state'],
  known: { route: Route; pages: number; country: string | undefined } | undefined,
): Spending['cost'] {
  if (state === 'rejected' || state === 'not_sent') {
    return 'nothing';
  }
  return state === 'accepted' && known !== undefined ? known : 'unknown';
}

/** Something of which only the balance is looked at. */
export function ofFigure({ amount, at }: BalanceFigure): Spending {
  return { what: 'message', from: at, to: at, cost: 'unknown', balance: { amount, at } };
}

/** An answer to the question for the balance. */
export function ofCheck({ amount, from, to }: CheckedBalance): Spending {
  return { what: 'check', from, to, cost: 'nothing', balance: { amount, at: to } };
}

/** A paused campaign with nothing in flight spends nothing until it is resumed: it ends with its last balance so far. */
export function ofCampaign(campaign: CampaignSpending): Spending {
  const { startedAt, endedAt, balance, firstBalance, balanceRose, pausedAt, pauseReason } = campaign;
  const isIdle = pausedAt !== undefined && campaign.inFlight === 0;
  const to = endedAt ?? (isIdle ? (balance?.at ?? pausedAt) : undefined);
  return {
    what: 'campaign',
    from: startedAt,
    to: to === undefined ? undefined : Math.max(startedAt, to),
    cost: costOfCampaign(campaign),
    balance,
    firstBalance,
    rose: balanceRose,
    tooLowAt: pauseReason === balanceTooLow ? pausedAt : undefined,
  };
}

function costOfCampaign({
  route: name,
  accepted,
  unconfirmed,
  inFlight,
  countryPages,
  ...counts
}: CampaignSpending) {
  if (accepted + unconfirmed + inFlight === 0) {
    return 'nothing';
  }
  const route = readRoute(name);
  const pages = acceptedPages({ accepted, ...counts });
  return unconfirmed + inFlight > 0 || route === undefined || pages === undefined || pages <= 0
    ? 'unknown'
    : { route, pages, country: onlyCountry(countryPages) };
}

/** Known where all recipients were accepted, or where all texts have one length. */
function acceptedPages({
  accepted,
  recipients,
  pages,
  fewestPages,
  mostPages,
}: Pick<CampaignSpending, 'accepted' | 'recipients' | 'pages' | 'fewestPages' | 'mostPages'>) {
  if (accepted === recipients) {
    return pages;
  }
  return fewestPages === mostPages ? accepted * fewestPages : undefined;
}
