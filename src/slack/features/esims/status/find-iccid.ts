import type { Services } from '../../../../services/services.ts';
import { esimRefSchema } from '../../../block-kit/inputs/esim-input.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';

/**
 * Resolves with the ICCID that the value of a button refers to.
 *
 * @throws UserError if the order it names is no longer stored
 */
export type FindIccid = (user: User, value: string) => Promise<string>;

export function createFindIccid({ esimOrders }: Services): FindIccid {
  return async ({ workspaceId, userId }, value) => {
    const ref = esimRefSchema.parse(JSON.parse(value));
    if ('iccid' in ref) {
      return ref.iccid;
    }
    const esim = await esimOrders.find(workspaceId, ref.order, userId);
    if (esim === undefined) {
      throw new UserError(mrkdwn`This order is more than a month old. Find the eSIM in the list of eSIMs.`);
    }
    return esim.iccid;
  };
}
