import { type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { Outcome, ProviderError } from '../../provider/errors.ts';
import type { DndCheck } from '../../provider/insight/insight.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** What was found of one number. `unknown` says why in `problem`. */
export interface CheckedNumber {
  number: PhoneNumber;
  dnd: 'active' | 'inactive' | 'unknown';
  network?: string;
  problem?: string;
}

export type DndReport = { kind: 'checked'; numbers: CheckedNumber[] } | { kind: 'not_connected' };

export interface DndChecker {
  /**
   * Asks the provider for each number's Do-Not-Disturb state (API §4.9), a few at a time, in the order given. A number
   * that could not be checked stays in the report as `unknown`; once many in a row could not, the others are not tried.
   * `progress` hears how many are done.
   */
  checkDnd(
    workspaceId: string,
    numbers: readonly PhoneNumber[],
    options?: { progress?: (done: number) => void; signal?: AbortSignal },
  ): Promise<DndReport>;
}

const atATime = 5;

/** After these the next number would fare no better, so the provider is not asked again and again. */
const hopeless = new Set(['bad_key', 'unreachable', 'untrusted', 'cancelled', 'stopping']);
/** Nor after so many in a row that the provider failed to answer. */
const mostFailures = 10;

export function createDndChecker(options: { workspaces: Workspaces }): DndChecker {
  const { workspaces } = options;
  return {
    async checkDnd(workspaceId, numbers, { progress, signal } = {}) {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const checked: CheckedNumber[] = [];
      let givenUp: string | undefined;
      let failuresInARow = 0;
      let done = 0;
      const check = async (number: PhoneNumber): Promise<CheckedNumber> => {
        if (givenUp !== undefined) {
          return { number, dnd: 'unknown', problem: givenUp };
        }
        const answer = await account.insight.checkDnd(
          { phoneNumber: toDigits(number) },
          signal === undefined ? {} : { signal },
        );
        if (answer.kind === 'accepted') {
          failuresInARow = 0;
        } else {
          const { reason, retryable } = answer.error;
          failuresInARow += retryable ? 1 : 0;
          if (hopeless.has(reason) || failuresInARow >= mostFailures) {
            givenUp = problemOf(answer.error);
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
      await Promise.all(Array.from({ length: atATime }, worker));
      return { kind: 'checked', numbers: checked };
    },
  };
}

/** What an answer says of a number; of none, why. */
export function readDnd(number: PhoneNumber, answer: Outcome<DndCheck>): CheckedNumber {
  if (answer.kind !== 'accepted') {
    return { number, dnd: 'unknown', problem: problemOf(answer.error) };
  }
  const { dndActive, network } = answer.value;
  return {
    number,
    dnd: dndActive === undefined ? 'unknown' : dndActive ? 'active' : 'inactive',
    ...(network === undefined ? {} : { network }),
    ...(dndActive === undefined ? { problem: 'The provider’s answer does not say.' } : {}),
  };
}

/** A call is cancelled by our own patience, or because the program stops. */
export function problemOf({ reason, message }: ProviderError): string {
  return reason === 'cancelled' ? 'The provider did not answer in time. Try again in a moment.' : message;
}
