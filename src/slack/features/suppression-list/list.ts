import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type {
  SuppressedNumber,
  SuppressedPage,
} from '../../../services/suppression-list/suppression-list.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  divider,
  lines,
  modal,
  section,
} from '../../block-kit/build.ts';
import { describeAddition, describeSource } from '../../block-kit/descriptions/number.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import {
  type CursorPosition,
  cursorPages,
  cursorPositionSchema,
  firstCursor,
  pagingButtons,
} from '../../block-kit/paging.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerSuppressionChanges, suppressionListActions, suppressionListTitle } from './changes.ts';
import { registerSuppressionExport, registerSuppressionImport } from './files.ts';

interface ListState {
  trail?: CursorPosition | undefined;
  banner?: KnownBlock[] | undefined;
  /** The text to look up. */
  typed?: string | undefined;
}

/** Creates the function that returns the current list, with what was just done or looked up. */
export function createSuppressionListView({ services }: Pick<AppContext, 'services'>) {
  const { suppressionList, workspaces } = services;

  async function lookUp(workspaceId: string, typed: string) {
    const text = typed.trim();
    if (text === '') {
      return undefined;
    }
    const { country } = await workspaces.defaults(workspaceId);
    const read = readNumber(text, country);
    if (!read.ok) {
      return { ok: false, fault: `“${text}” ${read.reason}.` } as const;
    }
    const { number } = read;
    const listed = (await suppressionList.find(workspaceId, [number])).get(number);
    return { ok: true, number, listed } as const;
  }

  return async (
    viewer: Viewer,
    { trail = firstCursor, banner, typed = '' }: ListState = {},
  ): Promise<ModalView> => {
    const { workspaceId, permissions } = viewer;
    const [count, page, lookup] = await Promise.all([
      suppressionList.count(workspaceId),
      suppressionList.page(workspaceId, { after: trail.after || undefined, limit: numbersPerPage }),
      lookUp(workspaceId, typed),
    ]);
    const isAdmin = permissions.has('administer');
    return suppressionListView({ count, page, trail, isAdmin, banner, lookup });
  };
}

/** The opted-out numbers: every user may add, only admins may remove, import and export. */
export function registerSuppressionList(router: Router, context: AppContext): void {
  const view = createSuppressionListView(context);

  router.action(openActions.suppressionList, 'look_up', async ({ user, open }) => {
    await open(await view(user));
  });

  onPaging(router, suppressionListPagingActions, 'look_up', cursorPositionSchema, async (call, trail) => {
    await call.view?.replace(await view(call.user, { trail }));
  });

  router.action(suppressionListActions.search, 'look_up', async ({ user, value, view: listView }) => {
    const trail = cursorPositionSchema.parse(listView?.metadata);
    await listView?.replace(await view(user, { trail, typed: value }));
  });

  router.submission(suppressionListCallback, 'look_up', async ({ user, values, metadata }) => {
    const trail = cursorPositionSchema.parse(metadata);
    return { view: await view(user, { trail, typed: values.number?.text }) };
  });

  registerSuppressionChanges(router, context, view);
  registerSuppressionImport(router, context, view);
  registerSuppressionExport(router, context);
}

const suppressionListCallback = 'do_not_contact';
const suppressionListPagingActions = {
  newest: 'do_not_contact_newest',
  previous: 'do_not_contact_previous',
  next: 'do_not_contact_next',
} as const;

const numbersPerPage = 40;

/** The result of a lookup: a number and its entry in the list, if it has one, or why the text is no number. */
type SuppressionLookup =
  | { ok: true; number: PhoneNumber; listed: SuppressedNumber | undefined }
  | { ok: false; fault: string };

interface SuppressionListContent {
  count: number;
  page: SuppressedPage;
  trail: CursorPosition;
  isAdmin: boolean;
  /** Says what was just done. */
  banner?: KnownBlock[] | undefined;
  lookup?: SuppressionLookup | undefined;
}

/** The workspace's list, with numbers in full, for the user alone. Only admins get the buttons that remove, import and export. */
export function suppressionListView({
  count,
  page,
  trail,
  isAdmin,
  banner = [],
  lookup,
}: SuppressionListContent): ModalView {
  const buttons = pagingButtons(cursorPages(trail, page.next), suppressionListPagingActions);
  return modal({
    callbackId: suppressionListCallback,
    title: suppressionListTitle,
    submit: 'Check',
    metadata: trail,
    blocks: [
      ...banner,
      section(
        mrkdwn`*${pluralize(count, 'number')}* on this workspace’s list. Campaigns skip opted-out numbers. A message to one shows a warning first.`,
      ),
      textInput('number', 'Check a number', '', {
        actionId: suppressionListActions.search,
        maxLength: 40,
        placeholder: '+234 803 123 4567',
        dispatchOn: 'enter',
        optional: true,
      }),
      ...(lookup === undefined ? [] : [lookupSection(lookup, isAdmin)]),
      actions(
        'do_not_contact_change',
        button(suppressionListActions.add, 'Add numbers'),
        ...(isAdmin
          ? [
              button(suppressionListActions.remove, 'Remove numbers'),
              button(suppressionListActions.import, 'Import a CSV'),
              ...(count === 0 ? [] : [button(suppressionListActions.export, 'Export as CSV')]),
            ]
          : []),
      ),
      ...(page.numbers.length === 0
        ? []
        : [
            divider(),
            ...(page.before === 0 && page.next === undefined ? [] : [context(range(page, count))]),
            ...(isAdmin ? page.numbers.map(removableLine) : lines(page.numbers.map(line))),
          ]),
      ...(buttons.length === 0 ? [] : [actions('do_not_contact_paging', ...buttons)]),
      ...(isAdmin ? [] : [context(mrkdwn`Only admins can remove numbers.`)]),
    ],
  });
}

function lookupSection(lookup: SuppressionLookup, isAdmin: boolean): SectionBlock {
  if (!lookup.ok) {
    return section(mrkdwn`${stateIcons.failed} ${lookup.fault}`);
  }
  const { number, listed } = lookup;
  const shown = mrkdwn`*${nonBreaking(formatNumber(number))}*`;
  if (listed === undefined) {
    const add = button(suppressionListActions.addThis, 'Add', {
      value: number,
      label: `Add ${formatNumber(number)}`,
    });
    return section(mrkdwn`${stateIcons.done} ${shown} is not on the list.`, add);
  }
  const found = mrkdwn`:no_entry_sign: ${shown} is on the list ${describeAddition(listed)}.`;
  return section(found, isAdmin ? removeButton(number) : undefined);
}

/** `41–80 of 97` */
function range({ before, numbers }: SuppressedPage, count: number): Markup {
  const last = before + numbers.length;
  // The list may have changed between its page and its count.
  return mrkdwn`${formatCount(before + 1)}–${formatCount(last)} of ${formatCount(Math.max(last, count))}`;
}

function line({ number, createdBy, createdAt, source }: SuppressedNumber): Markup {
  const who = createdBy === undefined ? '' : mrkdwn` · ${userMention(createdBy)}`;
  const how = describeSource(source);
  return mrkdwn`${[
    number === undefined ? mrkdwn`_An erased number_` : mrkdwn`\`${nonBreaking(formatNumber(number))}\``,
    mrkdwn`${timeFor(createdAt)}${who}${how === '' ? '' : ` · ${how}`}`,
  ]}`;
}

function removableLine(listed: SuppressedNumber): SectionBlock {
  const { number } = listed;
  return section(line(listed), number && removeButton(number));
}

function removeButton(number: PhoneNumber) {
  const shown = formatNumber(number);
  return button(suppressionListActions.removeThis, 'Remove', {
    value: number,
    label: `Remove ${shown}`,
    confirm: confirmDialog({
      title: 'Remove from list?',
      text: `Campaigns can include ${shown} again.`,
      yes: 'Remove',
      no: 'Keep',
      danger: true,
    }),
  });
}
