import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { readSenderId } from '../../../domain/messages/sender-id.ts';
import type { SenderId } from '../../../provider/sender-ids/sender-ids.ts';
import type {
  SenderIdFilter,
  SenderIdForm,
  SenderIdList,
} from '../../../services/sender-ids/sender-id-requests.ts';
import {
  actions,
  button,
  context,
  divider,
  entry,
  input,
  lines,
  modal,
  notice,
  option,
  section,
} from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const senderIdListCallback = 'sender_id_list';
export const requestCallback = 'sender_id_request';
export const nameAction = 'sender_id_name';
export const statusAction = 'sender_id_status';
export const previousSenderIdsAction = 'sender_id_previous';
export const nextSenderIdsAction = 'sender_id_next';
export const requestAction = 'sender_id_request';
export const typedAction = 'sender_id_typed';

/** Which page of the list is shown. */
export const listMetadata = z.object({ page: z.number().int() });
/** The key of the form's one request. */
export const requestMetadata = z.object({ key: z.string() });

const anyStatus = option('Any status', 'any');
const statusOptions = [
  anyStatus,
  option('Active', 'active'),
  option('Pending', 'pending'),
  option('Declined', 'declined'),
  option('Blocked', 'blocked'),
];

export function loadingSenderIds(): ModalView {
  return notice('Sender IDs', section(mrkdwn`:hourglass_flowing_sand: Asking the provider…`));
}

/** The account's sender IDs with their status, a page at a time, under the filters they were asked by. */
export function senderIdListView(list: SenderIdList, filter: SenderIdFilter): ModalView {
  const chosen = statusOptions.find(({ value }) => value === filter.status) ?? anyStatus;
  return modal({
    callbackId: senderIdListCallback,
    title: 'Sender IDs',
    submit: 'Search',
    metadata: { page: filter.page },
    blocks: [
      input(
        'sender_id_name',
        'Name',
        {
          type: 'plain_text_input',
          action_id: nameAction,
          max_length: 20,
          placeholder: { type: 'plain_text', text: 'Part of a name' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
          ...(filter.name === undefined ? {} : { initial_value: filter.name }),
        },
        { optional: true, dispatch: true },
      ),
      input(
        'sender_id_status',
        'Status',
        { type: 'static_select', action_id: statusAction, options: statusOptions, initial_option: chosen },
        { dispatch: true },
      ),
      divider(),
      ...content(list),
    ],
  });
}

function content(list: SenderIdList): KnownBlock[] {
  const request = button(requestAction, 'Request a sender ID', { style: 'primary' });
  if (list.kind === 'not_connected') {
    return [section(mrkdwn`No provider key is connected.`)];
  }
  if (list.kind === 'failed') {
    return [section(mrkdwn`:x: ${list.error.message}`), actions('sender_id_paging', request)];
  }
  const { records, number, totalPages, totalElements, last } = list.page;
  const where = mrkdwn`Page ${number + 1}${totalPages === undefined ? '' : ` of ${Math.max(1, totalPages)}`}${totalElements === undefined ? '' : ` · ${totalElements} in all`}`;
  return [
    ...(records.length === 0 ? [section(mrkdwn`None like this.`)] : lines(records.map(line))),
    context(where),
    actions(
      'sender_id_paging',
      ...(number > 0 ? [button(previousSenderIdsAction, 'Previous')] : []),
      ...(last ? [] : [button(nextSenderIdsAction, 'Next')]),
      request,
    ),
  ];
}

/** A map, since the provider's words are looked up in it: an object knows `toString` too. */
const marks = new Map([
  ['active', mrkdwn`:white_check_mark:`],
  ['pending', mrkdwn`:hourglass_flowing_sand:`],
  ['declined', mrkdwn`:x:`],
  ['blocked', mrkdwn`:no_entry:`],
]);

function line({ senderId, status, country, createdAt, company }: SenderId): Markup {
  const of = [country, company]
    .filter((part) => part !== undefined)
    .map(brief)
    .join(', ');
  const since = createdAt === undefined ? mrkdwn`` : mrkdwn`${of === '' ? '' : ' · '}${timeFor(createdAt)}`;
  const mark = marks.get(status) ?? mrkdwn`:grey_question:`;
  return entry(mark, mrkdwn`*${brief(senderId)}* · ${brief(status)}`, mrkdwn`${of}${since}`);
}

/** The filters as they stand in the list; `page` is the one wanted. */
export function readFilter(values: FormValues, page: number): SenderIdFilter {
  const name = values.sender_id_name?.text?.trim();
  const status = values.sender_id_status?.text;
  return {
    page,
    ...(name === undefined || name === '' ? {} : { name }),
    ...(status === undefined || status === 'any' ? {} : { status }),
  };
}

/** The form that asks for a sender ID; whether the one typed can be one stands under it. */
export function requestView(form: SenderIdForm, key: string): ModalView {
  return modal({
    callbackId: requestCallback,
    title: 'Request a sender ID',
    submit: 'Request',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { key },
    blocks: [
      input(
        'senderId',
        'Sender ID',
        {
          type: 'plain_text_input',
          action_id: typedAction,
          max_length: 20,
          dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
          ...(form.senderId === '' ? { focus_on_load: true } : { initial_value: form.senderId }),
        },
        { hint: '3 to 11 letters and digits, or a number.', dispatch: true },
      ),
      { ...context(verdict(form.senderId)), block_id: 'verdict' },
      input(
        'useCase',
        'What you will send',
        {
          type: 'plain_text_input',
          action_id: 'useCase',
          multiline: true,
          max_length: 500,
          placeholder: {
            type: 'plain_text',
            text: 'Your order A1204 has left our shop and arrives tomorrow.',
          },
          ...(form.useCase === '' ? {} : { initial_value: form.useCase }),
        },
        { hint: 'A sample of a message. The provider’s administrators read it.' },
      ),
      input('company', 'Company', {
        type: 'plain_text_input',
        action_id: 'company',
        max_length: 100,
        ...(form.company === '' ? {} : { initial_value: form.company }),
      }),
    ],
  });
}

function verdict(typed: string): Markup {
  if (typed.trim() === '') {
    return mrkdwn`As recipients will see it.`;
  }
  const read = readSenderId(typed);
  return read.ok
    ? mrkdwn`:white_check_mark: ${read.senderId.length} characters: it can be one.`
    : mrkdwn`:x: ${read.reason}`;
}

export function readRequest(values: FormValues): SenderIdForm {
  return {
    senderId: values.senderId?.text ?? '',
    useCase: values.useCase?.text ?? '',
    company: values.company?.text ?? '',
  };
}
