import type { DndCheck } from '../provider/insight.ts';
import type { Outcome } from '../provider/outcome.ts';
import { type PhoneNumber, toDigits } from '../rules/phone-number.ts';
import type { Workspaces } from './workspaces.ts';

/** What was found of one number. `unknown` says why in `problem`. */
export interface CheckedNumber {
  number: PhoneNumber;
  dnd: 'active' | 'inactive' | 'unknown';
  network?: string;
  problem?: string;
}

export type DndReport = { kind: 'checked'; numbers: CheckedNumber[] } | { kind: 'not_connected' };

export interface Numbers {
  /**
   * Asks the provider for each number's Do-Not-Disturb state (API §4.9), a few at a time, in the order given. A number
   * that could not be checked stays in the report as `unknown`. `progress` hears how many are done.
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

export function createNumbers(options: { workspaces: Workspaces }): Numbers {
  return {
    async checkDnd(workspaceId, numbers, { progress, signal } = {}) {
      const account = await options.workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const checked: CheckedNumber[] = [];
      let givenUp: string | undefined;
      let done = 0;
      const waiting = numbers.entries();
      const worker = async () => {
        for (const [index, number] of waiting) {
          if (givenUp === undefined) {
            const answer = await account.insight.checkDnd(
              { phoneNumber: toDigits(number) },
              signal === undefined ? {} : { signal },
            );
            checked[index] = read(number, answer);
            if (answer.kind !== 'accepted' && hopeless.has(answer.error.reason)) {
              givenUp = answer.error.message;
            }
          } else {
            checked[index] = { number, dnd: 'unknown', problem: givenUp };
          }
          done += 1;
          progress?.(done);
        }
      };
      await Promise.all(Array.from({ length: atATime }, worker));
      return { kind: 'checked', numbers: checked };
    },
  };
}

function read(number: PhoneNumber, answer: Outcome<DndCheck>): CheckedNumber {
  if (answer.kind !== 'accepted') {
    return { number, dnd: 'unknown', problem: answer.error.message };
  }
  const { dndActive, network } = answer.value;
  return {
    number,
    dnd: dndActive === undefined ? 'unknown' : dndActive ? 'active' : 'inactive',
    ...(network === undefined ? {} : { network }),
    ...(dndActive === undefined ? { problem: 'The provider’s answer does not say.' } : {}),
  };
}
