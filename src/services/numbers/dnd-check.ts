import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { DndState } from '../../domain/messages/route-advice.ts';
import { maskNumber, type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { Outcome, ProviderError } from '../../provider/errors.ts';
import type { DndCheck } from '../../provider/insight.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** The result for one number. `problem` says why it is `unknown`. */
export interface CheckedNumber {
  number: PhoneNumber;
  dnd: DndState;
  network?: string | undefined;
  problem?: string | undefined;
}

export type DndReport =
  | { kind: 'checked'; numbers: CheckedNumber[] }
  /** A limit was reached. Nothing was checked. */
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'not_connected' };

export interface DndChecker {
  /**
   * Requests each number's Do-Not-Disturb state (API §4.9), a few concurrently, and returns them in the given order. A
   * number that could not be checked is `unknown`; after many failures in a row, the rest is not requested. `progress` is
   * called with the number of checks done.
   */
  checkDnd(
    who: { workspaceId: string; userId: string },
    numbers: readonly PhoneNumber[],
    options?: { progress?: ((done: number) => void) | undefined; signal?: AbortSignal | undefined },
  ): Promise<DndReport>;
}

const concurrency = 5;

/** Errors after which another request would fail as well, so the rest is not requested. */
const fatalReasons = new Set(['bad_key', 'unreachable', 'untrusted', 'cancelled', 'stopping']);
/** Nor is it after this many retryable errors in a row. */
const maxFailuresInARow = 10;

export function createDndChecker(
  { audit: { record } }: Context,
  { workspaces, limits: { takeLookups } }: { workspaces: Workspaces; limits: Limits },
): DndChecker {
  return {
    async checkDnd(who, numbers, { progress, signal } = {}) {
      const account = await workspaces.account(who.workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const taken = numbers.length === 0 ? undefined : await takeLookups(who, numbers.length);
      if (taken?.kind === 'limited') {
        return taken;
      }
      const checked: CheckedNumber[] = [];
      let unused = numbers.length;
      /** Why the rest is not requested. */
      let abandoned: string | undefined;
      let failuresInARow = 0;
      let done = 0;
      const check = async (number: PhoneNumber): Promise<CheckedNumber> => {
        if (abandoned !== undefined) {
          return { number, dnd: 'unknown', problem: abandoned };
        }
        unused -= 1;
        const answer = await account.insight.checkDnd(
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
      };
      const waiting = numbers.entries();
      const worker = async () => {
        for (const [index, number] of waiting) {
          checked[index] = await check(number);
          done += 1;
          progress?.(done);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      await taken?.giveBack(unused);
      const [only] = numbers;
      await record({
        workspaceId: who.workspaceId,
        action: 'lookup.dnd',
        subject: numbers.length === 1 ? only && maskNumber(only) : undefined,
        outcome: abandoned === undefined ? 'done' : 'failed',
        details: { numbers: numbers.length },
      });
      return { kind: 'checked', numbers: checked };
    },
  };
}

/** Returns what the provider's answer says about a number, or why it says nothing. */
export function readDnd(number: PhoneNumber, answer: Outcome<DndCheck>): CheckedNumber {
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
export function problemOf({ reason, message }: ProviderError): string {
  return reason === 'cancelled' ? 'The provider did not answer in time. Try again in a moment.' : message;
}
