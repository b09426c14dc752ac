import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  createAddressAction,
  enterSecretAction,
  reportsOffView,
  reportsView,
  secretBlock,
  secretCallback,
  secretView,
} from './views.ts';

/** *Delivery reports*: the address that the provider sends them to, and the secret that they are signed with. */
export function registerReports(router: Router, { services, publicOrigin }: AppContext): void {
  const { reports } = services;

  async function currentView(workspaceId: string, said?: Markup) {
    if (!reports.isOn) {
      return reportsOffView();
    }
    const [settings, origin] = await Promise.all([reports.settings(workspaceId), publicOrigin(workspaceId)]);
    return reportsView({ ...settings, origin }, said);
  }

  router.action(openActions.reports, 'administer', async (call) => {
    const view = await currentView(call.user.workspaceId);
    await call.push(view);
  });

  router.action(createAddressAction, 'administer', async ({ user, view }) => {
    const { workspaceId, userId } = user;
    if (reports.isOn) {
      await reports.createAddress(workspaceId, userId);
    }
    const said = mrkdwn`${stateIcons.done} The address is new. Enter it on the provider’s dashboard.`;
    await view?.replace(await currentView(workspaceId, said));
  });

  router.action(enterSecretAction, 'administer', async ({ view }) => {
    await view?.replace(secretView());
  });

  router.submission(secretCallback, 'administer', async ({ user, values }) => {
    const problem = await reports.saveSecret(user.workspaceId, values[secretBlock]?.text ?? '');
    return problem === undefined
      ? { view: await currentView(user.workspaceId, mrkdwn`${stateIcons.done} Saved.`) }
      : { errors: { [secretBlock]: problem } };
  });
}
