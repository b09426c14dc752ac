import { type CountryCode, isCountry } from '../../../domain/phone/countries.ts';
import { countryOf, type PhoneNumber, toE164 } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { notice, section } from '../../block-kit/build.ts';
import { message } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, typedNumbers } from '../../block-kit/text.ts';
import { defineCommand } from '../../kit/command.ts';
import { countryField, destinationField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ActionRequest, CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { cardActions, cardMessage, numberCardView, numberTitle } from './card.ts';
import { createLookups, type Lookups, type NumberQuery } from './look-up.ts';
import { correctionMessage } from './results.ts';

/** Opens the form with the text of a command. */
const editAction = 'number_edit';

/** `/number`: network, porting, Do-Not-Disturb and the route to use, in one card. */
export function registerNumber(router: Router, context: AppContext): void {
  const lookups = createLookups(context);
  const form = createNumberForm(context, lookups);
  const openForm = async (
    { user, open }: Pick<ActionRequest, 'user' | 'open'>,
    channelId: string | undefined,
    typed: { number: string; country?: string | undefined } = { number: '' },
  ) => {
    const destination = { inChannel: false, channelId };
    const { number, country = '' } = typed;
    await open(await form.view(user, undefined, { initial: { number, country, destination } }));
  };

  defineCommand(context, {
    name: 'number',
    title: 'How to look up a number',
    purpose: mrkdwn`*Look up a number*: network, porting, Do-Not-Disturb, do-not-contact list, the route that reaches the number, and the last messages to and from it.`,
    note: mrkdwn`For many numbers at once: \`/${context.settings.commandPrefix}dnd-check\`.`,
    connected: true,
    words: {},
    otherwise: {
      needs: 'look_up',
      help: (name) => [
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567\` looks the number up. Only you see the result.`,
        mrkdwn`\`${name} 0803 123 4567 NG\` reads the number as Nigerian. Use any two-letter country code.`,
      ],
      accepts: (typed) => /\d/.test(typed),
      run: (call, typed) =>
        typed === '' ? openForm(call, call.channelId) : lookUpTyped(context, lookups, call),
    },
  }).register(router);

  form.register(router);
  registerCardButtons(router, context, lookups);
  router.action(openActions.numberForm, 'look_up', (call) => openForm(call, undefined));
  router.action(editAction, 'look_up', (call) =>
    openForm(call, call.channelId, splitNumberCommand(call.value)),
  );
}

function createNumberForm({ services: { workspaces } }: AppContext, lookups: Lookups) {
  return defineForm({
    id: 'number_look_up',
    title: numberTitle,
    submit: 'Look up',
    close: 'Close',
    needs: 'look_up',
    fields: {
      number: textField('Phone number', { max: 100, placeholder: '+234 803 123 4567', focus: true }),
      country: countryField('The country to look the number up in.', {
        placeholder: 'The number’s own',
        optional: true,
      }),
      destination: destinationField(),
    },
    async submitted({ user, requestId, form: { number, country, destination } }) {
      const { country: home } = await workspaces.defaults(user.workspaceId);
      const read = readNumberQuery(number, country === '' ? undefined : country, home);
      return read.ok
        ? {
            view: notice(numberTitle, section(lookingUp(read.query.number))),
            background: async () => {
              const { card, notPosted } = await lookups.lookUp(user, read.query, requestId, destination);
              return numberCardView(card, notPosted);
            },
          }
        : { faults: read.faults };
    },
  });
}

async function lookUpTyped(
  { services: { workspaces } }: AppContext,
  lookups: Lookups,
  { user, text, requestId, reply }: CommandRequest,
): Promise<void> {
  const { country } = await workspaces.defaults(user.workspaceId);
  const read = readNumberCommand(text, country);
  if (!read.ok) {
    const fault = 'number' in read.faults ? read.faults.number : read.faults.country;
    await reply(correctionMessage(fault, editAction, text.trim()));
    return;
  }
  const progress = lookingUp(read.query.number);
  await reply(message(progress));
  const { card } = await lookups.lookUp(user, read.query, requestId);
  await reply(cardMessage(card));
}

function lookingUp(number: PhoneNumber): Markup {
  return mrkdwn`${stateIcons.underway} Looking up ${number}…`;
}

/** The buttons of a card, except *New message* and *Reply*. The value of each is the draft with the number. */
function registerCardButtons(
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

  router.action(cardActions.doNotContact, 'look_up', async (call) => {
    const typed = typedNumbers(await findNumbers(call));
    await call.push(await navigation.suppressionList(call.user, { typed }));
  });

  router.action(cardActions.remove, 'administer', async (call) => {
    await suppressionList.remove(call.user.workspaceId, await findNumbers(call));
    const card = await recall(call.user, call.value);
    if (card === undefined) {
      await call.push(
        notice(numberTitle, section(mrkdwn`The number is no longer on the do-not-contact list.`)),
      );
    } else if (call.view === undefined) {
      await call.replaceMessage(cardMessage(card));
    } else {
      await call.view.replace(numberCardView(card));
    }
  });

  router.action(cardActions.history, 'look_up', async (call) => {
    const [number] = await findNumbers(call);
    await call.push(
      await navigation.history(call.user, { typed: number === undefined ? '' : toE164(number) }),
    );
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
