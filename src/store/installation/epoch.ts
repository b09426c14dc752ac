import { epochOf } from '../../domain/access/request-keys.ts';
import { StoreError } from '../errors.ts';

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
