import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { type PhoneNumber, toE164 } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { sortableTime } from '../../../domain/time/start-time.ts';
import {
  type Conversation,
  type ConversationLine,
  filterStates,
  type HistoryFilter,
  historyReader,
} from '../../../services/history/history.ts';
import { button, context, present, quotation, section } from '../../block-kit/build.ts';
import { outcomeOfCode } from '../../block-kit/descriptions/codes.ts';
import { outcomeLine } from '../../block-kit/descriptions/outcome.ts';
import { choiceFilter, isFiltered, readFilterDays } from '../../block-kit/inputs/filters.ts';
import { clampText } from '../../block-kit/limits.ts';
import { cursorPages } from '../../block-kit/paging.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { textField } from '../../kit/fields.ts';
import { byChoice, byDay, byPerson, type Filter, type FilterOf } from '../../kit/filters.ts';
import { historyRow } from '../../kit/history-row.ts';
import { byCursor, defineList } from '../../kit/list.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { stateWords } from '../../notifier/history-line.ts';

export const historyTitle = 'History';
export const exportAction = 'history_export';

const entriesPerPage = 20;
/** Of a text below its line, in characters; the entry itself shows all of it. */
const maxTextLength = 400;
/** Lines of a conversation on a number’s card: the history has the others. */
const maxOnCard = 6;

const { accepted, ...otherWords } = stateWords;
const outcomeTitles = { accepted, not_delivered: 'Not delivered', ...otherWords };

const byOutcome: Filter<(typeof filterStates)[number]> = {
  schema: z.enum(filterStates),
  element: (action, chosen) => choiceFilter(action, 'All outcomes', outcomeTitles, chosen),
};

const filters = {
  person: byPerson,
  kind: byChoice('All kinds', {
    sms: 'Messages',
    campaign: 'Campaigns',
    otp: 'One-time codes',
    sender_id: 'Sender IDs',
    contact: 'Contacts',
    esim: 'eSIMs',
  }),
  state: byOutcome,
  from: byDay('From'),
  to: byDay('To'),
};

export type ShownFilter = FilterOf<typeof filters>;

export function toHistoryFilter({ person, kind, state, ...days }: ShownFilter, zone: string): HistoryFilter {
  return { userId: person, subject: kind, state, ...readFilterDays(days, zone) };
}

export type HistoryContext = Pick<AppContext, 'services' | 'outcomeRenderers'>;

/** The history: page by page, filtered, and of one number as a conversation. */
export function createHistoryList({ services, outcomeRenderers }: HistoryContext) {
  const { history, replies, workspaces, reports, providerHistory } = services;
  const areTracked = reports.isOn || providerHistory.isOn;

  /** What answers a number: in its thread, for who may; else with a new message. */
  async function answerButton(user: Viewer, number: PhoneNumber): Promise<Button | undefined> {
    if (!user.permissions.has('send')) {
      return undefined;
    }
    const threadId = await replies.answerableBy(historyReader(user), number);
    return threadId === undefined
      ? button(openActions.messageForm, 'New message', { value: toE164(number) })
      : button(openActions.reply, 'Reply', { value: threadId });
  }

  return defineList({
    id: 'history',
    title: historyTitle,
    needs: 'use',
    fields: {
      number: textField('Phone number', {
        max: 40,
        placeholder: '+234 803 123 4567',
        optional: true,
        live: 'enter',
      }),
    },
    filters,
    paging: byCursor,
    async read(user, { form, filter, position }) {
      const reader = historyReader(user);
      const withActor = reader.scope === 'everyone';
      const typed = form.number.trim();
      const page = {
        filter: toHistoryFilter(filter, user.zone),
        after: position.after || undefined,
        limit: entriesPerPage,
      };
      const nothing = isFiltered(filter) ? mrkdwn`Nothing matches these filters.` : undefined;
      if (typed === '') {
        const { entries, next } = await history.page(reader, page);
        return {
          rows: entries.map((entry) => historyRow(entry, outcomeRenderers, { withActor })),
          empty: nothing ?? mrkdwn`Nothing yet.`,
          neighbours: cursorPages(position, next),
        };
      }
      const { country } = await workspaces.defaults(user.workspaceId);
      const read = readNumber(typed, country);
      if (!read.ok) {
        return { rows: [], empty: mrkdwn`${stateIcons.failed} “${typed}” ${read.reason}.` };
      }
      const { number } = read;
      const found = await history.conversation(reader, number, page);
      return {
        above: present<KnownBlock>(
          found.lines.length > 0 &&
            section(mrkdwn`*Conversation with ${number}*`, await answerButton(user, number)),
          ...codeBesides(found, withActor),
        ),
        rows: conversationRows(found.lines, { outcomeRenderers, withActor, maxTextLength }),
        empty: nothing ?? mrkdwn`*No messages with ${number}* within the time that numbers are kept.`,
        neighbours: cursorPages(position, found.next),
      };
    },
    buttons: (user, { form }) =>
      present(
        user.permissions.has('administer') && form.number === '' && button(exportAction, 'Export as CSV'),
      ),
    below: () => [
      context(
        areTracked
          ? mrkdwn`*Sent* means the provider accepted it. *Delivered* follows once a report says so.`
          : mrkdwn`*Sent* means the provider accepted it. Delivery isn’t tracked.`,
      ),
    ],
  });
}

export type HistoryList = ReturnType<typeof createHistoryList>;

/** What of a user’s own was not delivered, or ended unconfirmed in the last day. */
export function ownFilter(
  { userId, permissions, zone }: Viewer,
  state: 'unconfirmed' | 'not_delivered',
  since?: Date,
): ShownFilter {
  return {
    state,
    person: permissions.has('administer') ? userId : undefined,
    from: since && sortableTime(since, zone).slice(0, 'yyyy-mm-dd'.length),
  };
}

/** The last messages to a number and its answers, oldest first, for its card. For the viewer alone. */
export async function conversationWith(
  { services: { history }, outcomeRenderers }: HistoryContext,
  viewer: Viewer,
  number: PhoneNumber,
): Promise<KnownBlock[]> {
  const reader = historyReader(viewer);
  const withActor = reader.scope === 'everyone';
  const found = await history.conversation(reader, number, { limit: maxOnCard });
  if (found.lines.length === 0) {
    return [...codeBesides(found, withActor), context(mrkdwn`No recent messages.`)];
  }
  return [
    ...codeBesides(found, withActor),
    section(mrkdwn`*Conversation*`),
    ...present(found.next !== undefined && context(mrkdwn`*Open history* has the older messages.`)),
    ...conversationRows(found.lines.toReversed(), { outcomeRenderers, withActor, maxTextLength: 200 }),
  ];
}

export function conversationRows(
  conversation: readonly ConversationLine[],
  {
    outcomeRenderers,
    withActor,
    maxTextLength: max,
  }: Pick<AppContext, 'outcomeRenderers'> & { withActor: boolean; maxTextLength: number },
): KnownBlock[] {
  return conversation.flatMap((line) => {
    const text = line.kind === 'reply' ? line.text : line.content?.text;
    return [
      historyRow(line, outcomeRenderers, { withActor }),
      ...(text ? [quotation(clampText(text, max))] : []),
    ];
  });
}

/** Names the code that verified a number, if it isn't in the lines: for admins also by whom. */
function codeBesides({ lines, lastCode }: Conversation, isAdmin: boolean): KnownBlock[] {
  const isShown = lines.some((line) => line.kind === 'operation' && line.operation.id === lastCode?.id);
  if (lastCode === undefined || isShown) {
    return [];
  }
  const outcome = outcomeOfCode(lastCode);
  const remarks = isAdmin || outcome.word !== 'Verified' ? outcome.remarks : [];
  return [section(mrkdwn`${outcome.icon} One-time code: ${outcomeLine({ ...outcome, remarks })}`)];
}
