import { subDays } from 'date-fns/subDays';
import { subHours } from 'date-fns/subHours';
import { showIccid } from '../../domain/access/private-values.ts';
import { deadlinesOf } from '../../domain/esims/plan-deadlines.ts';
import {
  balanceStep,
  followFailures,
  isDown,
  routeFacts,
  type WatchFacts,
  type WatchKind,
} from '../../domain/watch/watch.ts';
import { type Outcome, unanswered } from '../../provider/errors.ts';
import type { Watch } from '../../store/watch/watches.ts';
import type { Context } from '../context.ts';
import type { BalanceChecks } from '../costs/balance.ts';
import type { Costs } from '../costs/costs.ts';
import { ifRefused } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { WatchSettings } from './watch-settings.ts';

const minute = 60_000;
const hour = 60 * minute;
/** In milliseconds: how often each is looked at that takes a request, or long. */
const everyMs = {
  balance: 15 * minute,
  sender_id: 15 * minute,
  esim: 6 * hour,
  provider: 15 * minute,
  route: 5 * minute,
};
/** The same where the last request failed. */
const soonMs = minute;
/** At a time. Items beyond these pages are read once earlier ones are over. */
const maxPages = 5;
const perPage = 100;
const maxEsims = 50;
const maxReplies = 50;
const maxCampaigns = 200;
const maxOperations = 50;
/** The share of an eSIM’s data that is nearly all. */
const nearlyAll = 0.9;

/** The current facts of one kind, by subject. Subjects that are not `known` stay unchanged. */
export interface Reading {
  facts: Map<string, WatchFacts>;
  /** Undefined: all. */
  known?: ReadonlySet<string> | undefined;
  /**
   * When the account was connected, on the first check only: its findings aren't news, so they are only in
   * the digest.
   */
  firstOf?: Date | undefined;
  /** Stored after the findings: a check that stops earlier is repeated from the same state. */
  seen?: WatchFacts | undefined;
}

/** One round of checks of a workspace. */
export interface WatchRound {
  workspaceId: string;
  settings: WatchSettings;
  rows: readonly Watch[];
  now: Date;
  /** Whether each request of this round failed, the earliest first. */
  answers: boolean[];
}

export interface WatchDeps {
  workspaces: Workspaces;
  costs: Costs;
  checks: BalanceChecks;
}

type Read = (context: Context, deps: WatchDeps, round: WatchRound) => Promise<Reading | undefined>;

/** How each kind is read, in this order. Undefined: not known now, so nothing changes. */
export const readers: readonly (readonly [WatchKind, Read])[] = [
  ['balance', readBalance],
  ['route', readRoutes],
  ['campaign', readCampaigns],
  ['reply', readReplies],
  ['sender_id', readSenderIds],
  ['esim', readEsims],
  ['provider', readProvider],
];

const reading = (...facts: (readonly [string, WatchFacts])[]): Reading => ({ facts: new Map(facts) });

/** Whether the provider gave no answer to a request; undefined if not known. */
function isFault(kind: string, error: { reason: string } | undefined): boolean | undefined {
  if (unanswered.has(error?.reason ?? '')) {
    return true;
  }
  return kind === 'accepted' || kind === 'rejected' ? false : undefined;
}

/** Returns what the provider answered; undefined where it did not accept the request. */
async function ask<T>({ answers }: WatchRound, outcome: Promise<Outcome<T>>): Promise<T | undefined> {
  const ended = await outcome;
  const isAccepted = ended.kind === 'accepted';
  answers.push(...present(isFault(ended.kind, isAccepted ? undefined : ended.error)));
  return isAccepted ? ended.value : undefined;
}

const present = (failed: boolean | undefined) => (failed === undefined ? [] : [failed]);

async function readBalance(
  { store: { watches } }: Context,
  { costs, checks }: WatchDeps,
  round: WatchRound,
): Promise<Reading | undefined> {
  const { workspaceId, now, settings, rows } = round;
  const { below = '' } = settings;
  let balance = await costs.balance(workspaceId);
  const isOld = balance === undefined || now.getTime() - balance.at.getTime() >= everyMs.balance;
  const isRaised = rows.some(({ subject, state }) => subject === 'balance' && state === 'raised');
  const isLow = balance?.tooLowAt !== undefined || balanceStep(balance?.amount, below) !== undefined;
  // The account may have been topped up since: nobody is alerted before the provider was asked.
  const isUrgent = isLow && !isRaised;
  const every = isUrgent ? minute : everyMs.balance;
  if (checks.areOn && (isOld || isUrgent) && (await watches.startCheck(workspaceId, 'balance', every))) {
    // Where that fails, the figure that is known has to do.
    const failed = await checks
      .check(workspaceId)
      .then(() => false)
      .catch(ifRefused(['not_connected'], () => undefined))
      .catch(ifRefused(['failed'], ({ error }) => isFault('', error)));
    round.answers.push(...present(failed));
    balance = await costs.balance(workspaceId);
  }
  if (balance?.tooLowAt !== undefined) {
    return reading(['balance', { step: 'refused', at: balance.tooLowAt.getTime() }]);
  }
  if (balance?.amount === undefined) {
    return undefined;
  }
  const { amount, at } = balance;
  const step = balanceStep(amount, below);
  return step === undefined ? reading() : reading(['balance', { step, amount, at: at.getTime() }]);
}

async function readRoutes(
  { store: { watches, deliveries } }: Context,
  _deps: WatchDeps,
  { workspaceId, rows, now }: WatchRound,
): Promise<Reading | undefined> {
  if (!(await watches.startCheck(workspaceId, 'route', everyMs.route))) {
    return undefined;
  }
  const anHourAgo = subHours(now, 1);
  const inHour = await deliveries.byRoute({ workspaceId, from: anHourAgo, until: now });
  const none = { failed: 0, all: 0 };
  const isRaised = (route: string) =>
    rows.some((row) => row.subject === `route:${route}` && row.state === 'raised');
  // Reading a day takes long, and most of the time nothing is wrong.
  const suspects = [...inHour].filter(([route, outcomes]) =>
    routeFacts(route, outcomes, none, isRaised(route)),
  );
  const before =
    suspects.length === 0
      ? new Map<string, typeof none>()
      : await deliveries.byRoute({ workspaceId, from: subDays(anHourAgo, 1), until: anHourAgo });
  return reading(
    ...suspects.flatMap(([route, outcomes]) => {
      const facts = routeFacts(route, outcomes, before.get(route) ?? none, isRaised(route));
      return facts === undefined ? [] : [[`route:${route}`, facts] as const];
    }),
  );
}

/** Leaves out campaigns that a person paused, and those whose approval request is in the alerts channel already. */
async function readCampaigns(
  { store }: Context,
  _deps: WatchDeps,
  { workspaceId, settings, rows }: WatchRound,
): Promise<Reading> {
  const [paused, approvals] = await Promise.all([
    store.campaigns.recent({ workspaceId, states: ['paused'], limit: maxCampaigns }),
    store.approvals.waiting({ workspaceId, kind: 'campaign' }),
  ]);
  const isRaised = (watched: string) =>
    rows.some(({ subject, state }) => subject === watched && state === 'raised');
  return reading(
    ...approvals
      .map(({ subject, channelId }) => ({ watched: `campaign:${subject}`, channelId }))
      .filter(({ watched, channelId }) => channelId !== settings.channelId || isRaised(watched))
      .map(({ watched }) => [watched, { step: 'approval' }] as const),
    ...paused
      .filter(({ pause }) => pause?.by !== 'person')
      .map(({ id, pause }) => [`campaign:${id}`, { step: `paused ${pause?.error?.reason ?? ''}` }] as const),
  );
}

/** What waited long before watchers were switched on is left out. */
async function readReplies(
  { store }: Context,
  _deps: WatchDeps,
  { workspaceId, settings, now }: WatchRound,
): Promise<Reading> {
  const waiting = await store.replies.unanswered(workspaceId, {
    from: subDays(new Date(settings.since), 1),
    until: subHours(now, 1),
    limit: maxReplies,
  });
  return reading(
    ...waiting.map(
      ({ id, lastAt }) => [`reply:${id}`, { step: 'unanswered', at: lastAt.getTime() }] as const,
    ),
  );
}

async function readSenderIds(
  { store: { watches } }: Context,
  { workspaces }: WatchDeps,
  round: WatchRound,
): Promise<Reading | undefined> {
  const { workspaceId } = round;
  const [account, connection] = await Promise.all([
    workspaces.account(workspaceId),
    workspaces.connection(workspaceId),
  ]);
  const last = account && (await watches.startCheck(workspaceId, 'sender_id', everyMs.sender_id));
  if (account === undefined || connection === undefined || last === undefined) {
    return undefined;
  }
  const facts = new Map<string, WatchFacts>();
  for (let page = 0; page < maxPages; page += 1) {
    const listed = await ask(round, account.senderIds.list({ page, size: perPage }));
    if (listed === undefined) {
      return undefined;
    }
    for (const { senderId, country = '', status } of listed.records) {
      const subject = `sender_id:${senderId} ${country}`.slice(0, maxSubject);
      facts.set(subject, { step: status.slice(0, maxSubject), name: senderId.slice(0, maxSubject) });
    }
    if (listed.last) {
      break;
    }
  }
  return { facts, ...sightOf(connection.at, last.facts) };
}

/** Returns what the last check of an account remembered, and whether this is the first one. */
function sightOf(connectedAt: Date, last: WatchFacts): Pick<Reading, 'seen' | 'firstOf'> {
  const seen = { step: 'read', at: connectedAt.getTime() };
  const isFirst = last.step !== seen.step || last.at !== seen.at;
  return { seen, ...(isFirst && { firstOf: connectedAt }) };
}

/** In characters, of what the provider wrote. */
const maxSubject = 80;

async function readEsims(
  { store: { watches } }: Context,
  { workspaces }: WatchDeps,
  round: WatchRound,
): Promise<Reading | undefined> {
  const { workspaceId, now } = round;
  const [account, connection] = await Promise.all([
    workspaces.account(workspaceId),
    workspaces.connection(workspaceId),
  ]);
  const last = account && (await watches.startCheck(workspaceId, 'esim', everyMs.esim));
  if (account === undefined || connection === undefined || last === undefined) {
    return undefined;
  }
  const listed = await ask(round, account.esims.list({ size: maxEsims }));
  const iccids = listed?.records.slice(0, maxEsims).map(({ iccid }) => iccid) ?? [];
  const hashes = await watches.hashes(workspaceId, iccids);
  const facts = new Map<string, WatchFacts>();
  // Resolve alerts about an account that was connected earlier.
  const known = new Set(
    round.rows.filter(({ since }) => since < connection.at).map(({ subject }) => subject),
  );
  for (const [index, iccid] of iccids.entries()) {
    const usage = await ask(round, account.esims.usage({ iccid }));
    const plan = await ask(round, account.esims.planStatus({ iccid }));
    if (round.answers.at(-1) === true) {
      // It does not answer: the others would only wait for it.
      break;
    }
    const subject = `esim:${hashes[index]}`;
    known.add(subject);
    const { dataTotalGigabyte: total = 0, dataUsedGigabyte: used = 0 } = usage ?? {};
    const share = total > 0 ? used / total : 0;
    // An expiry that was days ago isn't news.
    const deadlines =
      plan === undefined ? [] : deadlinesOf(plan, now).filter(({ at }) => at > subDays(now, 3));
    const steps = [
      ...(share >= nearlyAll ? [share >= 1 ? 'used_up' : 'nearly_used'] : []),
      ...deadlines.map(({ kind, over }) => `${kind}${over ? '_over' : ''}`),
    ];
    if (steps.length > 0) {
      const at = deadlines[0]?.at.getTime();
      facts.set(subject, { step: steps.join(' '), name: showIccid(iccid, 'record'), share, at });
    }
  }
  return { facts, known, ...sightOf(connection.at, last.facts) };
}

async function readProvider(
  context: Context,
  { workspaces }: WatchDeps,
  round: WatchRound,
): Promise<Reading | undefined> {
  const { ledger, watches } = context.store;
  const { workspaceId, now } = round;
  const account = await workspaces.account(workspaceId);
  if (account === undefined) {
    return reading();
  }
  const before = await watches.seen(workspaceId, 'provider');
  const operations = before === undefined ? [] : await ledger.recent({ workspaceId, limit: maxOperations });
  const ended = operations
    .flatMap(({ endedAt: at, state, error }) => {
      const failed = isFault(state, error);
      return at === undefined || failed === undefined || (before && at <= before.changedAt)
        ? []
        : [{ at, failed }];
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const asked = round.answers.map((failed) => ({ failed, at: now }));
  const state = [...ended, ...asked].reduce(followFailures, before?.facts ?? { step: 'up' });
  const answered = round.answers.length;
  const isDue = await watches.startCheck(workspaceId, 'provider', state.failures ? soonMs : everyMs.provider);
  if (isDue && answered === 0) {
    await ask(round, account.senderIds.list({ page: 0, size: 1 }));
  }
  const after = round.answers
    .slice(answered)
    .map((failed) => ({ failed, at: now }))
    .reduce(followFailures, state);
  const until = ended.at(-1)?.at ?? before?.changedAt ?? now;
  await watches.setSeen(workspaceId, 'provider', after, until);
  return isDown(after, now) ? reading(['provider', { step: 'down', at: after.at }]) : reading();
}
