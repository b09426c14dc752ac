import type { KnownBlock, ModalView } from '@slack/types';
import type { ReportForwarding } from '../../../store/report-forwards/report-forwards.ts';
import { actions, button, context, divider, facts, input, modal, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, timeFor } from '../../block-kit/text.ts';

export const enterForwardAction = 'reports_forward';
export const stopForwardAction = 'reports_forward_stop';
export const forwardCallback = 'report_forward';
export const forwardBlock = 'address';

/** Undefined where the installation does not allow it. */
export type ShownForwarding = { current: ReportForwarding | undefined } | undefined;

/** Where the account’s one webhook is used already: what comes here is passed on to the former address. */
export function forwardView(): ModalView {
  return modal({
    callbackId: forwardCallback,
    title: 'Forwarding address',
    submit: 'Save',
    close: 'Cancel',
    blocks: [
      input(
        forwardBlock,
        'Address',
        {
          type: 'plain_text_input',
          action_id: forwardBlock,
          focus_on_load: true,
          max_length: 1_000,
          placeholder: { type: 'plain_text', text: 'https://' },
        },
        {
          hint: 'Where reports went before. Each request is passed on unchanged, with its signature. We store the address encrypted, and show only its host.',
        },
      ),
    ],
  });
}

/** That reports are passed on, where to, and how that goes. */
export function forwardBlocks(forwarding: ShownForwarding): KnownBlock[] {
  if (forwarding === undefined) {
    return [
      context(
        mrkdwn`Passing reports on to another address is off. The people who run Switchboard can switch it on.`,
      ),
    ];
  }
  const { current } = forwarding;
  if (current === undefined) {
    return [
      divider(),
      section(
        mrkdwn`*Passed on*: nowhere. If another system needs the reports too, Switchboard passes each request on to it, unchanged.`,
      ),
      actions('forward', button(enterForwardAction, 'Pass reports on')),
    ];
  }
  const { address, waiting, deliveredAt, failed, dropped } = current;
  return [
    divider(),
    section(mrkdwn`*Passed on* to ${URL.parse(address)?.hostname ?? 'another address'}`),
    facts(
      ['Waiting', mrkdwn`${waiting.toLocaleString('en')}`],
      ['Last passed on', deliveredAt === undefined ? mrkdwn`never` : timeFor(deliveredAt)],
    ),
    ...(failed === undefined || (deliveredAt !== undefined && deliveredAt > failed.at && waiting === 0)
      ? []
      : [
          context(
            mrkdwn`Last failure: ${timeFor(failed.at)}, ${wordsOfFailure(failed.reason)}. Each request is tried again for a day.`,
          ),
        ]),
    ...(dropped === undefined
      ? []
      : [
          section(
            mrkdwn`${stateIcons.unconfirmed} *Not passed on*: ${pluralize(dropped.requests, 'request')}, last ${timeFor(dropped.at)}. The address did not take them for a day, too many were waiting, or a person in them was erased.`,
          ),
        ]),
    actions(
      'forward',
      button(enterForwardAction, 'Change the address', {
        label: 'Change the address that reports are passed on to',
      }),
      button(stopForwardAction, 'Stop passing on', {
        confirm: confirmDialog({
          title: 'Stop passing reports on?',
          text: 'What is waiting is deleted, and not passed on.',
          yes: 'Stop',
          no: 'Go on',
          danger: true,
        }),
      }),
    ),
  ];
}

const failureWords: Readonly<Record<string, string>> = {
  unreachable: 'it could not be reached',
  timed_out: 'it did not answer in time',
  private_address: 'its name leads to a private network, which reports are not passed on to',
  not_allowed: 'the people who run Switchboard no longer allow this host',
};

function wordsOfFailure(reason: string): string {
  const status = /^status_(\d{3})$/.exec(reason)?.[1];
  return status === undefined
    ? (failureWords[reason] ?? 'it did not take the request')
    : `it answered with status ${status}`;
}
