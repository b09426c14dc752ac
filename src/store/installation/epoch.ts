import { StoreError } from '../errors.ts';

/** Stands after the epoch in a key, and nowhere else in one. */
const separator = '~';

/**
 * A key that was made in an epoch. An epoch ends when the data is restored or copied: it has then forgotten which keys
 * were used, so those of an earlier epoch are void. The first epoch has no name.
 */
export function withEpoch(epoch: string, key: string): string {
  return epoch === '' ? key : `${epoch}${separator}${key}`;
}

/** Returns the name of the epoch of a key; what is made from the key belongs to the same one. */
export function epochOf(key: string): string {
  const end = key.indexOf(separator);
  return end < 0 ? '' : key.slice(0, end);
}

/** Throws a StoreError `outdated` for a key of another epoch. */
export type RefuseOutdated = (key: string) => void;

export function refuseOutdated(epoch: string): RefuseOutdated {
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
