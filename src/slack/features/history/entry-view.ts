import type { KnownBlock, ModalView } from '@slack/types';
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
import { wordFor } from '../../block-kit/descriptions/campaign-counts.ts';
import { describeCharges, sentOf } from '../../block-kit/descriptions/charges.ts';
import { describeFailures } from '../../block-kit/descriptions/deliveries.ts';
import { outcomeLine } from '../../block-kit/descriptions/outcome.ts';
import { formatCount, formatMoney, routeTitle } from '../../block-kit/plural.ts';
import { joinInline, joinWords, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import {
  askAboutCampaignButton,
  openActions,
  sendAgainBlocks,
  withAskProviderButton,
} from '../../navigation/open-actions.ts';
import { actorOf, describeEntry, kindOf } from '../../notifier/history-line.ts';
import { chargeLines, describeRecipients, resolutionSource } from '../../notifier/known-of-outcome.ts';
import type { OutcomeRenderers, ShownOutcome } from '../../notifier/outcome.ts';
import { readSummary } from './summary.ts';

/** One entry: the request, its outcome, and the text. */
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
  const { subject, outcome: state } = describeEntry(entry, outcomeRenderers);
  // Numbers in full are for who sent to them.
  const ownOutcome = actorOf(entry) === viewer.userId ? outcome : undefined;
  const each =
    ownOutcome?.deliveryOf === undefined || ownOutcome.deliveries === undefined
      ? undefined
      : describeRecipients(to, ownOutcome.deliveryOf);
  // Why messages weren't delivered, unless each number says so, and the charge.
  const remarks =
    entry.kind === 'campaign'
      ? describeCharges(charges, sentOf(entry.campaign))
      : [
          ...present(entry.operation.state === 'accepted' && each === undefined && describeFailures(entry)),
          ...chargeLines(entry.operation, charges),
        ];
  return notice(
    kindOf(entry),
    section(mrkdwn`${state.icon} *${subject}*`),
    facts(...factsOf(entry, outcomeLine(state))),
    ...remarks.map((line) => context(line)),
    ...failure(entry, outcomeRenderers, ownOutcome),
    ...nextSteps(entry, { canAsk, viewer, outcomeRenderers, ownOutcome }),
    // All numbers, for the user who sent to them. The description above lists only the first few.
    ...(to.length > 1 ? lines([mrkdwn`*To ${to.length} numbers*`, ...(each ?? [joinWords(to)])]) : []),
    ...(text ? [divider(), section(mrkdwn`*Text*`), quotation(text)] : textRemark(entry, outcome)),
  );
}

/** What its outcome offers, for the message of who opened it; what helps otherwise, for the rest. */
function nextSteps(
  entry: HistoryEntry,
  {
    canAsk,
    viewer,
    outcomeRenderers,
    ownOutcome,
  }: {
    canAsk: boolean;
    viewer: Viewer;
    outcomeRenderers: OutcomeRenderers;
    ownOutcome: ShownOutcome | undefined;
  },
): KnownBlock[] {
  const { kind } = ownOutcome?.operation ?? { kind: '' };
  const isOffered = kind.startsWith('otp.') || (kind === 'sms.send' && ownOutcome?.sent !== undefined);
  if (ownOutcome !== undefined && isOffered && viewer.permissions.has('send')) {
    const { steps = [], more = [] } = outcomeRenderers[kind]?.(ownOutcome) ?? {};
    const ask = more.filter(({ action_id }) => action_id === openActions.askProvider);
    const shown = steps.length > 0 || ask.length === 0 ? steps : [actions('ask_provider', ...ask)];
    return [...shown, ...(canAsk ? [] : askProvider(entry, canAsk))];
  }
  return [...askProvider(entry, canAsk), ...sendAgain(entry, viewer)];
}

function factsOf(entry: HistoryEntry, state: Markup): [title: string, text: Markup][] {
  const operation = entry.kind === 'operation' ? entry.operation : undefined;
  const campaign = entry.kind === 'campaign' ? entry.campaign : undefined;
  const counts = campaign?.counts;
  const { route } = campaign ?? readSummary(operation?.summary);
  const pages = (counts ?? operation)?.pages;
  const balance = (campaign ?? operation)?.balance;
  const rows = [
    ['State', joinInline([state, ...(operation ? resolutionSource(operation) : [])])],
    ['Time', timeFor(entry.at)],
    ['By', userMention(actorOf(entry))],
    ['Route', route && routeTitle(route)],
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
  ownOutcome: ShownOutcome | undefined,
): KnownBlock[] {
  if (entry.kind === 'campaign') {
    const { pause } = entry.campaign;
    const { happened, next } = describeFailure(pause?.error);
    return pause?.error === undefined ? [] : [section(mrkdwn`${happened} ${next}`)];
  }
  const { operation } = entry;
  const describe = outcomeRenderers[operation.kind];
  return operation.state === 'accepted' || operation.state === 'underway' || describe === undefined
    ? []
    : [section(describe(ownOutcome ?? { operation, reader: 'user' }).headline)];
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
    const { id, isMessage } = entry.campaign;
    const open = button(openActions.campaign, `Open ${wordFor(entry.campaign)}`, { value: id });
    return permissions.has(isMessage ? 'send' : 'campaign') ? [actions('send_again', open)] : [];
  }
  const isKept = entry.operation.kind !== 'sms.send' || entry.content?.to !== undefined;
  const needed = entry.operation.kind === 'sender_id.request' ? 'campaign' : 'send';
  return isKept && permissions.has(needed) ? sendAgainBlocks(entry.operation) : [];
}

/** A code’s text is never kept, and what has no text needs no remark. */
function textRemark(entry: HistoryEntry, outcome: ShownOutcome | undefined): KnownBlock[] {
  if (outcome?.isDeleted === true && outcome.operation.kind.startsWith('otp.')) {
    return [context(mrkdwn`The number has been deleted.`)];
  }
  const hadText =
    entry.kind === 'campaign' ||
    ['sms.send', 'sms.confirm_stop', 'campaign.test'].includes(entry.operation.kind);
  const isLost = entry.kind === 'operation' && sendAgainBlocks(entry.operation).length > 0;
  return hadText
    ? [context(mrkdwn`Text and numbers have been deleted${isLost ? ': write the message again' : ''}.`)]
    : [];
}
