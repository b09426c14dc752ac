import type { Button, KnownBlock, ModalView, Overflow } from '@slack/types';
import { PersonalText } from '../../../domain/access/private-values.ts';
import { countryName, isCountry } from '../../../domain/phone/countries.ts';
import { countryOf } from '../../../domain/phone/phone-number.ts';
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
  menu,
  notice,
  present,
  section,
} from '../../block-kit/build.ts';
import { describeRouteAdvice, describeSuppressed } from '../../block-kit/descriptions/number.ts';
import { clampText } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';
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
  /** The draft that *New message* opens. */
  draftId: string;
  isAdmin: boolean;
  /** Whether the user may send to it. */
  canSend: boolean;
  /** The thread that *Reply* answers in; undefined where the user can’t. */
  threadId: string | undefined;
  /** The last messages to and from it, as the user may see them. */
  conversation: readonly KnownBlock[];
}

/** `notPosted` says why the card is not in the chosen channel. */
export function numberCardView(shown: NumberCard, notPosted?: Markup): ModalView {
  return notice(numberTitle, ...present(notPosted && section(notPosted)), ...cardForUser(shown));
}

export function cardMessage(shown: NumberCard): SlackMessage {
  return message(summary(shown.found), cardForUser(shown));
}

/** For others: without buttons, with the user who looked it up. */
export function sharedCard(
  { found, listed }: Pick<NumberCard, 'found' | 'listed'>,
  userId: string,
  showsNumbers = false,
): SlackMessage {
  const mark = listed === undefined ? undefined : mrkdwn`On the do-not-contact list`;
  const by = context(mrkdwn`Looked up by ${userMention(userId)} with Switchboard`);
  return { ...message(summary(found), [...card(found, mark), by]), showsNumbers };
}

function cardForUser({
  found,
  listed,
  draftId,
  isAdmin,
  canSend,
  threadId,
  conversation,
}: NumberCard): KnownBlock[] {
  const { number } = found.dnd;
  const remove = button(cardActions.remove, 'Remove from list', {
    value: draftId,
    label: mrkdwn`Remove ${number} from the do-not-contact list`,
    confirm: confirmDialog({
      title: 'Remove from list?',
      text: mrkdwn`Campaigns can include ${number} again.`,
      yes: 'Remove',
      no: 'Keep',
      danger: true,
    }),
  });
  const add = button(cardActions.doNotContact, 'Add to do-not-contact list', { value: draftId });
  const buttons = present<Button | Overflow>(
    canSend &&
      (threadId === undefined
        ? button(sendToAction, 'New message', { value: draftId, style: 'primary' })
        : button(openActions.reply, 'Reply', { value: threadId, style: 'primary' })),
    button(cardActions.history, 'Open history', { value: draftId }),
    listed === undefined && menu('number_more', add),
    listed !== undefined && isAdmin && remove,
  );
  return [
    ...card(found, listed && describeSuppressed(listed)),
    ...conversation,
    actions('number_card', ...buttons),
  ];
}

/** @param mark the number's state on the do-not-contact list */
function card({ network, dnd, advice }: LookedUpNumber, mark: Markup | undefined): KnownBlock[] {
  const { routeDetail, operatorDetail } = network.kind === 'known' ? network.entry : {};
  const hasDnd = advice.kind !== 'not_nigerian';
  const pairs: (readonly [title: string, text: Markup])[] = [
    ['Network', named(operatorDetail?.operatorName ?? dnd.network)],
    ['Country', country(network, dnd)],
    ['Ported', mrkdwn`${ported(routeDetail?.ported)}`],
    ['Line type', named(operatorDetail?.lineType)],
  ];
  if (hasDnd) {
    pairs.push(['Do-Not-Disturb', dndStates[dnd.dnd]], ['Route to use', describeRouteAdvice(advice)]);
  }
  return [
    header(mrkdwn`${dnd.number}`),
    ...present(mark && section(mrkdwn`:no_entry_sign: ${mark}`)),
    facts(...pairs),
    ...problems(network, hasDnd ? dnd.problem : undefined).map((text) => section(text)),
  ];
}

/** The text for screen readers and notifications. */
function summary({ network, dnd, advice }: LookedUpNumber): Markup {
  const name = network.kind === 'known' ? network.entry.operatorDetail?.operatorName : undefined;
  const onDnd =
    advice.kind === 'not_nigerian'
      ? mrkdwn``
      : mrkdwn`, ${dndTexts[dnd.dnd]}. Route to use: ${describeRouteAdvice(advice)}`;
  return mrkdwn`${dnd.number}: ${named(name ?? dnd.network, 'network unknown')}${onDnd}`;
}

const dndTexts = {
  active: 'on Do-Not-Disturb',
  inactive: 'not on Do-Not-Disturb',
  unknown: 'Do-Not-Disturb unknown',
} as const;

const dndStates = {
  active: mrkdwn`:no_bell: on`,
  inactive: mrkdwn`:bell: off`,
  unknown: mrkdwn`${stateIcons.unknown} unknown`,
} as const;

function country(network: NetworkStatus, { number }: CheckedNumber): Markup {
  const listed = network.kind === 'known' ? network.entry.countryDetail?.iso?.toUpperCase() : undefined;
  if (listed !== undefined) {
    return isCountry(listed) ? mrkdwn`${countryName(listed)}` : named(listed);
  }
  const ofNumber = countryOf(number);
  return mrkdwn`${ofNumber === undefined ? 'Unknown' : countryName(ofNumber)}`;
}

/** The API does not describe the values (§4.8): 0 is known from its samples, 1 is inferred. */
function ported(value: number | undefined): string {
  switch (value) {
    case 0:
      return 'Not ported';
    case 1:
      return 'Ported';
    default:
      return 'Unknown';
  }
}

/** The unknown facts and the reason, named once if both halves share it. */
function problems(network: NetworkStatus, dndProblem: string | undefined): Markup[] {
  if (network.kind === 'failed' && network.problem === dndProblem) {
    return [
      mrkdwn`${stateIcons.unknown} *Network and Do-Not-Disturb unknown.* ${new PersonalText(network.problem)}`,
    ];
  }
  return present(
    networkProblem(network),
    dndProblem !== undefined &&
      mrkdwn`${stateIcons.unknown} *Do-Not-Disturb unknown.* ${new PersonalText(dndProblem)}`,
  );
}

function networkProblem(network: NetworkStatus): Markup | undefined {
  switch (network.kind) {
    case 'known':
      return undefined;
    case 'no_entry':
      return mrkdwn`:warning: *The provider does not know this number.* It may be out of use.${providerMessage(network.providerMessage)}`;
    case 'not_activated':
      return mrkdwn`:information_source: *Network lookup is not active on this provider account.* Ask your account manager at the provider to activate number status.${providerMessage(network.providerMessage)}`;
    case 'failed':
      return mrkdwn`${stateIcons.unknown} *Network unknown.* ${new PersonalText(network.problem)}`;
  }
}

/** The provider’s words may repeat the number. */
function providerMessage(words: string | undefined): Markup {
  return words === undefined ? mrkdwn`` : mrkdwn` The provider says: “${named(words)}”.`;
}

/** A name or a sentence of the provider, whose length has no limit. */
function named(words: string | undefined, otherwise = 'Unknown'): Markup {
  return words === undefined ? mrkdwn`${otherwise}` : mrkdwn`${new PersonalText(clampText(words, 300))}`;
}
