import type { Operation } from '../../../store/operations/operation.ts';

const words: Readonly<Record<Exclude<Operation['state'], 'underway'>, string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  not_sent: 'not sent',
  unconfirmed: 'unconfirmed',
};

/** The title of a modal that shows how something ended: `Message rejected`; the noun alone while it goes on. */
export function outcomeTitle(noun: string, state: Operation['state']): string {
  return state === 'underway' ? noun : `${noun} ${words[state]}`;
}
