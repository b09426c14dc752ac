import type { KnownBlock, ModalView } from '@slack/types';
import { countryName, isCountry } from '../../../domain/phone/countries.ts';
import { countryOf, formatNumber, maskNumber } from '../../../domain/phone/phone-number.ts';
import { maskPersonal } from '../../../lib/redact.ts';
import type { CheckedNumber } from '../../../services/numbers/dnd-check.ts';
import type { Advice, LookupResult, NetworkReport } from '../../../services/numbers/number-lookup.ts';
import { actions, button, context, facts, header, notice, section } from '../../block-kit/build.ts';
import { clampText } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import { doNotContactButton } from '../../navigation/do-not-contact-button.ts';
import { sendToAction } from './dnd-check/report-views.ts';
import { numberTitle } from './form-view.ts';

/** What was found of a number. */
export type LookedUpNumber = Extract<LookupResult, { kind: 'looked_up' }>;

/** For the person who asked. `draftId` is what *Send SMS* opens; `notPosted` says why the channel does not have it. */
export function numberCardView(found: LookedUpNumber, draftId: string, notPosted?: Markup): ModalView {
  const problem = notPosted === undefined ? [] : [section(notPosted)];
  return notice(numberTitle, ...problem, ...card(found, formatNumber(found.dnd.number)), wayOn(draftId));
}

export function cardMessage(found: LookedUpNumber, draftId: string): SlackMessage {
  const shown = formatNumber(found.dnd.number);
  return message(inShort(found, shown), [...card(found, shown), wayOn(draftId)]);
}

/** For a channel: the number masked unless wanted otherwise, no button, and who asked. */
export function channelCard(found: LookedUpNumber, userId: string, showNumbers = false): SlackMessage {
  const { number } = found.dnd;
  const shown = showNumbers ? formatNumber(number) : maskNumber(number);
  return message(inShort(found, shown), [
    ...card(found, shown, showNumbers ? asSaid : maskPersonal),
    context(mrkdwn`Looked up by ${userMention(userId)} with Switchboard`),
  ]);
}

function wayOn(draftId: string): KnownBlock {
  return actions(
    'number_card',
    button(sendToAction, 'Send SMS', { value: draftId, style: 'primary' }),
    doNotContactButton(draftId),
  );
}

const asSaid = (words: string) => words;

/** `quote` is what becomes of the words in the provider’s answer, in which it may repeat the number. */
function card({ network, dnd, advice }: LookedUpNumber, shown: string, quote = asSaid): KnownBlock[] {
  const { routeDetail, operatorDetail } = network.kind === 'known' ? network.entry : {};
  return [
    header(shown),
    facts(
      ['Network', mrkdwn`${brief(operatorDetail?.operatorName ?? dnd.network ?? 'not known')}`],
      ['Country', mrkdwn`${country(network, dnd)}`],
      ['Ported', mrkdwn`${network.kind === 'known' ? ported(routeDetail?.ported) : 'not known'}`],
      ['Line type', mrkdwn`${brief(operatorDetail?.lineType ?? 'not known')}`],
      ['Do-Not-Disturb', mrkdwn`${states[dnd.dnd]}`],
      ['Route to use', route(dnd, advice)],
    ),
    ...codes(network),
    ...networkTrouble(network, quote),
    ...(dnd.problem === undefined
      ? []
      : [section(mrkdwn`:grey_question: *Do-Not-Disturb could not be checked.* ${dnd.problem}`)]),
  ];
}

/** What a screen reader and a notification get. */
function inShort({ network, dnd, advice }: LookedUpNumber, shown: string): Markup {
  const name = network.kind === 'known' ? network.entry.operatorDetail?.operatorName : undefined;
  return mrkdwn`${shown}: ${brief(name ?? dnd.network ?? 'network not known')}, Do-Not-Disturb ${words[dnd.dnd]}. Route to use: ${route(dnd, advice)}`;
}

const words = { active: 'on', inactive: 'off', unknown: 'not known' } as const;

const states = {
  active: mrkdwn`:no_bell: on`,
  inactive: mrkdwn`:bell: off`,
  unknown: mrkdwn`:grey_question: not known`,
} as const;

function country(network: NetworkReport, { number }: CheckedNumber): string {
  const told = network.kind === 'known' ? network.entry.countryDetail?.iso?.toUpperCase() : undefined;
  if (told !== undefined) {
    return isCountry(told) ? `${countryName(told)} (${told})` : brief(told);
  }
  const own = countryOf(number);
  return own === undefined ? 'of no country' : `${countryName(own)} (${own}), by the number`;
}

/** The meaning of the values is not described (API §4.8): 0 is known by samples, 1 is an inference. */
function ported(value: number | undefined): string {
  switch (value) {
    case undefined:
      return 'not told';
    case 0:
      return 'not ported (0)';
    case 1:
      return 'ported (1)';
    default:
      return `not clear (${value})`;
  }
}

function route({ dnd }: CheckedNumber, { quietUntil }: Advice): Markup {
  if (quietUntil !== undefined) {
    return mrkdwn`DND until ${timeFor(quietUntil)} (08:00 in Lagos): quiet hours. Then generic too.`;
  }
  switch (dnd) {
    case 'active':
      return mrkdwn`DND. The generic route does not reach it.`;
    case 'inactive':
      return mrkdwn`Generic or DND`;
    case 'unknown':
      return mrkdwn`DND, which reaches every number`;
  }
}

function codes(network: NetworkReport): KnownBlock[] {
  if (network.kind !== 'known') {
    return [];
  }
  const { countryDetail, operatorDetail } = network.entry;
  const mobileCode = [countryDetail?.mobileCountryCode, operatorDetail?.mobileNumberCode].filter(
    (code) => code !== undefined,
  );
  const known = [
    ...(operatorDetail?.operatorCode === undefined ? [] : [`operator ${operatorDetail.operatorCode}`]),
    ...(mobileCode.length === 0 ? [] : [`mobile network ${mobileCode.join('-')}`]),
  ];
  return known.length === 0 ? [] : [context(mrkdwn`Codes: ${known.map(brief).join(', ')}`)];
}

function networkTrouble(network: NetworkReport, quote: (words: string) => string): KnownBlock[] {
  switch (network.kind) {
    case 'known':
      return [];
    case 'no_entry':
      return [
        section(
          mrkdwn`:warning: *The provider does not know this number.* It may be made up or out of use.${itSays(network.said, quote)}`,
        ),
      ];
    case 'not_activated':
      return [
        section(
          mrkdwn`:information_source: *The look-up of networks is not active on this provider account*, so porting and line type are not known. Ask your account manager at the provider to activate number status.${itSays(network.said, quote)}`,
        ),
      ];
    case 'failed':
      return [section(mrkdwn`:grey_question: *The network could not be looked up.* ${network.problem}`)];
  }
}

function itSays(said: string | undefined, quote: (words: string) => string): string {
  return said === undefined ? '' : ` It says: “${brief(quote(said))}”.`;
}

/** The provider's words are as long as it likes. */
function brief(words: string): string {
  return clampText(words, 300);
}
