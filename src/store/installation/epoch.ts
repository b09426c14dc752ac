import { StoreError } from '../errors.ts';

/** Follows the epoch in a key, and is nowhere else in one. */
const separator = '~';

/**
 * Returns an idempotency key that is valid in one epoch of the data. An epoch ends when the data is restored or copied:
 * it may then have forgotten which keys were used, so those of earlier epochs are refused. The first epoch is `''`.
 */
export function withEpoch(epoch: string, key: string): string {
  return epoch === '' ? key : `${epoch}${separator}${key}`;
}

/** Returns the epoch of a key. What is derived from the key belongs to the same one. */
export function epochOf(key: string): string {
  const end = key.indexOf(separator);
  return end < 0 ? '' : key.slice(0, end);
}

/** Throws a StoreError `outdated` for a key of another epoch. */
export type RefuseOutdated = (key: string) => void;

export function createEpochCheck(epoch: string): RefuseOutdated {
  return (key) => {
    if (epochOf(key) === epoch) {
      return;
    }
    throw new StoreError(
      'outdated',
      'This was open before Switchboard’s data was restored or copied. Nothing was sent now, but it may have been ' +
        'sent before. Look in the provider’s dashboard, then start again with the command.',
    );
  };
}
