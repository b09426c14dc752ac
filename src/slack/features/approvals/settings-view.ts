import type { InputBlock, ModalView } from '@slack/types';
import { highestApprovalHours, usualApprovalHours } from '../../../domain/defaults.ts';
import {
  type ApprovalSettings,
  type ApprovalSettingsForm,
  defaultRecipients,
} from '../../../services/approvals/approval-settings.ts';
import { banner, context, input, modal, option, section } from '../../block-kit/build.ts';
import { channelInput } from '../../block-kit/inputs/destination-input.ts';
import { formatCount, formatMoney } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const approvalSettingsCallback = 'approval_settings';
/** What needs approval: changes the fields of the form. */
export const coveredAction = 'approval_covered';

const coveredBlock = 'approval_covered';

const covered = {
  campaigns: option('Large campaigns', 'campaigns'),
  esims: option('eSIM purchases', 'esims'),
};

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
      coveredInput(form),
      ...(form.campaigns ? [recipientsInput(form.recipients)] : []),
      ...(form.esims ? [priceInput(form.price, currency)] : []),
      ...(isOn ? [channelInput(form.channelId, 'approval')] : []),
      hoursInput(form.hours),
      context(
        mrkdwn`Requests that wait stay valid when this changes; campaigns that are scheduled still start.`,
      ),
    ],
  });
}

function coveredInput({ campaigns, esims }: ApprovalSettingsForm): InputBlock {
  const ticked = [...(campaigns ? [covered.campaigns] : []), ...(esims ? [covered.esims] : [])];
  return input(
    coveredBlock,
    'Needs approval',
    {
      type: 'checkboxes',
      action_id: coveredAction,
      options: Object.values(covered),
      ...(ticked.length === 0 ? {} : { initial_options: ticked }),
    },
    { optional: true, dispatch: true },
  );
}

function recipientsInput(value: string): InputBlock {
  return input(
    'recipients',
    'Campaigns with more recipients than',
    {
      type: 'plain_text_input',
      action_id: 'recipients',
      max_length: 20,
      initial_value: value === '' ? formatCount(defaultRecipients) : value,
    },
    { hint: '0: every campaign.' },
  );
}

function priceInput(value: string, currency: string | undefined): InputBlock {
  const unit = currency === undefined ? 'In the account’s currency.' : `In ${currency}.`;
  return input(
    'price',
    'eSIM purchases over',
    {
      type: 'plain_text_input',
      action_id: 'price',
      max_length: 20,
      ...(value === '' ? {} : { initial_value: value }),
    },
    { hint: `${unit} 0: every purchase. A plan without a listed price always needs approval.` },
  );
}

function hoursInput(value: string): InputBlock {
  return input(
    'hours',
    'Hours until a request expires',
    {
      type: 'plain_text_input',
      action_id: 'hours',
      max_length: 5,
      ...(value === '' ? {} : { initial_value: value }),
    },
    {
      optional: true,
      hint: `Empty: a request expires after ${usualApprovalHours} hours. At most ${highestApprovalHours}.`,
    },
  );
}

/** The form of the settings that are saved. */
export function formOfSettings({
  recipients,
  price,
  channelId,
  hours,
}: ApprovalSettings): ApprovalSettingsForm {
  return {
    campaigns: recipients !== undefined,
    recipients: recipients === undefined ? '' : formatCount(recipients),
    esims: price !== undefined,
    price: price === undefined ? '' : formatMoney(price),
    channelId,
    hours: hours === undefined ? '' : String(hours),
  };
}

export function readApprovalForm(values: FormValues): ApprovalSettingsForm {
  const ticked = values[coveredBlock]?.ticked ?? [];
  return {
    campaigns: ticked.includes('campaigns'),
    recipients: values.recipients?.text ?? '',
    esims: ticked.includes('esims'),
    price: values.price?.text ?? '',
    channelId: values.channel?.text,
    hours: values.hours?.text ?? '',
  };
}
