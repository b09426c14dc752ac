import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type {
  SuppressedNumber,
  SuppressedPage,
} from '../../../services/suppression-list/suppression-list.ts';
import { actions, button, context, divider, input, lines, modal, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { type CursorPosition, cursorButtons } from '../../block-kit/paging/cursor-position.ts';
import { pluralize } from '../../block-kit/plural.ts';
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
} as const;
export const suppressionListPagingActions = {
  newest: 'do_not_contact_newest',
  previous: 'do_not_contact_previous',
  next: 'do_not_contact_next',
} as const;

export const suppressionListTitle = 'Do not contact';
export const numbersPerPage = 40;

/** The result of a lookup: a number and whether it is on the list, or why the text is no number. */
export type SuppressionLookup =
  | { ok: true; number: PhoneNumber; isListed: boolean }
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

/** The workspace's list, with numbers in full, for the user alone. Only admins get the buttons that remove and import. */
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
    submit: 'Look up',
    metadata: trail,
    blocks: [
      ...banner,
      section(
        mrkdwn`*${pluralize(count, 'number')}* on this workspace’s list. Campaigns leave them out, and a message to one of them shows a warning before it goes.`,
      ),
      input(
        'number',
        'Is a number on it?',
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
            ]
          : []),
      ),
      ...(page.numbers.length === 0
        ? []
        : [divider(), ...(isAdmin ? page.numbers.map(removableLine) : lines(page.numbers.map(line)))]),
      ...(pagingButtons.length === 0 ? [] : [actions('do_not_contact_paging', ...pagingButtons)]),
      ...(isAdmin ? [] : [context(mrkdwn`Only admins can take numbers off the list.`)]),
    ],
  });
}

function lookupSection(lookup: SuppressionLookup, isAdmin: boolean): SectionBlock {
  if (!lookup.ok) {
    return section(mrkdwn`${stateIcons.failed} ${lookup.fault}`);
  }
  const { number, isListed } = lookup;
  const shown = mrkdwn`*${nonBreaking(formatNumber(number))}*`;
  if (!isListed) {
    return {
      ...section(mrkdwn`${stateIcons.done} ${shown} is not on the list.`),
      accessory: button(suppressionListActions.addThis, 'Add it', { value: number }),
    };
  }
  const listed = section(mrkdwn`:no_entry_sign: ${shown} is on the list.`);
  return isAdmin ? { ...listed, accessory: removeButton(number) } : listed;
}

function line({ number, createdBy, createdAt }: SuppressedNumber): Markup {
  return mrkdwn`${[
    mrkdwn`\`${nonBreaking(formatNumber(number))}\``,
    mrkdwn`${timeFor(createdAt)} · ${userMention(createdBy)}`,
  ]}`;
}

function removableLine(listed: SuppressedNumber): SectionBlock {
  return { ...section(line(listed)), accessory: removeButton(listed.number) };
}

function removeButton(number: PhoneNumber) {
  const shown = formatNumber(number);
  return button(suppressionListActions.removeThis, 'Remove', {
    value: number,
    label: `Remove ${shown}`,
    confirm: confirmDialog({
      title: 'Take it off the list?',
      text: `Campaigns may go to ${shown} again.`,
      yes: 'Remove',
      no: 'Keep it',
      danger: true,
    }),
  });
}
