import type { KnownBlock, ModalView } from '@slack/types';
import { countryName, isCountry } from '../../../domain/phone/countries.ts';
import { countryOf, formatNumber, maskNumber } from '../../../domain/phone/phone-number.ts';
import { maskPersonal } from '../../../lib/redact.ts';
import type { CheckedNumber } from '../../../services/numbers/dnd-check.ts';
import type { Advice, LookupResult, NetworkReport } from '../../../services/numbers/number-lookup.ts';
import { actions, button, context, facts, header, notice, section } from '../../block-kit/build.ts';
import { clampText } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import { doNotContactButton } from '../../navigation/do-not-contact-button.ts';
import { sendToAction } from './dnd-check/report-views.ts';
import { numberTitle } from './form-view.ts';

/** The result of a successful lookup. */
export type LookedUpNumber = Extract<LookupResult, { kind: 'looked_up' }>;

/** For its user. `draftId` is the draft that *Send SMS* opens; `notPosted` says why the card is not in the channel. */
export function numberCardView(found: LookedUpNumber, draftId: string, notPosted?: Markup): ModalView {
  const problem = notPosted === undefined ? [] : [section(notPosted)];
  return notice(
    numberTitle,
    ...problem,
    ...card(found, formatNumber(found.dnd.number)),
    cardButtons(draftId),
  );
}

export function cardMessage(found: LookedUpNumber, draftId: string): SlackMessage {
  const shown = formatNumber(found.dnd.number);
  return message(summary(found, shown), [...card(found, shown), cardButtons(draftId)]);
}

/** For a channel: the number masked unless `showNumbers`, without buttons, with the user who looked it up. */
export function channelCard(found: LookedUpNumber, userId: string, showNumbers = false): SlackMessage {
  const { number } = found.dnd;
  const shown = showNumbers ? formatNumber(number) : maskNumber(number);
  return message(summary(found, shown), [
    ...card(found, shown, showNumbers ? verbatim : maskPersonal),
    context(mrkdwn`Looked up by ${userMention(userId)} with Switchboard`),
  ]);
}

function cardButtons(draftId: string): KnownBlock {
  return actions(
    'number_card',
    button(sendToAction, 'Send SMS', { value: draftId, style: 'primary' }),
    doNotContactButton(draftId),
  );
}

const verbatim = (text: string) => text;

/** `quote` transforms messages of the provider, which may repeat the number. */
function card({ network, dnd, advice }: LookedUpNumber, shown: string, quote = verbatim): KnownBlock[] {
  const { routeDetail, operatorDetail } = network.kind === 'known' ? network.entry : {};
  return [
    header(shown),
    facts(
      ['Network', mrkdwn`${brief(operatorDetail?.operatorName ?? dnd.network ?? 'not known')}`],
      ['Country', mrkdwn`${country(network, dnd)}`],
      ['Ported', mrkdwn`${network.kind === 'known' ? ported(routeDetail?.ported) : 'not known'}`],
      ['Line type', mrkdwn`${brief(operatorDetail?.lineType ?? 'not known')}`],
      ['Do-Not-Disturb', mrkdwn`${dndStates[dnd.dnd]}`],
      ['Route to use', route(dnd, advice)],
    ),
    ...codes(network),
    ...networkProblem(network, quote),
    ...(dnd.problem === undefined
      ? []
      : [section(mrkdwn`${stateIcons.unknown} *Do-Not-Disturb could not be checked.* ${dnd.problem}`)]),
  ];
}

/** The text for screen readers and notifications. */
function summary({ network, dnd, advice }: LookedUpNumber, shown: string): Markup {
  const name = network.kind === 'known' ? network.entry.operatorDetail?.operatorName : undefined;
  return mrkdwn`${shown}: ${brief(name ?? dnd.network ?? 'network not known')}, Do-Not-Disturb ${dndTexts[dnd.dnd]}. Route to use: ${route(dnd, advice)}`;
}

const dndTexts = { active: 'on', inactive: 'off', unknown: 'not known' } as const;

const dndStates = {
  active: mrkdwn`:no_bell: on`,
  inactive: mrkdwn`:bell: off`,
  unknown: mrkdwn`${stateIcons.unknown} not known`,
} as const;

function country(network: NetworkReport, { number }: CheckedNumber): string {
  const listed = network.kind === 'known' ? network.entry.countryDetail?.iso?.toUpperCase() : undefined;
  if (listed !== undefined) {
    return isCountry(listed) ? `${countryName(listed)} (${listed})` : brief(listed);
  }
  const own = countryOf(number);
  return own === undefined ? 'of no country' : `${countryName(own)} (${own}), by the number`;
}

/** The API does not describe the values (§4.8): 0 is known from its samples, 1 is inferred. */
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

function networkProblem(network: NetworkReport, quote: (text: string) => string): KnownBlock[] {
  switch (network.kind) {
    case 'known':
      return [];
    case 'no_entry':
      return [
        section(
          mrkdwn`:warning: *The provider does not know this number.* It may be made up or out of use.${providerMessage(network.said, quote)}`,
        ),
      ];
    case 'not_activated':
      return [
        section(
          mrkdwn`:information_source: *The look-up of networks is not active on this provider account*, so porting and line type are not known. Ask your account manager at the provider to activate number status.${providerMessage(network.said, quote)}`,
        ),
      ];
    case 'failed':
      return [
        section(mrkdwn`${stateIcons.unknown} *The network could not be looked up.* ${network.problem}`),
      ];
  }
}

function providerMessage(said: string | undefined, quote: (text: string) => string): string {
  return said === undefined ? '' : ` It says: “${brief(quote(said))}”.`;
}

/** Clamps a text of the provider, whose length has no limit. */
function brief(text: string): string {
  return clampText(text, 300);
}
