import { readApprovalSettings } from '../../../services/approvals/approval-settings.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  approvalSettingsCallback,
  approvalSettingsView,
  coveredAction,
  formOfSettings,
  readApprovalForm,
} from './settings-view.ts';

/** What needs approval in a workspace. */
export function registerApprovalSettings(router: Router, { services }: AppContext): void {
  const { approvals, dialect } = services;
  const shown = { currency: dialect.currency };

  router.action(openActions.approvalSettings, 'administer', async (call) => {
    const settings = await approvals.settings(call.user.workspaceId);
    await call.push(approvalSettingsView(formOfSettings(settings), shown));
  });

  router.action(coveredAction, 'administer', async ({ view }) => {
    await view?.replace(approvalSettingsView(readApprovalForm(await view.rememberedValues()), shown));
  });

  router.submission(approvalSettingsCallback, 'administer', async ({ user, values }) => {
    const read = readApprovalSettings(readApprovalForm(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    await approvals.saveSettings(user.workspaceId, read.settings, user.userId);
    const said = mrkdwn`${stateIcons.done} Saved.`;
    return { view: approvalSettingsView(formOfSettings(read.settings), { ...shown, said }) };
  });
}
