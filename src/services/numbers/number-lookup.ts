import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { adviseRoute, type RouteAdvice } from '../../domain/messages/route-advice.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { maskNumber, type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Outcome } from '../../provider/errors.ts';
import type { NumberStatus, NumberStatusEntry } from '../../provider/insight.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type CheckedNumber, problemOf, readDnd } from './dnd-check.ts';

export interface NumberLookup {
  /**
   * Looks up a number's network (API §4.8) and its Do-Not-Disturb state (API §4.9) concurrently; each is returned even if
   * the other fails. `country` is the country to look it up in.
   */
  lookUp(
    who: { workspaceId: string; userId: string },
    number: PhoneNumber,
    country: CountryCode,
  ): Promise<LookupResult>;
}

export type LookupResult =
  | { kind: 'looked_up'; network: NetworkReport; dnd: CheckedNumber; advice: RouteAdvice }
  /** A limit was reached. Nothing was looked up. */
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'not_connected' };

export type NetworkReport =
  | { kind: 'known'; entry: NumberStatusEntry }
  /** The provider has no entry for it. `said`: its own words. */
  | { kind: 'no_entry'; said?: string | undefined }
  /** The account may not look up numbers; the provider has to activate that. */
  | { kind: 'not_activated'; said?: string | undefined }
  | { kind: 'failed'; problem: string };

const timeoutMs = 15_000;
/** Requests of a lookup. */
const calls = 2;

export function createNumberLookup(
  { audit: { record }, time: { now: clock }, timers }: Context,
  { workspaces, limits: { takeLookups } }: { workspaces: Workspaces; limits: Limits },
): NumberLookup {
  return {
    async lookUp(who, number, country) {
      const account = await workspaces.account(who.workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const taken = await takeLookups(who, calls);
      if (taken.kind === 'limited') {
        return taken;
      }
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
        subject: maskNumber(number),
        outcome: isFailed ? 'failed' : 'done',
      });
      return {
        kind: 'looked_up',
        network: readNetwork(status),
        dnd: checked,
        advice: adviseRoute(checked, clock()),
      };
    },
  };
}

function readNetwork(answer: Outcome<NumberStatus>): NetworkReport {
  if (answer.kind === 'accepted') {
    const { result, message } = answer.value;
    const [entry] = result;
    return entry === undefined ? { kind: 'no_entry', said: message } : { kind: 'known', entry };
  }
  const { reason, status, providerMessage: said } = answer.error;
  // API §5 does not give the wording: a 403, or a refusal that mentions activation, counts.
  return reason === 'refused' && (status === 403 || /activ/i.test(said ?? ''))
    ? { kind: 'not_activated', said }
    : { kind: 'failed', problem: problemOf(answer.error) };
}
