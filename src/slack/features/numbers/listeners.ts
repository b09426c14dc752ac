import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type CountryCode, isCountry } from '../../../domain/phone/countries.ts';
import { countryOf, formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { modal, notice, section } from '../../block-kit/build.ts';
import { phoneCountryInput } from '../../block-kit/inputs/countries.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { helpMessage, message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import type { ActionRequest, CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { cardActions, cardMessage, numberCardView, numberTitle } from './card.ts';
import { correctionMessage } from './correction.ts';
import { createLookups, type Lookups, type NumberQuery } from './look-up.ts';

/** `/number`: network, porting, Do-Not-Disturb and the route to use, in one card. */
export function registerNumber(router: Router, context: AppContext): void {
  const { workspaces } = context.services;
  const lookups = createLookups(context);
  registerNumberCard(router, context, lookups);
  router.command(
    'number',
    'look_up',
    whenConnected(context, (call) => onNumberCommand(context, lookups, call)),
    () => numberHelp(context.settings.commandPrefix),
    numbersOr(),
  );

  router.action(openActions.numberForm, 'look_up', async ({ open }) => {
    await open(numberFormView('', { inChannel: false }, undefined));
  });

  router.action(editNumberAction, 'look_up', async ({ value, channelId, open }) => {
    const { number, country } = splitNumberCommand(value);
    await open(numberFormView(number, { inChannel: false, channelId }, channelId, country));
  });

  router.action(numberDestinationAction, 'look_up', async ({ view }) => {
    const { origin } = numberMetadata.parse(view?.metadata);
    const typed = view?.values.number?.text ?? '';
    await view?.replace(numberFormView(typed, readDestination(view.values, origin), origin));
  });

  router.submission(numberCallback, 'look_up', async ({ user, requestId, values, metadata }) => {
    const { country: home } = await workspaces.defaults(user.workspaceId);
    const read = readNumberQuery(values.number?.text ?? '', values.country?.text, home);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const destination = readDestination(values, numberMetadata.parse(metadata).origin);
    return {
      view: lookingUpView(read.query.number),
      background: async () => {
        const { card, notPosted } = await lookups.lookUp(user, read.query, requestId, destination);
        return numberCardView(card, notPosted);
      },
    };
  });
}

async function onNumberCommand(context: AppContext, lookups: Lookups, call: CommandRequest): Promise<void> {
  if (call.text.trim() === '') {
    await call.open(numberFormView('', { inChannel: false, channelId: call.channelId }, call.channelId));
    return;
  }
  const { country } = await context.services.workspaces.defaults(call.user.workspaceId);
  const read = readNumberCommand(call.text, country);
  if (!read.ok) {
    const fault = 'number' in read.faults ? read.faults.number : read.faults.country;
    await call.reply(correctionMessage(fault, editNumberAction, call.text.trim()));
    return;
  }
  await call.reply(lookingUpMessage(read.query.number));
  const { card } = await lookups.lookUp(call.user, read.query, call.requestId);
  await call.reply(cardMessage(card));
}

/** The buttons of a card, except *Send SMS*. The value of each is the draft with the number. */
function registerNumberCard(
  router: Router,
  { services: { messages, suppressionList }, navigation }: AppContext,
  { recall }: Lookups,
): void {
  async function findNumbers({ user, value }: ActionRequest) {
    const { draft } = await messages.find(user.workspaceId, value, user.userId);
    if (draft === undefined) {
      throw new UserError(mrkdwn`This result is too old. Look up the number again.`);
    }
    return draft.content.recipients;
  }

  /** Shows the card as it is now, in place; where the lookup is no longer known, `done` in a modal. */
  async function showCard(call: ActionRequest, done: Markup): Promise<void> {
    const card = await recall(call.user, call.value);
    if (card === undefined) {
      await call.push(notice(numberTitle, section(done)));
    } else if (call.view === undefined) {
      await call.replaceMessage(cardMessage(card));
    } else {
      await call.view.replace(numberCardView(card));
    }
  }

  router.action(cardActions.doNotContact, 'use', async (call) => {
    const numbers = await findNumbers(call);
    await suppressionList.add({ ...call.user, numbers, source: { kind: 'lookup' } });
    await showCard(call, mrkdwn`The number is on the do-not-contact list.`);
  });

  router.action(cardActions.remove, 'administer', async (call) => {
    await suppressionList.remove(call.user.workspaceId, await findNumbers(call));
    await showCard(call, mrkdwn`The number is no longer on the do-not-contact list.`);
  });

  router.action(cardActions.history, 'look_up', async (call) => {
    const [number = ''] = await findNumbers(call);
    await call.push(await navigation.history(call.user, { typed: number }));
  });
}

/** Faults are sentences, by field. */
type ReadNumberQuery =
  | { ok: true; query: NumberQuery }
  | { ok: false; faults: { number: string } | { country: string } };

/** `+2348031234567` · `+2348031234567 NG` · `0803 123 4567 ng` */
export function readNumberCommand(text: string, home: CountryCode): ReadNumberQuery {
  const { number, country } = splitNumberCommand(text);
  return readNumberQuery(number, country, home);
}

/** Splits the number from the two letters after it, if there are any. */
function splitNumberCommand(text: string): { number: string; country: string | undefined } {
  const typed = text.trim();
  const [last, country] = /\s([a-z]{2})$/i.exec(typed) ?? [''];
  return { number: typed.slice(0, typed.length - last.length), country: country?.toUpperCase() };
}

/** Reads a typed number. Without a country its own is used; `home`, the workspace's, for a number without a prefix. */
function readNumberQuery(typed: string, country: string | undefined, home: CountryCode): ReadNumberQuery {
  const code = country?.toUpperCase();
  if (code !== undefined && !isCountry(code)) {
    return {
      ok: false,
      faults: { country: `“${country}” is not a country code. Use two letters, such as NG.` },
    };
  }
  const text = typed.trim();
  if (text === '') {
    return { ok: false, faults: { number: 'Enter a phone number.' } };
  }
  const read = readNumber(text, code ?? home);
  return read.ok
    ? { ok: true, query: { number: read.number, country: code ?? countryOf(read.number) ?? home } }
    : { ok: false, faults: { number: `“${text}” ${read.reason}.` } };
}

function numberHelp(prefix: string): SlackMessage {
  const name = `/${prefix}number`;
  return helpMessage(
    mrkdwn`How to look up a number with ${name}`,
    mrkdwn`*Look up a number*: network, porting, Do-Not-Disturb, do-not-contact list, and the route that reaches the number.`,
    [
      mrkdwn`\`${name}\` opens the form.`,
      mrkdwn`\`${name} +2348031234567\` looks the number up. Only you see the result.`,
      mrkdwn`\`${name} 0803 123 4567 NG\` reads the number as one of Nigeria. Use the two letters of any country.`,
    ],
    mrkdwn`For many numbers at once: \`/${prefix}dnd-check\`.`,
  );
}

const numberCallback = 'number_look_up';
const numberDestinationAction = 'number_place_choice';

const numberMetadata = z.object({ origin: z.string().optional() });

/** Opens the form with the text of a command. */
const editNumberAction = 'number_edit';

const maxTyped = 100;

/** The form; `origin` is the channel it was opened from, `country` the code of the one first chosen. Slack keeps a choice. */
export function numberFormView(
  typed: string,
  destination: DestinationChoice,
  origin: string | undefined,
  country?: string | undefined,
): ModalView {
  return modal({
    callbackId: numberCallback,
    title: numberTitle,
    submit: 'Look up',
    metadata: { origin },
    blocks: [
      textInput('number', 'Phone number', typed, {
        maxLength: maxTyped,
        placeholder: '+234 803 123 4567',
        focus: true,
      }),
      phoneCountryInput('country', country ?? '', 'The country to look the number up in.', {
        placeholder: 'The number’s own',
        optional: true,
      }),
      ...destinationInputs(destination, numberDestinationAction),
    ],
  });
}

export function lookingUpView(number: PhoneNumber): ModalView {
  return notice(numberTitle, section(lookingUp(number)));
}

export function lookingUpMessage(number: PhoneNumber): SlackMessage {
  const text = lookingUp(number);
  return message(text, [section(text)]);
}

function lookingUp(number: PhoneNumber) {
  return mrkdwn`${stateIcons.underway} Looking up ${formatNumber(number)}…`;
}
