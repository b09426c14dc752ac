import type { KnownBlock, ModalView } from '@slack/types';
import { type ReportSettings, reportsPath } from '../../../services/reports/reports.ts';
import { actions, banner, button, context, input, modal, notice, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';

export const createAddressAction = 'reports_address';
export const enterSecretAction = 'reports_secret';
export const secretCallback = 'report_secret';
export const secretBlock = 'secret';

const title = 'Delivery reports';

/** `origin`: the address that Switchboard has on the web; undefined where it isn’t known. */
export type ShownReportSettings = ReportSettings & { origin: string | undefined };

/** The address for reports, and how to enter it at the provider. */
export function reportsView(settings: ShownReportSettings, said?: Markup): ModalView {
  return notice(
    title,
    ...banner(said),
    section(
      mrkdwn`The provider reports what became of each message. It sends the reports to a secret address.`,
    ),
    ...addressBlocks(settings),
    ...keyBlocks(settings),
  );
}

export function reportsOffView(): ModalView {
  return notice(
    title,
    section(mrkdwn`Delivery reports are off. The people who run Switchboard can switch them on.`),
  );
}

export function secretView(): ModalView {
  return modal({
    callbackId: secretCallback,
    title: 'Signing secret',
    submit: 'Save',
    close: 'Cancel',
    blocks: [
      input(
        secretBlock,
        'Signing secret',
        { type: 'plain_text_input', action_id: secretBlock, focus_on_load: true, max_length: 512 },
        { hint: 'From the provider’s dashboard. We store it encrypted, and never show it again.' },
      ),
    ],
  });
}

function addressBlocks({ token, origin, lastReceived }: ShownReportSettings): KnownBlock[] {
  if (token === undefined) {
    return [actions('address', button(createAddressAction, 'Make the address', { style: 'primary' }))];
  }
  const path = `${reportsPath}${token}`;
  return [
    section(mrkdwn`*Address*\n\`${origin ?? ''}${path}\``),
    ...(origin === undefined
      ? [context(mrkdwn`Put the public address of Switchboard before it, such as https://sms.example.com.`)]
      : []),
    section(
      mrkdwn`*On the provider’s dashboard*, enter it as the webhook of the account. An account has one webhook: a former one gets no more reports.`,
    ),
    context(
      lastReceived === undefined
        ? mrkdwn`No report has come yet.`
        : mrkdwn`Last report: ${timeFor(lastReceived)}`,
    ),
    actions(
      'address',
      button(createAddressAction, 'Replace the address', {
        confirm: confirmDialog({
          title: 'Replace the address?',
          text: 'Reports to this address aren’t accepted from then on. Enter the next one on the provider’s dashboard.',
          yes: 'Replace',
          no: 'Keep the address',
          danger: true,
        }),
      }),
    ),
  ];
}

function keyBlocks({ key, hasKey }: ShownReportSettings): KnownBlock[] {
  if (key === 'api_key') {
    return hasKey
      ? []
      : [section(mrkdwn`${stateIcons.unconfirmed} Reports aren’t accepted until the provider is connected.`)];
  }
  return [
    section(
      hasKey
        ? mrkdwn`*Signing secret*: entered`
        : mrkdwn`${stateIcons.unconfirmed} *Signing secret*: missing. Reports aren’t accepted until it is entered.`,
    ),
    actions('secret', button(enterSecretAction, hasKey ? 'Replace the secret' : 'Enter the secret')),
  ];
}
