import { highestApprovalHours, usualApprovalHours } from '../../../domain/defaults.ts';
import {
  type ApprovalSettings,
  defaultRecipients,
  readApprovalSettings,
} from '../../../services/approvals/approval-settings.ts';
import { context, section } from '../../block-kit/build.ts';
import { formatCount, formatMoney } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { channelField, textField, ticksField } from '../../kit/fields.ts';
import { defineSettings } from '../../kit/settings.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** What needs a second person in a workspace. */
export function registerApprovalSettings(router: Router, context: AppContext): void {
  const { approvals, dialect } = context.services;
  const unit = dialect.currency === undefined ? 'In the account’s currency.' : `In ${dialect.currency}.`;

  defineSettings(context, {
    id: 'approval_settings',
    opens: openActions.approvalSettings,
    title: 'Approvals',
    change: { action: 'settings.change', subject: 'approvals' },
    fields: {
      covered: ticksField(
        'Needs approval',
        { campaigns: 'Large campaigns', esims: 'eSIM purchases' },
        { live: true },
      ),
      recipients: textField('Campaigns with more recipients than', { max: 20, hint: '0: every campaign.' }),
      price: textField('eSIM purchases over', {
        max: 20,
        hint: `${unit} 0: every purchase. A plan without a listed price always needs approval.`,
      }),
      channelId: channelField('approval'),
      hours: textField('Hours until a request expires', {
        max: 5,
        optional: true,
        hint: `Leave empty for ${usualApprovalHours} hours. At most ${highestApprovalHours}.`,
      }),
    },
    load: approvals.settings,
    first: formOf,
    when: {
      recipients: ({ covered }) => covered.includes('campaigns'),
      price: ({ covered }) => covered.includes('esims'),
      channelId: ({ covered }) => covered.length > 0,
    },
    above: () => [explanation],
    below: () => [remark],
    async save({ workspaceId, userId }, { covered, ...typed }) {
      const campaigns = covered.includes('campaigns');
      const read = readApprovalSettings({ ...typed, campaigns, esims: covered.includes('esims') });
      if (!read.ok) {
        return read.faults;
      }
      await approvals.saveSettings(workspaceId, read.settings, userId);
      return undefined;
    },
  }).register(router);
}

const explanation = section(
  mrkdwn`These need approval from a second person with the role *approver* or *admin*.`,
);

const remark = context(
  mrkdwn`Changes don’t affect pending requests. If a scheduled campaign needs approval when it is due to start, it is paused, and its creator can ask for approval.`,
);

function formOf({ recipients, price, channelId, hours }: ApprovalSettings) {
  return {
    covered: [
      ...(recipients === undefined ? [] : (['campaigns'] as const)),
      ...(price === undefined ? [] : (['esims'] as const)),
    ],
    recipients: formatCount(recipients ?? defaultRecipients),
    price: price === undefined ? '' : formatMoney(price),
    channelId,
    hours: hours === undefined ? '' : String(hours),
  };
}
