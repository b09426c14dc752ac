import type { UserPreferences } from '../../../../services/workspaces/preferences.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import type { User } from '../../../middleware/requests.ts';

/** Remembers what a user chose, for their next campaign. Never throws: what was started is shown as started. */
export async function rememberChoice(
  { services, log }: Pick<AppContext, 'services' | 'log'>,
  { workspaceId, userId }: User,
  choice: Pick<UserPreferences, 'campaignSenderId' | 'testNumber'>,
): Promise<void> {
  try {
    await services.workspaces.rememberPreferences(workspaceId, userId, choice);
  } catch (error) {
    log.warn({ err: error }, 'a choice was not remembered');
  }
}
