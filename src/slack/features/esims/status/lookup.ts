import type { Services } from '../../../../services/services.ts';
import { esimRefSchema } from '../../../block-kit/inputs/esim-input.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';

/** Gives the ICCID of the eSIM that a button's value is about, or throws a Refusal. */
export type Lookup = (user: User, value: string) => Promise<string>;

export function createLookup({ esimOrders }: Services): Lookup {
  return async ({ workspaceId, userId }, value) => {
    const ref = esimRefSchema.parse(JSON.parse(value));
    if ('iccid' in ref) {
      return ref.iccid;
    }
    const esim = await esimOrders.find(workspaceId, ref.order, userId);
    if (esim === undefined) {
      throw new UserError(
        mrkdwn`Which eSIM this was is not known here any more: that is kept for a month. Look for it in the list of your eSIMs.`,
      );
    }
    return esim.iccid;
  };
}

export function keyGone(): UserError {
  return new UserError(mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was done.`);
}
