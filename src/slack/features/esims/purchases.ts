import type { Services } from '../../../services/services.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../../middleware/errors.ts';

/** Says that an admin has switched off buying eSIMs, to a user who tried to. */
export function purchasesOffError(commandPrefix: string): UserError {
  return new UserError(
    mrkdwn`Buying eSIMs is switched off here, so nothing was bought. \`/${commandPrefix}esim\` still lists plans and eSIMs.`,
    { isFinal: true },
  );
}

/** @throws UserError where eSIMs cannot be bought in the workspace */
export async function requirePurchases(
  { workspaces }: Pick<Services, 'workspaces'>,
  workspaceId: string,
  commandPrefix: string,
): Promise<void> {
  if (!(await workspaces.defaults(workspaceId)).esimPurchases) {
    throw purchasesOffError(commandPrefix);
  }
}
