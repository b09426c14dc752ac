import { mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../../middleware/errors.ts';

/** Says that eSIMs are not for sale in this installation (`ESIM_PURCHASES`), to a user who tried to buy. */
export function purchasesOffError(commandPrefix: string): UserError {
  return new UserError(
    mrkdwn`Buying eSIMs is switched off here, so nothing was bought. \`/${commandPrefix}esim\` still lists plans and eSIMs.`,
    { isFinal: true },
  );
}
