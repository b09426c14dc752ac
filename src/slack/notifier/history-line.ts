import { PersonalText } from '../../domain/access/private-values.ts';
import {
  type ConversationLine,
  type HistoryEntry,
  type HistoryState,
  type ReceivedReply,
  stateOfCampaign,
} from '../../services/history/history.ts';
import { describeFailure } from '../../services/operations/outcomes.ts';
import type { FoundChunk } from '../../store/deliveries/phone-index.ts';
import { present } from '../block-kit/build.ts';
import { campaignOutcomeCounts, pauseReason } from '../block-kit/descriptions/campaign-counts.ts';
import { describeArrival, type OutcomeSummary } from '../block-kit/descriptions/deliveries.ts';
import { outcomeLine, summarizeOutcome } from '../block-kit/descriptions/outcome.ts';
import { clampText } from '../block-kit/limits.ts';
import { pluralize } from '../block-kit/plural.ts';
import { campaignIcon, stateIcons } from '../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../block-kit/text.ts';
import type { Description, OutcomeRenderers, ShownOutcome } from './outcome.ts';

/** One word for each state, wherever it is shown. */
export const stateWords: Readonly<Record<HistoryState, string>> = {
  accepted: 'Sent',
  rejected: 'Rejected',
  not_sent: 'Not sent',
  unconfirmed: 'Unconfirmed',
  scheduled: 'Scheduled',
  sending: 'Sending',
  paused: 'Paused',
  done: 'Done',
  cancelled: 'Cancelled',
  missed: 'Missed',
};

/** By the kind of operation. */
export const kindWords: Readonly<Record<string, string>> = {
  'sms.send': 'Message',
  'sms.confirm_stop': 'Opt-out confirmed',
  'campaign.test': 'Campaign test',
  'otp.sms': 'One-time code',
  'otp.voice': 'One-time code',
  'otp.email': 'One-time code',
  'otp.chat': 'One-time code',
  'otp.sms_token': 'One-time code',
  'otp.in_app': 'One-time code',
  'sender_id.request': 'Sender ID',
  'contact.add': 'Contact',
  'contact.upload': 'Contacts',
  'contact.delete': 'Contact',
  'esim.create': 'eSIM',
  'esim.top_up': 'eSIM',
};

/** Of a campaign, in characters. */
const maxNameLength = 75;
const maxReasonLength = 300;

/**
 * Renders one entry in two lines: an icon and what it was; when, what became of it, and by whom if `withActor`. In a
 * conversation that is what became of it for the number. Numbers are masked, but for the user who sent to them.
 */
export function historyLine(
  entry: ConversationLine,
  outcomeRenderers: OutcomeRenderers,
  { withActor }: { withActor: boolean },
): Markup {
  if (entry.kind === 'reply') {
    const hidden = entry.text === undefined ? mrkdwn`text hidden: not a reply to you` : undefined;
    const note = (entry.answer && answerWords[entry.answer]) ?? hidden;
    return mrkdwn`${[mrkdwn`:incoming_envelope: *Replied*`, joinInline(present(timeFor(entry.at), note))]}`;
  }
  const { subject, outcome } = describeEntry(entry, outcomeRenderers);
  if (entry.isColleagues === true) {
    const remarks = outcome.remarks.filter(({ source }) => !source.includes('<@'));
    const known = outcomeLine({ ...outcome, remarks });
    const title = mrkdwn`${outcome.icon} ${kindOf(entry)} from a colleague`;
    return mrkdwn`${[title, joinInline([timeFor(entry.at), known])]}`;
  }
  const below = [
    timeFor(entry.at),
    outcomeLine(outcome),
    ...(withActor ? [userMention(actorOf(entry))] : []),
  ];
  return mrkdwn`${[mrkdwn`${outcome.icon} ${subject}`, joinInline(below)]}`;
}

/** What a reply did to the do-not-contact list, or may ask for. */
const answerWords: Readonly<Record<NonNullable<ReceivedReply['answer']>, Markup>> = {
  stop: mrkdwn`*Opted out*`,
  start: mrkdwn`*Opted back in*`,
  older_stop: mrkdwn`a STOP older than the last opt-in`,
  older_start: mrkdwn`a START older than the last opt-out`,
  undated_start: mrkdwn`*Asked to opt back in*`,
  unclear: mrkdwn`*May be an opt-out*`,
};

export function kindOf(entry: HistoryEntry): string {
  if (entry.kind === 'campaign') {
    return entry.campaign.isMessage ? 'Scheduled message' : 'Campaign';
  }
  return kindWords[entry.operation.kind] ?? entry.operation.kind;
}

/** What an entry was, and what became of it. */
export function describeEntry(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
): Pick<Description, 'subject' | 'outcome'> {
  if (entry.kind === 'campaign') {
    const { name, senderId, state, counts, isMessage } = entry.campaign;
    const title = mrkdwn`${new PersonalText(clampText(name, maxNameLength))}`;
    const known = stateOfCampaign(state);
    const word = known === undefined ? 'Draft' : stateWords[known];
    const reason = present(pauseReason(entry.campaign)).map((why) => mrkdwn`${why}`);
    return {
      subject: mrkdwn`${isMessage ? title : mrkdwn`Campaign “${title}”`} to ${pluralize(counts.recipients, 'recipient')} · from ${senderId}`,
      outcome:
        entry.chunk === undefined
          ? {
              icon: campaignIcon(entry.campaign),
              word,
              remarks: [...reason, ...campaignOutcomeCounts(entry.campaign)],
            }
          : numberOutcome(entry, entry.chunk),
    };
  }
  const shown = shownOf(entry);
  const { operation, deliveries, recipients } = entry;
  return (
    outcomeRenderers[operation.kind]?.(shown) ?? {
      subject: mrkdwn`${operation.kind}`,
      outcome: summarizeOutcome(operation, { deliveries, recipients }),
    }
  );
}

/** An operation of the history as its outcome is shown. */
function shownOf({ operation, deliveries, recipients, content }: EntryOf<'operation'>): ShownOutcome {
  const { text, to: numbers = [] } = content ?? { text: '' };
  const sent = { kind: 'kept', numbers, text, isForChannel: false } as const;
  return { operation, reader: 'user', deliveries, recipients, sent: numbers.length > 0 ? sent : undefined };
}

export function actorOf(entry: HistoryEntry): string {
  return entry.kind === 'operation' ? entry.operation.userId : entry.campaign.createdBy;
}

type EntryOf<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>;

/** How the campaign ended for the number of a conversation. */
function numberOutcome(
  { campaign, deliveries, recipients }: EntryOf<'campaign'>,
  { state, error }: FoundChunk,
): OutcomeSummary {
  const remarks =
    error === undefined ? [] : [mrkdwn`${clampText(describeFailure(error).happened, maxReasonLength)}`];
  switch (state) {
    case 'waiting': {
      const isOver = campaign.state === 'cancelled' || campaign.state === 'missed';
      return { icon: stateIcons.off, word: isOver ? 'Not sent' : 'Not sent yet', remarks };
    }
    case 'claimed':
      return { icon: stateIcons.underway, word: 'Sending', remarks };
    case 'accepted':
      return describeArrival({ deliveries, recipients });
    case 'unconfirmed':
      return { icon: stateIcons.unconfirmed, word: stateWords[state], remarks };
    default:
      return { icon: stateIcons.failed, word: stateWords[state], remarks };
  }
}
