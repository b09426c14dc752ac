import type { KnownBlock, ModalView } from '@slack/types';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { Charges } from '../../../services/costs/estimate.ts';
import type { HistoryEntry } from '../../../services/history/history.ts';
import { canAskAboutCampaign, canBeAskedAbout } from '../../../services/history/provider-history.ts';
import { describeFailure } from '../../../services/operations/outcomes.ts';
import {
  actions,
  button,
  context,
  divider,
  facts,
  lines,
  notice,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { describeCharges, sentOf } from '../../block-kit/descriptions/charges.ts';
import { describeVerification } from '../../block-kit/descriptions/codes.ts';
import { describeFailures } from '../../block-kit/descriptions/deliveries.ts';
import { formatCount, formatMoney, routeTitle } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import {
  askAboutCampaignButton,
  openActions,
  sendAgainBlocks,
  withAskProviderButton,
} from '../../navigation/open-actions.ts';
import {
  actorOf,
  describeEntry,
  iconOf,
  isAcceptedAsOther,
  kindOf,
  stateWordOf,
} from '../../notifier/history-line.ts';
import { chargeLines, deliveryLine, describeRecipients } from '../../notifier/known-of-outcome.ts';
import type { OutcomeRenderers, ShownOutcome } from '../../notifier/outcome.ts';
import { historyTitle, readSummary } from './views.ts';

/** One entry: what it was, how it ended, what was sent. */
export function entryView(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  {
    canAsk,
    viewer,
    charges,
    outcome,
  }: { canAsk: boolean; viewer: Viewer; charges?: Charges | undefined; outcome?: ShownOutcome | undefined },
): ModalView {
  const { text, to = [] } = entry.content ?? {};
  // Numbers in full are for who sent to them.
  const own = actorOf(entry) === viewer.userId ? outcome : undefined;
  // Why messages weren't delivered, if there are several reasons, and what was charged.
  const remarks =
    entry.kind === 'campaign'
      ? describeCharges(charges, sentOf(entry.campaign))
      : [
          ...present(
            entry.operation.state === 'accepted' &&
              describeFailures({ deliveries: entry.deliveries ?? [], recipients: entry.recipients }),
          ),
          ...chargeLines(entry.operation, charges),
        ];
  const ofEach =
    own?.deliveryOf === undefined || own.deliveries.length === 0
      ? [mrkdwn`${to.map((number) => nonBreaking(formatNumber(number))).join(', ')}`]
      : describeRecipients(to, own.deliveryOf);
  return notice(
    kindOf(entry),
    section(mrkdwn`${iconOf(entry)} *${describeEntry(entry, outcomeRenderers)}*`),
    facts(...factsOf(entry)),
    ...remarks.map((line) => context(line)),
    ...failure(entry, outcomeRenderers, own),
    ...nextSteps(entry, { canAsk, viewer, outcomeRenderers, own }),
    // All numbers, for the user who sent to them. The description above lists only the first few.
    ...(to.length > 1 ? lines([mrkdwn`*To ${to.length} numbers*`, ...ofEach]) : []),
    ...(text ? [divider(), section(mrkdwn`*Text*`), quotation(text)] : textRemark(entry)),
  );
}

/** What its outcome offers, for the message of who opened it; what helps otherwise, for the rest. */
function nextSteps(
  entry: HistoryEntry,
  {
    canAsk,
    viewer,
    outcomeRenderers,
    own,
  }: {
    canAsk: boolean;
    viewer: Viewer;
    outcomeRenderers: OutcomeRenderers;
    own: ShownOutcome | undefined;
  },
): KnownBlock[] {
  if (own?.operation.kind === 'sms.send' && own.sent !== undefined && viewer.permissions.has('send')) {
    const { steps = [], more = [] } = outcomeRenderers['sms.send']?.describe(own) ?? {};
    const ask = more.filter(({ action_id }) => action_id === openActions.askProvider);
    const shown = steps.length > 0 || ask.length === 0 ? steps : [actions('ask_provider', ...ask)];
    return [...shown, ...(canAsk ? [] : askProvider(entry, canAsk))];
  }
  return [...askProvider(entry, canAsk), ...sendAgain(entry, viewer)];
}

/** For an entry that is not there, or not for this user: which of the two is not said. */
export function noEntryView(): ModalView {
  return notice(historyTitle, section(mrkdwn`This entry is no longer in your history.`));
}

function factsOf(entry: HistoryEntry): [title: string, text: Markup][] {
  const operation = entry.kind === 'operation' ? entry.operation : undefined;
  const campaign = entry.kind === 'campaign' ? entry.campaign : undefined;
  const counts = campaign?.counts;
  const delivery =
    entry.kind === 'operation' ? deliveryLine(entry.operation, entry.deliveries ?? []) : undefined;
  const { route } = campaign ?? readSummary(operation?.summary);
  const pages = (counts ?? operation)?.pages;
  const balance = (campaign ?? operation)?.balance;
  const rows = [
    ['State', isAcceptedAsOther(entry) ? undefined : stateWordOf(entry)],
    ['Verification', operation && describeVerification(operation)],
    ['Delivery', delivery],
    ['Time', timeFor(entry.at)],
    ['By', userMention(actorOf(entry))],
    ['Route', route && routeTitle(route)],
    ['Accepted', counts && formatCount(counts.accepted)],
    ['Rejected', counts && formatCount(counts.rejected)],
    ['Unconfirmed', counts && formatCount(counts.unconfirmed)],
    ['Pages', pages === undefined ? undefined : formatCount(pages)],
    ['Balance after', balance === undefined ? undefined : formatMoney(balance)],
    ['Provider’s ID', operation?.providerId],
  ] as const;
  return rows.flatMap(([title, text]): [string, Markup][] =>
    text === undefined ? [] : [[title, mrkdwn`${text}`]],
  );
}

/** What went wrong, in the words of the outcome itself, without its buttons. */
function failure(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  own: ShownOutcome | undefined,
): KnownBlock[] {
  if (entry.kind === 'campaign') {
    const { pause } = entry.campaign;
    const { happened, next } = describeFailure(pause?.error);
    return pause?.error === undefined ? [] : [section(mrkdwn`${happened} ${next}`)];
  }
  const { operation } = entry;
  const renderer = outcomeRenderers[operation.kind];
  return operation.state === 'accepted' || operation.state === 'underway' || renderer === undefined
    ? []
    : [section(renderer.describe(own ?? { operation, reader: 'user', deliveries: [] }).headline)];
}

function askProvider(entry: HistoryEntry, canAsk: boolean): KnownBlock[] {
  const isOpen =
    entry.kind === 'campaign' ? canAskAboutCampaign(entry.campaign) : canBeAskedAbout(entry.operation);
  if (!isOpen) {
    return [];
  }
  if (canAsk) {
    return entry.kind === 'campaign'
      ? [actions('ask_provider', askAboutCampaignButton(entry.campaign))]
      : withAskProviderButton([], entry.operation);
  }
  return [context(mrkdwn`Delivery status can’t be checked: your operator hasn’t turned it on.`)];
}

/**
 * For who did it and may do it again: a message while its text and its numbers are kept. A campaign leads to its status,
 * which resends.
 */
function sendAgain(entry: HistoryEntry, { userId, permissions }: Viewer): KnownBlock[] {
  if (actorOf(entry) !== userId) {
    return [];
  }
  if (entry.kind === 'campaign') {
    const open = button(openActions.campaign, 'Open campaign', { value: entry.campaign.id });
    return permissions.has('campaign') ? [actions('send_again', open)] : [];
  }
  const isKept = entry.operation.kind !== 'sms.send' || entry.content?.to !== undefined;
  const needed = entry.operation.kind === 'sender_id.request' ? 'campaign' : 'send';
  return isKept && permissions.has(needed) ? sendAgainBlocks(entry.operation) : [];
}

/** A code’s text is never kept, and what has no text needs no remark. */
function textRemark(entry: HistoryEntry): KnownBlock[] {
  const hadText =
    entry.kind === 'campaign' ||
    ['sms.send', 'sms.confirm_stop', 'campaign.test'].includes(entry.operation.kind);
  const isLost = entry.kind === 'operation' && sendAgainBlocks(entry.operation).length > 0;
  return hadText
    ? [context(mrkdwn`The text is no longer kept${isLost ? ': write the message again' : ''}.`)]
    : [];
}
