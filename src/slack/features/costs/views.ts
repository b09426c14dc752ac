import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import type { Balance } from '../../../services/costs/balance.ts';
import { type BalanceAlertForm, maxAmount } from '../../../services/costs/balance-alerts.ts';
import type { BalanceAlert } from '../../../store/balance-alerts/balance-alerts.ts';
import {
  actions,
  banner,
  button,
  context,
  divider,
  input,
  modal,
  notice,
  option,
  section,
} from '../../block-kit/build.ts';
import { describeBalance } from '../../block-kit/descriptions/balance.ts';
import { channelInput } from '../../block-kit/inputs/destination-input.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const refreshAction = 'balance_refresh';
export const openAlertAction = 'balance_alert_open';
export const alertOnAction = 'balance_alert_on';
export const alertCallback = 'balance_alert';

const onBlock = 'balance_alert_on';

export interface BalanceContent {
  balance: Balance | undefined;
  /** Whether the provider can be asked. */
  canAsk: boolean;
  /** For an admin. */
  admin?: { alert: BalanceAlert | undefined } | undefined;
}

/** The balance with its time, and for an admin the alert. */
export function balanceView({ balance, canAsk, admin }: BalanceContent, said?: Markup): ModalView {
  return notice(
    'Balance',
    ...banner(said),
    section(balance === undefined ? mrkdwn`*Not known yet.*` : mrkdwn`*Balance* ${describeBalance(balance)}`),
    ...(canAsk
      ? [actions('balance', button(refreshAction, 'Refresh', { style: 'primary' }))]
      : [
          context(
            mrkdwn`The balance comes with answers to messages and codes. Refreshing it is off: the people who run Switchboard can switch it on.`,
          ),
        ]),
    ...(admin === undefined ? [] : [divider(), alertLine(admin.alert)]),
  );
}

function alertLine(alert: BalanceAlert | undefined): KnownBlock {
  return {
    ...section(alert === undefined ? mrkdwn`*Alert*: off` : mrkdwn`*Alert* in ${describeAlert(alert)}`),
    accessory: button(openAlertAction, 'Alert', { label: 'Change the alert' }),
  };
}

function describeAlert({ channelId, below }: BalanceAlert): Markup {
  return mrkdwn`${channelMention(channelId)}: below ${formatMoney(below)}`;
}

const onOption = option('Post an alert when the balance runs out', 'on');

/** The alert of the workspace: off, or where it is posted and when. */
export function alertView(
  form: BalanceAlertForm & { isOn: boolean },
  { currency, said }: { currency: string | undefined; said?: Markup | undefined },
): ModalView {
  return modal({
    callbackId: alertCallback,
    title: 'Balance alert',
    submit: 'Save',
    blocks: [
      ...banner(said),
      input(
        onBlock,
        'Alert',
        {
          type: 'checkboxes',
          action_id: alertOnAction,
          options: [onOption],
          ...(form.isOn ? { initial_options: [onOption] } : {}),
        },
        { optional: true, dispatch: true },
      ),
      ...(form.isOn ? alertInputs(form, currency) : []),
    ],
  });
}

function alertInputs({ channelId, below }: BalanceAlertForm, currency: string | undefined): KnownBlock[] {
  return [
    channelInput(channelId, 'alert'),
    belowInput(below, currency),
    context(mrkdwn`An alert is posted once, and again only after the balance has recovered.`),
  ];
}

function belowInput(value: string, currency: string | undefined): InputBlock {
  return input(
    'below',
    'Below',
    {
      type: 'plain_text_input',
      action_id: 'below',
      max_length: maxAmount,
      ...(value === '' ? {} : { initial_value: value }),
    },
    { hint: currency === undefined ? 'In the account’s currency.' : `In ${currency}.` },
  );
}

/** The form of the alert that is saved; of one that is off, as it begins. */
export function formOfAlert(alert: BalanceAlert | undefined): BalanceAlertForm & { isOn: boolean } {
  return {
    isOn: alert !== undefined,
    channelId: alert?.channelId,
    below: alert?.below === undefined ? '' : formatMoney(alert.below),
  };
}

export function readAlertForm(values: FormValues): BalanceAlertForm & { isOn: boolean } {
  return {
    isOn: values[onBlock]?.ticked?.includes('on') === true,
    channelId: values.channel?.text,
    below: values.below?.text ?? '',
  };
}

export const alertSaved = mrkdwn`${stateIcons.done} Saved.`;
