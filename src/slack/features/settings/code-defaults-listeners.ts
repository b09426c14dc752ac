import { readCodeDefaults } from '../../../services/otp/code-form.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import {
  codeDefaultsCallback,
  codeDefaultsView,
  openCodeDefaultsAction,
  readCodeDefaultsForm,
} from './code-defaults-view.ts';

/** How the workspace sends one-time codes. Only admins may change it. */
export function registerCodeDefaults(router: Router, { workspaces, unicode }: AppContext['services']): void {
  router.action(openCodeDefaultsAction, 'administer', async (call) => {
    await call.push(codeDefaultsView(await workspaces.codeDefaults(call.user.workspaceId)));
  });

  router.submission(codeDefaultsCallback, 'administer', async ({ user, values }) => {
    const read = readCodeDefaults(readCodeDefaultsForm(values), { unicode });
    if (!read.ok) {
      return { errors: read.faults };
    }
    await workspaces.saveCodeDefaults(user.workspaceId, read.defaults);
    return { view: codeDefaultsView(read.defaults, mrkdwn`${stateIcons.done} Saved.`) };
  });
}
