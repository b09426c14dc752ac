import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../../domain/access/roles.ts';
import type { SenderId } from '../../../provider/sender-ids.ts';
import type { SenderIdFilter, SenderIdList } from '../../../services/sender-ids/sender-id-service.ts';
import {
  actions,
  button,
  context,
  divider,
  entry,
  input,
  lines,
  modal,
  option,
  section,
} from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pageIndicator } from '../../block-kit/paging.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { notConnectedText } from '../../middleware/not-performed.ts';

export const senderIdListCallback = 'sender_id_list';
export const nameAction = 'sender_id_name';
export const statusAction = 'sender_id_status';
export const previousSenderIdsAction = 'sender_id_previous';
export const nextSenderIdsAction = 'sender_id_next';
export const requestAction = 'sender_id_request';

/** The page of the list that is shown. */
export const listMetadata = z.object({ page: z.number().int() });

const anyStatus = option('Any status', 'any');
const statusOptions = [
  anyStatus,
  option('Active', 'active'),
  option('Pending', 'pending'),
  option('Declined', 'declined'),
  option('Blocked', 'blocked'),
];

export function loadingSenderIds(): ModalView {
  return loadingView('Sender IDs', 'Asking the provider…');
}

/** A page of the account's sender IDs with their status, below the filters, for a user with these permissions. */
export function senderIdListView(
  list: SenderIdList,
  filter: SenderIdFilter,
  permissions: ReadonlySet<Permission>,
): ModalView {
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
      ...content(list, permissions),
    ],
  });
}

function content(list: SenderIdList, permissions: ReadonlySet<Permission>): KnownBlock[] {
  const request = permissions.has('campaign')
    ? [button(requestAction, 'Request a sender ID', { style: 'primary' })]
    : [];
  if (list.kind === 'not_connected') {
    return [section(notConnectedText())];
  }
  if (list.kind === 'failed') {
    return [section(mrkdwn`${stateIcons.failed} ${list.error.message}`), ...buttonRow(request)];
  }
  const { records, number, last } = list.page;
  return [
    ...(records.length === 0 ? [section(mrkdwn`No results.`)] : lines(records.map(line))),
    context(pageIndicator(list.page)),
    ...buttonRow([
      ...(number > 0 ? [button(previousSenderIdsAction, 'Previous')] : []),
      ...(last ? [] : [button(nextSenderIdsAction, 'Next')]),
      ...request,
    ]),
  ];
}

function buttonRow(buttons: readonly Button[]): KnownBlock[] {
  return buttons.length === 0 ? [] : [actions('sender_id_paging', ...buttons)];
}

/** A map, not an object, which would also find `toString` and the like for a status of the provider. */
const statusIcons = new Map([
  ['active', stateIcons.done],
  ['pending', stateIcons.underway],
  ['declined', stateIcons.failed],
  ['blocked', stateIcons.blocked],
]);

function line({ senderId, status, country, createdAt, company }: SenderId): Markup {
  const origin = [country, company]
    .filter((part) => part !== undefined)
    .map(brief)
    .join(', ');
  const since =
    createdAt === undefined ? mrkdwn`` : mrkdwn`${origin === '' ? '' : ' · '}${timeFor(createdAt)}`;
  const icon = statusIcons.get(status) ?? stateIcons.unknown;
  return entry(icon, mrkdwn`*${brief(senderId)}* · ${brief(status)}`, mrkdwn`${origin}${since}`);
}

/** Reads the filters of the list, for a page of it. */
export function readFilter(values: FormValues, page: number): SenderIdFilter {
  const name = values.sender_id_name?.text?.trim();
  const status = values.sender_id_status?.text;
  return {
    page,
    ...(name === undefined || name === '' ? {} : { name }),
    ...(status === undefined || status === 'any' ? {} : { status }),
  };
}
