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
  quotation,
  section,
} from '../../block-kit/build.ts';
import { describeCharges, sentOf } from '../../block-kit/descriptions/charges.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, formatMoney, routeTitle } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor, userMention } from '../../block-kit/text.ts';
import { askAboutCampaignButton, openActions, withAskProviderButton } from '../../navigation/open-actions.ts';
import { actorOf, describeEntry, iconOf, kindOf, stateWordOf } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { chargeLines, deliveryLine, failuresLine } from '../../notifier/with-deliveries.ts';
import { historyTitle, readSummary } from './views.ts';

const maxRecipientsText = 2_500;

/** One entry: what it was, how it ended, what was sent. */
export function entryView(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  { canAsk, canSend, charges }: { canAsk: boolean; canSend: boolean; charges?: Charges | undefined },
): ModalView {
  const { content } = entry;
  return notice(
    kindOf(entry),
    section(mrkdwn`${iconOf(entry)} *${describeEntry(entry, outcomeRenderers)}*`),
    facts(...factsOf(entry)),
    ...failedDeliveries(entry),
    ...chargesOf(entry, charges).map((line) => context(line)),
    ...failure(entry, outcomeRenderers),
    ...askProvider(entry, canAsk),
    ...(canSend ? sendAgain(entry) : []),
    ...recipients(entry),
    ...(content?.text ? [divider(), section(mrkdwn`*Text*`), quotation(content.text)] : textRemark(entry)),
  );
}

/** For an entry that is not there, or not for this user: which of the two is not said. */
export function noEntryView(): ModalView {
  return notice(historyTitle, section(mrkdwn`This entry is no longer in your history.`));
}

function factsOf(entry: HistoryEntry): [title: string, text: Markup][] {
  const { balance, providerId, pages } =
    entry.kind === 'operation'
      ? entry.operation
      : { balance: entry.campaign.balance, providerId: undefined, pages: entry.campaign.counts.pages };
  const { route } = entry.kind === 'operation' ? readSummary(entry.operation.summary) : entry.campaign;
  return [
    ['State', mrkdwn`${stateWordOf(entry)}`],
    ...deliveryFacts(entry),
    ['Time', timeFor(entry.at)],
    ['By', userMention(actorOf(entry))],
    ...(route === undefined ? [] : [fact('Route', routeTitle(route))]),
    ...(entry.kind === 'campaign' ? campaignFacts(entry.campaign) : []),
    ...(pages === undefined ? [] : [fact('Pages', formatCount(pages))]),
    ...(balance === undefined ? [] : [fact('Balance after', formatMoney(balance))]),
    ...(providerId === undefined ? [] : [fact('Provider’s ID', providerId)]),
  ];
}

function chargesOf(entry: HistoryEntry, charges: Charges | undefined): Markup[] {
  return entry.kind === 'campaign'
    ? describeCharges(charges, sentOf(entry.campaign))
    : chargeLines(entry.operation, charges);
}

function deliveryFacts(entry: HistoryEntry): [title: string, text: Markup][] {
  const line = entry.kind === 'operation' ? deliveryLine(entry.operation, entry.deliveries ?? []) : undefined;
  return line === undefined ? [] : [['Delivery', line]];
}

/** Why messages were not delivered, where there are several. */
function failedDeliveries(entry: HistoryEntry): KnownBlock[] {
  const line = entry.kind === 'operation' ? failuresLine(entry.operation, entry.deliveries ?? []) : undefined;
  return line === undefined ? [] : [context(line)];
}

function campaignFacts({
  counts: { accepted, rejected, unconfirmed },
}: Extract<HistoryEntry, { kind: 'campaign' }>['campaign']): [string, Markup][] {
  return [
    fact('Accepted', formatCount(accepted)),
    fact('Rejected', formatCount(rejected)),
    fact('Unconfirmed', formatCount(unconfirmed)),
  ];
}

function fact(title: string, text: string): [string, Markup] {
  return [title, mrkdwn`${text}`];
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

/** For the sender of a message that was not sent, while its text and its numbers are kept. */
function sendAgain(entry: HistoryEntry): KnownBlock[] {
  if (entry.kind === 'campaign' || entry.content?.to === undefined) {
    return [];
  }
  const { kind, state, key } = entry.operation;
  return kind === 'sms.send' && (state === 'rejected' || state === 'not_sent')
    ? [actions('send_again', button(openActions.messageAgain, 'Send again', { value: key }))]
    : [];
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
  return hadText ? [context(mrkdwn`The text is no longer kept.`)] : [];
}
