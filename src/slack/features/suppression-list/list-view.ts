import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type {
  SuppressedNumber,
  SuppressedPage,
} from '../../../services/suppression-list/suppression-list.ts';
import { actions, button, context, divider, input, lines, modal, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { describeAddition, describeSource } from '../../block-kit/descriptions/suppressed-number.ts';
import { type CursorPosition, cursorButtons } from '../../block-kit/paging/cursor-position.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';

export const suppressionListCallback = 'do_not_contact';
export const suppressionListActions = {
  search: 'do_not_contact_search',
  add: 'do_not_contact_add',
  addThis: 'do_not_contact_add_this',
  remove: 'do_not_contact_remove',
  removeThis: 'do_not_contact_remove_this',
  import: 'do_not_contact_import',
  export: 'do_not_contact_export',
} as const;
export const suppressionListPagingActions = {
  newest: 'do_not_contact_newest',
  previous: 'do_not_contact_previous',
  next: 'do_not_contact_next',
} as const;

export const suppressionListTitle = 'Do-not-contact list';
export const numbersPerPage = 40;

/** The result of a lookup: a number and its entry in the list, if it has one, or why the text is no number. */
export type SuppressionLookup =
  | { ok: true; number: PhoneNumber; listed: SuppressedNumber | undefined }
  | { ok: false; fault: string };

export interface SuppressionListContent {
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
  const pagingButtons = cursorButtons(trail, page.next, suppressionListPagingActions);
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
      input(
        'number',
        'Check a number',
        {
          type: 'plain_text_input',
          action_id: suppressionListActions.search,
          max_length: 40,
          placeholder: { type: 'plain_text', text: '+234 803 123 4567' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
        },
        { optional: true, dispatch: true },
      ),
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
      ...(pagingButtons.length === 0 ? [] : [actions('do_not_contact_paging', ...pagingButtons)]),
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
    return {
      ...section(mrkdwn`${stateIcons.done} ${shown} is not on the list.`),
      accessory: button(suppressionListActions.addThis, 'Add', {
        value: number,
        label: `Add ${formatNumber(number)}`,
      }),
    };
  }
  const found = section(mrkdwn`:no_entry_sign: ${shown} is on the list ${describeAddition(listed)}.`);
  return isAdmin ? { ...found, accessory: removeButton(number) } : found;
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
  const shown = section(line(listed));
  return number === undefined ? shown : { ...shown, accessory: removeButton(number) };
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
