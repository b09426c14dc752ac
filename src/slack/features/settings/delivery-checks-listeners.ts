import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import {
  deliveryChecksCallback,
  deliveryChecksView,
  openDeliveryChecksAction,
  readDeliveryChecks,
} from './delivery-checks-view.ts';

/** Which rules the check before a send goes by. Only admins may change them. */
export function registerDeliveryChecks(router: Router, { workspaces }: AppContext['services']): void {
  router.action(openDeliveryChecksAction, 'administer', async (call) => {
    await call.push(deliveryChecksView(await workspaces.rulesOff(call.user.workspaceId)));
  });

  router.submission(deliveryChecksCallback, 'administer', async ({ user, values }) => {
    const off = readDeliveryChecks(values);
    await workspaces.saveRulesOff(user.workspaceId, off);
    return { view: deliveryChecksView(off, mrkdwn`${stateIcons.done} Saved.`) };
  });
}
