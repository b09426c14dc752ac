import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type {
  SuppressedNumber,
  SuppressedPage,
} from '../../../services/suppression-list/suppression-list.ts';
import { actions, button, context, divider, input, lines, modal, section } from '../../block-kit/build.ts';
import { type CursorPosition, cursorButtons } from '../../block-kit/paging/cursor-position.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';

export const suppressionListCallback = 'do_not_contact';
export const listActions = {
  search: 'do_not_contact_search',
  add: 'do_not_contact_add',
  addThis: 'do_not_contact_add_this',
  remove: 'do_not_contact_remove',
  removeThis: 'do_not_contact_remove_this',
  import: 'do_not_contact_import',
} as const;
export const turnSuppressionList = {
  newest: 'do_not_contact_newest',
  previous: 'do_not_contact_previous',
  next: 'do_not_contact_next',
} as const;

export const suppressionListTitle = 'Do not contact';
/** Of numbers on a page. */
export const numbersPerPage = 40;

/** What was looked for on the list: a number and whether it is there, or why it is none. */
export type SuppressionLookup =
  | { ok: true; number: PhoneNumber; isListed: boolean }
  | { ok: false; fault: string };

export interface ListContent {
  count: number;
  page: SuppressedPage;
  trail: CursorPosition;
  isAdmin: boolean;
  /** What was just done. */
  news?: KnownBlock[] | undefined;
  answer?: SuppressionLookup | undefined;
}

/** A workspace's list, for one person alone: numbers in full. Only admins get the ways to take numbers off it. */
export function suppressionListView({
  count,
  page,
  trail,
  isAdmin,
  news = [],
  answer,
}: ListContent): ModalView {
  const turning = cursorButtons(trail, page.next, turnSuppressionList);
  return modal({
    callbackId: suppressionListCallback,
    title: suppressionListTitle,
    submit: 'Look up',
    metadata: trail,
    blocks: [
      ...news,
      section(
        mrkdwn`*${pluralize(count, 'number')}* on this workspace’s list. Campaigns leave them out, and a message to one of them shows a warning before it goes.`,
      ),
      input(
        'number',
        'Is a number on it?',
        {
          type: 'plain_text_input',
          action_id: listActions.search,
          max_length: 40,
          placeholder: { type: 'plain_text', text: '+234 803 123 4567' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
        },
        { optional: true, dispatch: true },
      ),
      ...(answer === undefined ? [] : [verdict(answer, isAdmin)]),
      actions(
        'do_not_contact_change',
        button(listActions.add, 'Add numbers'),
        ...(isAdmin
          ? [button(listActions.remove, 'Remove numbers'), button(listActions.import, 'Import a CSV')]
          : []),
      ),
      ...(page.numbers.length === 0
        ? []
        : [divider(), ...(isAdmin ? page.numbers.map(removableLine) : lines(page.numbers.map(line)))]),
      ...(turning.length === 0 ? [] : [actions('do_not_contact_paging', ...turning)]),
      ...(isAdmin ? [] : [context(mrkdwn`Only admins can take numbers off the list.`)]),
    ],
  });
}

function verdict(answer: SuppressionLookup, isAdmin: boolean): SectionBlock {
  if (!answer.ok) {
    return section(mrkdwn`:x: ${answer.fault}`);
  }
  const { number, isListed } = answer;
  const shown = mrkdwn`*${nonBreaking(formatNumber(number))}*`;
  if (!isListed) {
    return {
      ...section(mrkdwn`:white_check_mark: ${shown} is not on the list.`),
      accessory: button(listActions.addThis, 'Add it', { value: number }),
    };
  }
  const said = section(mrkdwn`:no_entry_sign: ${shown} is on the list.`);
  return isAdmin ? { ...said, accessory: removeButton(number) } : said;
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
  return button(listActions.removeThis, 'Remove', {
    value: number,
    label: `Remove ${shown}`,
    confirm: {
      title: { type: 'plain_text', text: 'Take it off the list?' },
      text: { type: 'plain_text', text: `Campaigns may go to ${shown} again.` },
      confirm: { type: 'plain_text', text: 'Remove' },
      deny: { type: 'plain_text', text: 'Keep it' },
      style: 'danger',
    },
  });
}
