import type { Button, KnownBlock, ModalView } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import type { SenderId } from '../../../provider/sender-ids.ts';
import type { SenderIdFilter, SenderIdList } from '../../../services/sender-ids/sender-id-service.ts';
import {
  actions,
  button,
  context,
  divider,
  entry,
  lines,
  loadingView,
  modal,
  option,
  section,
} from '../../block-kit/build.ts';
import { selectInput, textInput } from '../../block-kit/inputs/fields.ts';
import { brief } from '../../block-kit/limits.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import {
  firstPosition,
  type PagePosition,
  pageIndicator,
  pagePositionSchema,
  pagingButtons,
  viewPageOf,
} from '../../block-kit/paging.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import { notConnectedText, whenConnected } from '../../middleware/not-performed.ts';
import type { ActionRequest, CommandRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { findMeantSubcommand } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { openingRequest, registerSenderIdRequests, requestAction } from './request.ts';

/** Other words search for a name. */
const subcommands = ['request', 'help'];

/** `/sender-id`: the list of sender IDs, and requests for new ones. */
export function registerSenderIds(router: Router, context: AppContext): void {
  router.command(
    'sender-id',
    senderIdRule,
    whenConnected(context, (call) => onSenderIdCommand(context, call)),
    () => senderIdHelp(context.settings.commandPrefix),
    {
      subcommands,
      accepts: (text) => isSenderIdSearch(text) && findMeantSubcommand(text, subcommands) === undefined,
    },
  );

  router.action(openActions.senderIds, 'look_up', async ({ user, open }) => {
    const replace = await open(loadingSenderIds());
    await replace(await listOf(context, user, { page: 0 }));
  });

  const show = async ({ user, view }: ActionRequest, { page }: PagePosition) => {
    await view?.replace(await listOf(context, user, readFilter(view.values, page)));
  };
  for (const filter of [nameAction, statusAction]) {
    router.action(filter, 'look_up', (call) => show(call, firstPosition));
  }
  onPaging(router, pagingActions, 'look_up', pagePositionSchema, show);

  router.submission(senderIdListCallback, 'look_up', async ({ user, values }) => ({
    view: loadingSenderIds(),
    background: () => listOf(context, user, readFilter(values, 0)),
  }));
  registerSenderIdRequests(router, context);
}

async function onSenderIdCommand(context: AppContext, call: CommandRequest): Promise<void> {
  const command = readSenderIdCommand(call.text);
  if (command.kind === 'request') {
    await call.open(openingRequest(call));
  } else {
    const replace = await call.open(loadingSenderIds());
    await replace(await listOf(context, call.user, command.filter));
  }
}

async function listOf({ services }: AppContext, user: User, filter: SenderIdFilter): Promise<ModalView> {
  const list = await services.senderIds.list(user.workspaceId, filter);
  return senderIdListView(list, filter, user.permissions);
}

const statuses = new Set(['active', 'pending', 'declined', 'blocked']);

type SenderIdCommand = { kind: 'request' } | { kind: 'list'; filter: SenderIdFilter };

/** `/sender-id` · `/sender-id palm active` (either, in any order) · `/sender-id request` */
export function readSenderIdCommand(text: string): SenderIdCommand {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 1 && words[0]?.toLowerCase() === 'request') {
    return { kind: 'request' };
  }
  const status = words.find((word) => statuses.has(word.toLowerCase()));
  const name = words.find((word) => word !== status);
  return { kind: 'list', filter: { page: 0, name, status: status?.toLowerCase() } };
}

/** Whether a text is the name to look for, a status, or both. A sender ID has no spaces. */
function isSenderIdSearch(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.filter((word) => !statuses.has(word.toLowerCase())).length <= 1 && words.length <= 2;
}

function senderIdRule(text: string): Permission {
  return readSenderIdCommand(text).kind === 'request' ? 'campaign' : 'look_up';
}

function senderIdHelp(prefix: string): SlackMessage {
  const name = `/${prefix}sender-id`;
  return helpMessage(
    mrkdwn`How to see and request sender IDs with ${name}`,
    mrkdwn`*See your sender IDs* with their status, and *request* new ones.`,
    [
      mrkdwn`\`${name}\` lists your sender IDs. \`${name} palm active\` lists the active ones with *palm* in the name.`,
      mrkdwn`\`${name} request\` asks the provider for a new sender ID.`,
    ],
  );
}

const senderIdListCallback = 'sender_id_list';
const nameAction = 'sender_id_name';
const statusAction = 'sender_id_status';
const pagingActions = { previous: 'sender_id_previous', next: 'sender_id_next' } as const;

const statusOptions = [
  option('Any status', 'any'),
  option('Active', 'active'),
  option('Pending', 'pending'),
  option('Declined', 'declined'),
  option('Blocked', 'blocked'),
];

function loadingSenderIds(): ModalView {
  return loadingView('Sender IDs', 'Asking the provider…');
}

/** A page of the account's sender IDs with their status, below the filters, for a user with these permissions. */
export function senderIdListView(
  list: SenderIdList,
  filter: SenderIdFilter,
  permissions: ReadonlySet<Permission>,
): ModalView {
  return modal({
    callbackId: senderIdListCallback,
    title: 'Sender IDs',
    submit: 'Search',
    blocks: [
      textInput('sender_id_name', 'Name', filter.name, {
        actionId: nameAction,
        maxLength: 20,
        placeholder: 'Part of a name',
        optional: true,
        dispatchOn: 'enter',
      }),
      selectInput('sender_id_status', 'Status', statusOptions, {
        actionId: statusAction,
        chosen: statusOptions.some(({ value }) => value === filter.status) ? filter.status : 'any',
        dispatch: true,
      }),
      divider(),
      ...listContent(list, permissions),
    ],
  });
}

function listContent(list: SenderIdList, permissions: ReadonlySet<Permission>): KnownBlock[] {
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
      ...pagingButtons(viewPageOf(records, { page: number, from: 0 }, { last }), pagingActions),
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
function readFilter(values: FormValues, page: number): SenderIdFilter {
  const name = values.sender_id_name?.text?.trim();
  const status = values.sender_id_status?.text;
  return {
    page,
    ...(name === undefined || name === '' ? {} : { name }),
    ...(status === undefined || status === 'any' ? {} : { status }),
  };
}
