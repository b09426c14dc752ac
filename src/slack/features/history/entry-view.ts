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
  notice,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { describeCharges, sentOf } from '../../block-kit/descriptions/charges.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, formatMoney, routeTitle } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import {
  askAboutCampaignButton,
  openActions,
  sendAgainBlocks,
  withAskProviderButton,
} from '../../navigation/open-actions.ts';
import { actorOf, describeEntry, iconOf, kindOf, stateWordOf } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { chargeLines, deliveryLine, failuresLine } from '../../notifier/with-deliveries.ts';
import { type EntryOf, historyTitle, readSummary } from './views.ts';

const maxRecipientsText = 2_500;

/** One entry: what it was, how it ended, what was sent. */
export function entryView(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  { canAsk, viewer, charges }: { canAsk: boolean; viewer: Viewer; charges?: Charges | undefined },
): ModalView {
  const { content } = entry;
  return notice(
    kindOf(entry),
    section(mrkdwn`${iconOf(entry)} *${describeEntry(entry, outcomeRenderers)}*`),
    facts(...factsOf(entry)),
    ...linesOf(entry, charges).map((line) => context(line)),
    ...failure(entry, outcomeRenderers),
    ...askProvider(entry, canAsk),
    ...sendAgain(entry, viewer),
    ...recipients(entry),
    ...(content?.text ? [divider(), section(mrkdwn`*Text*`), quotation(content.text)] : textRemark(entry)),
  );
}

/** For an entry that is not there, or not for this user: which of the two is not said. */
export function noEntryView(): ModalView {
  return notice(historyTitle, section(mrkdwn`This entry is no longer in your history.`));
}

function factsOf(entry: HistoryEntry): [title: string, text: Markup][] {
  const { delivery, route, counts, pages, balance, providerId } =
    entry.kind === 'operation' ? ofOperation(entry) : ofCampaign(entry);
  const rows = [
    ['State', stateWordOf(entry)],
    ['Delivery', delivery],
    ['Time', timeFor(entry.at)],
    ['By', userMention(actorOf(entry))],
    ['Route', route && routeTitle(route)],
    ['Accepted', counts && formatCount(counts.accepted)],
    ['Rejected', counts && formatCount(counts.rejected)],
    ['Unconfirmed', counts && formatCount(counts.unconfirmed)],
    ['Pages', pages === undefined ? undefined : formatCount(pages)],
    ['Balance after', balance === undefined ? undefined : formatMoney(balance)],
    ['Provider’s ID', providerId],
  ] as const;
  return rows.flatMap(([title, text]): [string, Markup][] =>
    text === undefined ? [] : [[title, mrkdwn`${text}`]],
  );
}

function ofOperation({ operation, deliveries = [] }: EntryOf<'operation'>) {
  const { pages, balance, providerId } = operation;
  const { route } = readSummary(operation.summary);
  const delivery = deliveryLine(operation, deliveries);
  return { delivery, route, counts: undefined, pages, balance, providerId };
}

function ofCampaign({ campaign: { route, counts, balance } }: EntryOf<'campaign'>) {
  return { delivery: undefined, route, counts, pages: counts.pages, balance, providerId: undefined };
}

/** Why messages were not delivered, where there are several, and what was charged. */
function linesOf(entry: HistoryEntry, charges: Charges | undefined): Markup[] {
  if (entry.kind === 'campaign') {
    return describeCharges(charges, sentOf(entry.campaign));
  }
  const { operation, deliveries = [] } = entry;
  return [...present(failuresLine(operation, deliveries)), ...chargeLines(operation, charges)];
}

/** What went wrong, in the words of the outcome itself, without its buttons. */
function failure(entry: HistoryEntry, outcomeRenderers: OutcomeRenderers): KnownBlock[] {
  if (entry.kind === 'campaign') {
    const { pause } = entry.campaign;
    const { happened, next } = describeFailure(pause?.error);
    return pause?.error === undefined ? [] : [section(mrkdwn`${happened} ${next}`)];
  }
  const { operation } = entry;
  const renderer = outcomeRenderers[operation.kind];
  return operation.state === 'accepted' || operation.state === 'underway' || renderer === undefined
    ? []
    : renderer.forUser(operation, entry.content?.to).blocks.filter(({ type }) => type === 'section');
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
  return [
    context(
      mrkdwn`The provider can’t be asked what became of it: that is off. The people who run Switchboard can switch it on.`,
    ),
  ];
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

/** All of them, for the user who sent to them; the description above names the first few. */
function recipients({ content }: HistoryEntry): KnownBlock[] {
  const { to = [] } = content ?? {};
  return to.length > 1
    ? [
        section(
          mrkdwn`*To ${to.length} numbers*\n${clampText(to.map((number) => nonBreaking(formatNumber(number))).join(', '), maxRecipientsText)}`,
        ),
      ]
    : [];
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
