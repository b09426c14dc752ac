import type { Button, KnownBlock, ModalView } from '@slack/types';
import { countryName, isCountry } from '../../../domain/phone/countries.ts';
import { countryOf, formatNumber, maskNumber } from '../../../domain/phone/phone-number.ts';
import { maskPersonal } from '../../../lib/redact.ts';
import type {
  CheckedNumber,
  LookedUpNumber,
  NetworkStatus,
} from '../../../services/numbers/number-lookup.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  facts,
  header,
  notice,
  present,
  section,
} from '../../block-kit/build.ts';
import { describeRouteAdvice, describeSuppressed } from '../../block-kit/descriptions/number.ts';
import { clampText } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import { doNotContactButton } from '../../navigation/open-actions.ts';
import { sendToAction } from './results.ts';

export const numberTitle = 'Number lookup';

export const cardActions = {
  doNotContact: 'number_do_not_contact',
  remove: 'number_remove_from_list',
  history: 'number_history',
} as const;

/** What a card shows to its user. */
export interface NumberCard {
  found: LookedUpNumber;
  /** The number's entry in the suppression list, if it has one. */
  listed: SuppressedNumber | undefined;
  /** The draft that *Send SMS* opens. */
  draftId: string;
  isAdmin: boolean;
  /** Whether the user may send to it. */
  canSend: boolean;
  /** The last messages to it, as the user may see them. */
  sent: readonly KnownBlock[];
}

/** `notPosted` says why the card is not in the chosen channel. */
export function numberCardView(shown: NumberCard, notPosted?: Markup): ModalView {
  return notice(numberTitle, ...present(notPosted && section(notPosted)), ...cardForUser(shown));
}

export function cardMessage(shown: NumberCard): SlackMessage {
  return message(summary(shown.found, formatNumber(shown.found.dnd.number)), cardForUser(shown));
}

/** For a channel: the number masked unless `showNumbers`, without buttons, with the user who looked it up. */
export function channelCard(
  { found, listed }: Pick<NumberCard, 'found' | 'listed'>,
  userId: string,
  showNumbers = false,
): SlackMessage {
  const { number } = found.dnd;
  const shown = showNumbers ? formatNumber(number) : maskNumber(number);
  const mark = listed === undefined ? undefined : mrkdwn`On your do-not-contact list`;
  return message(summary(found, shown), [
    ...card(found, { shown, mark, quote: showNumbers ? verbatim : maskPersonal }),
    context(mrkdwn`Looked up by ${userMention(userId)} with Switchboard`),
  ]);
}

function cardForUser({ found, listed, draftId, isAdmin, canSend, sent }: NumberCard): KnownBlock[] {
  const shown = formatNumber(found.dnd.number);
  const remove = button(cardActions.remove, 'Remove from list', {
    value: draftId,
    label: `Remove ${shown} from the do-not-contact list`,
    confirm: confirmDialog({
      title: 'Remove from list?',
      text: `Campaigns can include ${shown} again.`,
      yes: 'Remove',
      no: 'Keep',
      danger: true,
    }),
  });
  const buttons = present<Button>(
    canSend && button(sendToAction, 'Send SMS', { value: draftId, style: 'primary' }),
    button(cardActions.history, 'History', { value: draftId }),
    listed === undefined && doNotContactButton(draftId, cardActions.doNotContact),
    listed !== undefined && isAdmin && remove,
  );
  return [
    ...card(found, { shown, mark: listed && describeSuppressed(listed), quote: verbatim }),
    ...sent,
    actions('number_card', ...buttons),
  ];
}

const verbatim = (text: string) => text;

/** `mark`: what the suppression list says. `quote` transforms messages of the provider, which may repeat the number. */
function card(
  { network, dnd, advice }: LookedUpNumber,
  { shown, mark, quote }: { shown: string; mark: Markup | undefined; quote: (text: string) => string },
): KnownBlock[] {
  const { routeDetail, operatorDetail } = network.kind === 'known' ? network.entry : {};
  const hasDnd = advice.kind !== 'not_nigerian';
  const pairs: (readonly [title: string, text: Markup])[] = [
    ['Network', mrkdwn`${brief(operatorDetail?.operatorName ?? dnd.network ?? 'Not known')}`],
    ['Country', mrkdwn`${country(network, dnd)}`],
    ['Ported', mrkdwn`${ported(routeDetail?.ported)}`],
    ['Line type', mrkdwn`${brief(operatorDetail?.lineType ?? 'Not known')}`],
  ];
  if (hasDnd) {
    pairs.push(['Do-Not-Disturb', dndStates[dnd.dnd]], ['Route to use', describeRouteAdvice(advice)]);
  }
  return [
    header(shown),
    ...present(mark && section(mrkdwn`:no_entry_sign: ${mark}`)),
    facts(...pairs),
    ...problems(network, hasDnd ? dnd.problem : undefined, quote).map((text) => section(text)),
  ];
}

/** The text for screen readers and notifications. */
function summary({ network, dnd, advice }: LookedUpNumber, shown: string): Markup {
  const name = network.kind === 'known' ? network.entry.operatorDetail?.operatorName : undefined;
  const onDnd =
    advice.kind === 'not_nigerian'
      ? mrkdwn``
      : mrkdwn`, Do-Not-Disturb ${dndTexts[dnd.dnd]}. Route to use: ${describeRouteAdvice(advice)}`;
  return mrkdwn`${shown}: ${brief(name ?? dnd.network ?? 'network not known')}${onDnd}`;
}

const dndTexts = { active: 'on', inactive: 'off', unknown: 'not known' } as const;

const dndStates = {
  active: mrkdwn`:no_bell: on`,
  inactive: mrkdwn`:bell: off`,
  unknown: mrkdwn`${stateIcons.unknown} not known`,
} as const;

function country(network: NetworkStatus, { number }: CheckedNumber): string {
  const listed = network.kind === 'known' ? network.entry.countryDetail?.iso?.toUpperCase() : undefined;
  if (listed !== undefined) {
    return isCountry(listed) ? countryName(listed) : brief(listed);
  }
  const own = countryOf(number);
  return own === undefined ? 'Not known' : countryName(own);
}

/** The API does not describe the values (§4.8): 0 is known from its samples, 1 is inferred. */
function ported(value: number | undefined): string {
  switch (value) {
    case 0:
      return 'Not ported';
    case 1:
      return 'Ported';
    default:
      return 'Not known';
  }
}

/** What is not known, and why: one reason of both halves is said once. */
function problems(
  network: NetworkStatus,
  dndProblem: string | undefined,
  quote: (text: string) => string,
): Markup[] {
  if (network.kind === 'failed' && network.problem === dndProblem) {
    return [mrkdwn`${stateIcons.unknown} *Network and Do-Not-Disturb not known.* ${dndProblem}`];
  }
  return present(
    networkProblem(network, quote),
    dndProblem !== undefined && mrkdwn`${stateIcons.unknown} *Do-Not-Disturb not known.* ${dndProblem}`,
  );
}

function networkProblem(network: NetworkStatus, quote: (text: string) => string): Markup | undefined {
  switch (network.kind) {
    case 'known':
      return undefined;
    case 'no_entry':
      return mrkdwn`:warning: *The provider does not know this number.* It may be out of use.${providerMessage(network.said, quote)}`;
    case 'not_activated':
      return mrkdwn`:information_source: *Network lookup is not active on this provider account.* The provider’s account manager can activate number status.${providerMessage(network.said, quote)}`;
    case 'failed':
      return mrkdwn`${stateIcons.unknown} *Network not known.* ${network.problem}`;
  }
}

function providerMessage(said: string | undefined, quote: (text: string) => string): string {
  return said === undefined ? '' : ` The provider says: “${brief(quote(said))}”.`;
}

/** Clamps a text of the provider, whose length has no limit. */
function brief(text: string): string {
  return clampText(text, 300);
}
