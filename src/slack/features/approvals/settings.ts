import type { InputBlock, ModalView } from '@slack/types';
import { highestApprovalHours, usualApprovalHours } from '../../../domain/defaults.ts';
import {
  type ApprovalSettings,
  type ApprovalSettingsForm,
  defaultRecipients,
  readApprovalSettings,
} from '../../../services/approvals/approval-settings.ts';
import { banner, context, modal, option, section } from '../../block-kit/build.ts';
import { channelInput } from '../../block-kit/inputs/destination-input.ts';
import { textInput, tickInput } from '../../block-kit/inputs/fields.ts';
import { formatCount, formatMoney } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

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

const approvalSettingsCallback = 'approval_settings';
/** What needs approval: changes the fields of the form. */
const coveredAction = 'approval_covered';

/** What needs a second person in this workspace. */
export function approvalSettingsView(
  form: ApprovalSettingsForm,
  { currency, said }: { currency: string | undefined; said?: Markup | undefined },
): ModalView {
  const isOn = form.campaigns || form.esims;
  return modal({
    callbackId: approvalSettingsCallback,
    title: 'Approvals',
    submit: 'Save',
    blocks: [
      ...banner(said),
      section(
        mrkdwn`What is ticked here waits until a second person with the role *approver* or *admin* approves it.`,
      ),
      tickInput(
        'covered',
        'Needs approval',
        [
          [option('Large campaigns', 'campaigns'), form.campaigns],
          [option('eSIM purchases', 'esims'), form.esims],
        ],
        coveredAction,
      ),
      ...(form.campaigns ? [recipientsInput(form.recipients)] : []),
      ...(form.esims ? [priceInput(form.price, currency)] : []),
      ...(isOn ? [channelInput(form.channelId, 'approval')] : []),
      textInput('hours', 'Hours until a request expires', form.hours, {
        maxLength: 5,
        optional: true,
        hint: `Empty: a request expires after ${usualApprovalHours} hours. At most ${highestApprovalHours}.`,
      }),
      context(
        mrkdwn`Requests that wait stay valid when this changes; campaigns that are scheduled still start.`,
      ),
    ],
  });
}

function recipientsInput(value: string): InputBlock {
  return textInput(
    'recipients',
    'Campaigns with more recipients than',
    value || formatCount(defaultRecipients),
    {
      maxLength: 20,
      hint: '0: every campaign.',
    },
  );
}

function priceInput(value: string, currency: string | undefined): InputBlock {
  const unit = currency === undefined ? 'In the account’s currency.' : `In ${currency}.`;
  return textInput('price', 'eSIM purchases over', value, {
    maxLength: 20,
    hint: `${unit} 0: every purchase. A plan without a listed price always needs approval.`,
  });
}

/** The form of the settings that are saved. */
function formOfSettings({ recipients, price, channelId, hours }: ApprovalSettings): ApprovalSettingsForm {
  return {
    campaigns: recipients !== undefined,
    recipients: recipients === undefined ? '' : formatCount(recipients),
    esims: price !== undefined,
    price: price === undefined ? '' : formatMoney(price),
    channelId,
    hours: hours === undefined ? '' : String(hours),
  };
}

function readApprovalForm(values: FormValues): ApprovalSettingsForm {
  const ticked = values.covered?.ticked ?? [];
  return {
    campaigns: ticked.includes('campaigns'),
    recipients: values.recipients?.text ?? '',
    esims: ticked.includes('esims'),
    price: values.price?.text ?? '',
    channelId: values.channel?.text,
    hours: values.hours?.text ?? '',
  };
}
