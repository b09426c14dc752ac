import { inQuietHours, isQuietOperator, quietHoursEnd } from '../../domain/messages/quiet-hours.ts';
import type { Route } from '../../domain/messages/routes.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/timeout.ts';
import type { Timers } from '../../lib/timers.ts';
import type { NumberStatus, NumberStatusEntry } from '../../provider/insight/number-status.ts';
import type { Outcome } from '../../provider/outcome.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type CheckedNumber, problemOf, readDnd } from './dnd-check.ts';

export interface NumberLookup {
  /**
   * What is known of one number: its network (API §4.8) and its Do-Not-Disturb state (API §4.9), asked at the same time
   * and each told whatever became of the other. `country` is the one to look it up in.
   */
  lookUp(workspaceId: string, number: PhoneNumber, country: CountryCode): Promise<LookupResult>;
}

export type LookupResult =
  | { kind: 'looked_up'; network: NetworkReport; dnd: CheckedNumber; advice: Advice }
  | { kind: 'not_connected' };

/** The route that reaches a number now. */
export interface Advice {
  route: Route;
  /** Where only the hour keeps it from the generic route: when that hour is over. */
  quietUntil?: Date;
}

export type NetworkReport =
  | { kind: 'known'; entry: NumberStatusEntry }
  /** The provider has no entry for it. `said` are its words. */
  | { kind: 'no_entry'; said?: string }
  /** The account may not ask; the account manager has to activate it. */
  | { kind: 'not_activated'; said?: string }
  | { kind: 'failed'; problem: string };

const timeoutMs = 15_000;

export function createNumberLookup(options: {
  workspaces: Workspaces;
  clock: Clock;
  timers: Timers;
}): NumberLookup {
  const { workspaces, clock, timers } = options;
  return {
    async lookUp(workspaceId, number, country) {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
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
      return {
        kind: 'looked_up',
        network: readNetwork(status),
        dnd: checked,
        advice: advise(checked, clock()),
      };
    },
  };
}

function readNetwork(answer: Outcome<NumberStatus>): NetworkReport {
  if (answer.kind === 'accepted') {
    const { result, message } = answer.value;
    const [entry] = result;
    return entry === undefined
      ? { kind: 'no_entry', ...(message === undefined ? {} : { said: message }) }
      : { kind: 'known', entry };
  }
  const { reason, status, providerMessage } = answer.error;
  const said = providerMessage === undefined ? {} : { said: providerMessage };
  // The words are not described: 403, or a refusal that speaks of activation, is taken for it (API §5).
  return reason === 'refused' && (status === 403 || /activ/i.test(providerMessage ?? ''))
    ? { kind: 'not_activated', ...said }
    : { kind: 'failed', problem: problemOf(answer.error) };
}

/** What may be on Do-Not-Disturb goes by the route that reaches every number. */
function advise({ number, dnd }: CheckedNumber, now: Date): Advice {
  if (dnd !== 'inactive') {
    return { route: 'dnd' };
  }
  return isQuietOperator(number) && inQuietHours(now)
    ? { route: 'dnd', quietUntil: quietHoursEnd(now) }
    : { route: 'generic' };
}
