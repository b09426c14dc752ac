import { adviseRoute, type DndState, type RouteAdvice } from '../../domain/messages/routes.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome, ProviderError } from '../../provider/errors.ts';
import type { DndCheck, NumberStatus, NumberStatusEntry } from '../../provider/insight.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** The limits count requests of a person. */
interface Requester {
  workspaceId: string;
  userId: string;
}

export interface LookedUpNumber {
  network: NetworkStatus;
  dnd: CheckedNumber;
  advice: RouteAdvice;
}

export type NetworkStatus =
  | { kind: 'known'; entry: NumberStatusEntry }
  /** The provider has no entry for it. `providerMessage`: its own words. */
  | { kind: 'no_entry'; providerMessage?: string | undefined }
  /** The account may not look up numbers; the provider has to activate that. */
  | { kind: 'not_activated'; providerMessage?: string | undefined }
  | { kind: 'failed'; problem: string };

const timeoutMs = 15_000;
/** Requests of a lookup. */
const calls = 2;

export function createNumberLookup(
  { audit: { record }, time, timers }: Context,
  { workspaces, limits }: { workspaces: Workspaces; limits: Limits },
) {
  return {
    /**
     * Looks up a number's network (API §4.8) and its Do-Not-Disturb state (API §4.9) concurrently; each is returned even if
     * the other fails. `country` is the country to look it up in.
     */
    async lookUp(who: Requester, number: PhoneNumber, country: CountryCode): Promise<LookedUpNumber> {
      const account = await workspaces.connected(who.workspaceId);
      await limits.takeLookups(who, calls);
      const phoneNumber = toDigits(number);
      const [status, dnd] = await withDeadline(
        timeoutMs,
        (signal) =>
          Promise.all([
            account.insight.query({ phoneNumber, countryCode: country }, { signal }),
            account.insight.checkDnd({ phoneNumber }, { signal }),
          ]),
        timers,
      );
      const checked = readDnd(number, dnd);
      const isFailed = status.kind !== 'accepted' && dnd.kind !== 'accepted';
      await record({
        workspaceId: who.workspaceId,
        action: 'lookup.number',
        subject: number,
        outcome: isFailed ? 'failed' : 'done',
      });
      const advice = adviseRoute(checked, time.now());
      return { network: readNetwork(status), dnd: checked, advice };
    },
  };
}

function readNetwork(answer: Outcome<NumberStatus>): NetworkStatus {
  if (answer.kind === 'accepted') {
    const { result, message } = answer.value;
    const [entry] = result;
    return entry === undefined ? { kind: 'no_entry', providerMessage: message } : { kind: 'known', entry };
  }
  const { reason, status, providerMessage } = answer.error;
  // API §5 does not give the wording: a 403, or a refusal that mentions activation, counts.
  return reason === 'refused' && (status === 403 || /activ/i.test(providerMessage ?? ''))
    ? { kind: 'not_activated', providerMessage }
    : { kind: 'failed', problem: problemOf(answer.error) };
}

/** The result for one number. `problem` says why it is `unknown`. */
export interface CheckedNumber {
  number: PhoneNumber;
  dnd: DndState;
  network?: string | undefined;
  problem?: string | undefined;
}

const concurrency = 5;

/** Errors after which another request would fail as well, so the rest is not requested. */
const fatalReasons = new Set(['bad_key', 'unreachable', 'untrusted', 'cancelled', 'stopping']);
/** Nor is it after this many retryable errors in a row. */
const maxFailuresInARow = 10;

export type DndChecker = ReturnType<typeof createDndChecker>;

export function createDndChecker(
  { audit: { record } }: Context,
  { workspaces, limits }: { workspaces: Workspaces; limits: Limits },
) {
  return {
    /**
     * Requests each number's Do-Not-Disturb state (API §4.9), a few concurrently, and returns them in the given order. A
     * number that could not be checked is `unknown`; after many failures in a row, the rest is not requested.
     *
     * @param options.progress called with the number of checks done
     */
    async checkDnd(
      who: Requester,
      numbers: readonly PhoneNumber[],
      options: CheckOptions = {},
    ): Promise<CheckedNumber[]> {
      const account = await workspaces.connected(who.workspaceId);
      const taken = numbers.length === 0 ? undefined : await limits.takeLookups(who, numbers.length);
      const { checked, unused, isAbandoned } = await checkAll(account, numbers, options);
      await taken?.giveBack(unused);
      const [only] = numbers;
      await record({
        workspaceId: who.workspaceId,
        action: 'lookup.dnd',
        subject: numbers.length === 1 ? only : undefined,
        outcome: isAbandoned ? 'failed' : 'done',
        details: { numbers: numbers.length },
      });
      return checked;
    },
  };
}

interface CheckOptions {
  progress?: ((done: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

async function checkAll(
  { insight }: ProviderAccount,
  numbers: readonly PhoneNumber[],
  { progress, signal }: CheckOptions,
): Promise<{ checked: CheckedNumber[]; unused: number; isAbandoned: boolean }> {
  const checked: CheckedNumber[] = [];
  let unused = numbers.length;
  /** Why the rest is not requested. */
  let abandoned: string | undefined;
  let failuresInARow = 0;
  let done = 0;

  async function check(number: PhoneNumber): Promise<CheckedNumber> {
    if (abandoned !== undefined) {
      return { number, dnd: 'unknown', problem: abandoned };
    }
    unused -= 1;
    const answer = await insight.checkDnd(
      { phoneNumber: toDigits(number) },
      signal === undefined ? {} : { signal },
    );
    if (answer.kind === 'accepted') {
      failuresInARow = 0;
    } else {
      const { reason, retryable } = answer.error;
      failuresInARow += retryable ? 1 : 0;
      if (fatalReasons.has(reason) || failuresInARow >= maxFailuresInARow) {
        abandoned = problemOf(answer.error);
      }
    }
    return readDnd(number, answer);
  }

  const waiting = numbers.entries();
  async function worker(): Promise<void> {
    for (const [index, number] of waiting) {
      checked[index] = await check(number);
      done += 1;
      progress?.(done);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { checked, unused, isAbandoned: abandoned !== undefined };
}

/** Returns what the provider's answer says about a number, or why it says nothing. */
function readDnd(number: PhoneNumber, answer: Outcome<DndCheck>): CheckedNumber {
  if (answer.kind !== 'accepted') {
    return { number, dnd: 'unknown', problem: problemOf(answer.error) };
  }
  const { dndActive, network } = answer.value;
  return {
    number,
    dnd: dndActive === undefined ? 'unknown' : dndActive ? 'active' : 'inactive',
    network,
    problem: dndActive === undefined ? 'The provider gave no answer for this number.' : undefined,
  };
}

/** A request is cancelled by our own deadline, or because the program stops. */
function problemOf({ reason, message }: ProviderError): string {
  return reason === 'cancelled' ? 'The provider did not answer in time. Try again in a moment.' : message;
}
