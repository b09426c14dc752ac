import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { readTypedTemplate, templateKey } from '../../../domain/messages/named-templates.ts';
import { splitNumbersFromText } from '../../../domain/messages/numbers-then-text.ts';
import { isBilledByPage } from '../../../domain/messages/routes.ts';
import { writtenColumns } from '../../../domain/messages/template.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { editDistance } from '../../../lib/edit-distance.ts';
import { findFixes, type MessageFaults, readMessageForm } from '../../../services/messages/drafts.ts';
import { present } from '../../block-kit/build.ts';
import { withEmoji } from '../../block-kit/emoji.ts';
import { mrkdwn, typedNumbers } from '../../block-kit/text.ts';
import { defineCommand, unknown } from '../../kit/command.ts';
import { fieldsOfTemplate } from '../../kit/template-field.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage, UserError } from '../../middleware/errors.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import { numbersOfMessage } from '../../middleware/numbers-of-message.ts';
import type { ActionRequest, CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { didYouMean } from '../../middleware/unknown-subcommand.ts';
import type { Navigation, ToolContent } from '../../navigation/navigation.ts';
import { registerMessageForm } from './compose.ts';
import { messageActions } from './outcome-view.ts';
import { faultsMessage, reviewDraft, reviewMessage } from './review.ts';
import { registerReview } from './review-listeners.ts';

/** `/sms`: the form, the review of a message that was typed whole, and the views of other features. */
export function registerSms(router: Router, context: AppContext): void {
  createSmsCommand(context).register(router);
  const onShortcut = whenConnected(context, (call) => sendToNumbersOf(context, call));
  router.shortcut('send_sms_to', 'send', onShortcut);
  router.action(messageActions.sameRecipients, 'send', async (call) => {
    const recipients = typedNumbers(await recipientsOf(context, call));
    const draftId = idempotencyKey(call.user.workspaceId, call.requestId);
    await call.push(await context.navigation.messageForm(call.user, { recipients }, { draftId }));
  });
  router.action(messageActions.doNotContact, 'look_up', async (call) => {
    const [number] = await recipientsOf(context, call);
    await call.push(
      await context.navigation.suppressionList(call.user, { typed: typedNumbers(present(number)) }),
    );
  });
  registerMessageForm(router, context);
  registerReview(router, context);
}

/** Returns whom a message of the user's own went to, whose key is the value of the button. */
async function recipientsOf(
  { services: { messages } }: AppContext,
  { user, value }: ActionRequest,
): Promise<readonly PhoneNumber[]> {
  const { operation } = await messages.find(user.workspaceId, value, user.userId);
  const sent = operation && (await messages.sent(operation));
  if (sent?.kind !== 'kept') {
    throw new UserError(mrkdwn`This message’s number has been deleted.`);
  }
  return sent.numbers;
}

function createSmsCommand(context: AppContext) {
  const { navigation, services } = context;
  // Whether a text without a digit is a message depends on no country. One with a digit may be a message.
  const isMessage = (text: string): boolean =>
    /\d/.test(text) || (readTypedSms(text, 'NG') !== undefined && !command.isMisspelt(text));

  const command = defineCommand(context, {
    name: 'sms',
    title: 'How to send an SMS',
    purpose: mrkdwn`*Send an SMS* to one number or many.`,
    note: mrkdwn`Only you see results, unless you choose a channel. Switchboard never resends an unconfirmed message.`,
    words: {
      bulk: {
        needs: 'campaign',
        connected: true,
        help: (name) =>
          mrkdwn`\`${name} bulk\` starts a campaign: a CSV file of up to a million rows, pasted numbers or a phonebook. \`${name} bulk list\` lists campaigns.`,
        run: async ({ open, user, requestId, channelId: origin }) =>
          open(await navigation.campaignForm(user, { requestId, origin })),
      },
      'bulk list': {
        needs: 'campaign',
        run: async ({ open, user }) => open(await navigation.campaigns(user)),
      },
      scheduled: {
        needs: 'send',
        help: (name) =>
          mrkdwn`\`${name} scheduled\` lists your scheduled messages, to change or cancel them.`,
        run: async ({ open, user }) => open(await navigation.campaigns(user)),
      },
      'history …': {
        needs: 'use',
        help: (name) =>
          mrkdwn`\`${name} history\` shows your messages and how they ended, \`${name} history +2348031234567\` the conversation with a number.`,
        run: async ({ open, user }, typed) => open(await navigation.history(user, { typed })),
      },
      'do-not-contact …': {
        needs: 'look_up',
        help: (name) => mrkdwn`\`${name} do-not-contact\` opens the list of opted-out numbers.`,
        run: async ({ open, user }, typed) => open(await navigation.suppressionList(user, { typed })),
      },
      'template …': {
        needs: 'send',
        help: (name) =>
          mrkdwn`\`${name} template\` opens the templates. \`${name} template Order ready +2348031234567\` opens a message with that template for review.`,
        run: async (call, typed) =>
          typed === ''
            ? call.open(await navigation.templates(call.user))
            : whenConnected(context, () => useTemplate(context, call, typed), 'sms')(call),
      },
    },
    otherwise: {
      needs: (text) => (isMessage(text) ? 'send' : 'use'),
      connected: true,
      help: (name) => [
        mrkdwn`\`${name}\` opens the form.`,
        mrkdwn`\`${name} +2348031234567, +2348051234567 Hello\` shows a review with pages, cost, route and warnings. *Send* sends the message.`,
      ],
      accepts: isMessage,
      async run(call) {
        const { country } = await services.workspaces.defaults(call.user.workspaceId);
        const typed = readTypedSms(call.text, country);
        return typed === undefined || (typed.recipients === '' && command.isMisspelt(call.text))
          ? unknown
          : compose(context, call, typed, country);
      },
    },
  });
  return command;
}

/** What a message begins with that was typed, or comes from a template. */
type TypedMessage = { text: string } & Parameters<Navigation['messageForm']>[1];

/** Opens the form, shows the review of a complete message, or names its faults. */
async function compose(
  context: AppContext,
  call: CommandRequest,
  typed: TypedMessage,
  country: CountryCode,
): Promise<void> {
  const { services, navigation, settings } = context;
  const { messages, senderIds, unicode } = services;
  const { user, channelId: origin } = call;
  const { workspaceId, userId } = user;
  const { recipients, text } = typed;
  const draftId = idempotencyKey(workspaceId, call.requestId);
  const begin = await messages.prefill(workspaceId, userId, text);
  const form = { ...begin, ...typed };
  const active = await senderIds.activeFor(workspaceId, form);
  const rules = { unicode, active };
  const read = readMessageForm(form, { country, ...rules });
  const faults = read.ok || recipients + text === '' ? [] : faultsOfTyped(read.faults, text);
  if (read.content !== undefined && faults.length > 0) {
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const { commandPrefix } = settings;
    const fixes = findFixes(read.content, rules);
    await call.reply(faultsMessage(faults, draft, { origin, commandPrefix, fixes }));
  } else if (!read.ok) {
    await call.open(await navigation.messageForm(user, typed, { draftId, origin }));
  } else {
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    await call.reply(
      reviewMessage(await reviewDraft(context, user, draft), origin, { duplicates: read.duplicates }),
    );
  }
}

/** How many similar template names to suggest. */
const maxNearest = 3;

/** Shows the review of a template’s message. Where it has columns or nobody to go to, opens the form with it. */
async function useTemplate(context: AppContext, call: CommandRequest, typed: string): Promise<void> {
  const { services, navigation } = context;
  const { workspaceId } = call.user;
  const all = await services.templates.list(workspaceId);
  const read = readTypedTemplate(typed, all);
  if (read.found === undefined) {
    const { name } = read;
    const distance = (other: string) => editDistance(templateKey(name), templateKey(other));
    const nearest = all
      .map((each) => each.name)
      .sort((one, other) => distance(one) - distance(other))
      .slice(0, maxNearest)
      .map((each) => ({ label: mrkdwn`*${each}*`, text: `template ${each} ${read.rest}`.trim() }));
    await call.reply(
      didYouMean('sms', mrkdwn`No template named “${name}”. Nothing was sent.`, nearest, 'Use template'),
    );
    return;
  }
  const message = { recipients: read.rest, ...fieldsOfTemplate(read.found) };
  if (message.recipients === '' || writtenColumns(message.text).length > 0) {
    const opening = { draftId: idempotencyKey(workspaceId, call.requestId), origin: call.channelId };
    await call.open(await navigation.messageForm(call.user, message, opening));
    return;
  }
  const { country } = await services.workspaces.defaults(workspaceId);
  await compose(context, call, message, country);
}

/** Keeps a message of another feature as a draft. Throws a UserError for recipients or a text that cannot be sent. */
export function createMessageDraft(context: AppContext): ToolContent['messageDraft'] {
  const { messages, senderIds, unicode, workspaces } = context.services;
  const { commandPrefix } = context.settings;
  return async (viewer, draftId, { senderId, ...fields }) => {
    const typed = { ...fields, text: withEmoji(fields.text) };
    const { workspaceId, userId } = viewer;
    const { country, route: usual } = await workspaces.defaults(workspaceId);
    const begin = await messages.prefill(workspaceId, userId, typed.text);
    // What is drafted is an SMS, also where the last message was a call, or went through the chat app.
    const route = [begin.route, usual].find(isBilledByPage) ?? 'dnd';
    const form = { ...begin, ...typed, route, senderId: senderId ?? begin.senderId };
    const active = await senderIds.activeFor(workspaceId, form);
    const rules = { unicode, active };
    const read = readMessageForm(form, { country, ...rules });
    const fixes = read.content && findFixes(read.content, rules);
    const faults = read.ok || fixes?.accents ? [] : faultsOfTyped(read.faults, typed.text);
    if (faults.length > 0 || read.content === undefined || fixes === undefined) {
      throw new UserError(mrkdwn`${faults.join(' ')} Nothing was drafted.`);
    }
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const content = read.ok
      ? reviewMessage(await reviewDraft(context, viewer, draft), undefined, { duplicates: read.duplicates })
      : faultsMessage(Object.values(read.faults), draft, { origin: undefined, commandPrefix, fixes });
    return { content, state: read.ok ? 'ready' : fixes.accents ? 'accented' : 'incomplete' };
  };
}

/** The faults of the typed text. If the sender or text is missing, the form asks for it. */
function faultsOfTyped({ recipients, text: ofText }: MessageFaults, text: string): string[] {
  return present(recipients, text !== '' && ofText);
}

/**
 * Reads `+2348031234567, +2348051234567 Hello`, or numbers alone, which prefill the form. Returns undefined for a word alone,
 * or after *bulk*: it may have been meant as a subcommand.
 */
export function readTypedSms(
  typed: string,
  country: CountryCode,
): { recipients: string; text: string } | undefined {
  const { numbersText, rest } = splitNumbersFromText(typed, country);
  if (numbersText !== '') {
    return { recipients: numbersText, text: rest };
  }
  const [, first = '', others = ''] = /^(\S*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  if (/^[+(]?\d/.test(first)) {
    return { recipients: first, text: others };
  }
  return (first !== '' && others === '') || first.toLowerCase() === 'bulk'
    ? undefined
    : { recipients: '', text: typed.trimStart() };
}

/**
 * *Send SMS to…* in the menu of a message: the answer in the thread of a number, as no command works in threads of Slack; and
 * otherwise the form, prefilled with the numbers that the thread’s outcome of a message went to, or that are in the message.
 */
async function sendToNumbersOf(context: AppContext, call: CommandRequest): Promise<void> {
  const { navigation, services } = context;
  const { user, channelId: channel, threadTs: ts = '' } = call;
  const { workspaceId, userId } = user;
  const draftId = idempotencyKey(workspaceId, call.requestId);
  const thread = await services.replies.find(workspaceId, { channel, ts });
  if (thread?.sender !== undefined) {
    await call.open(await navigation.replyForm(user, { threadId: thread.id, draftId }));
    return;
  }
  const { data: number } = phoneNumberSchema.safeParse(thread?.number);
  const about = number
    ? [number]
    : await services.messages.recipientsAt(workspaceId, userId, { channel, ts });
  const found = about === undefined ? await numbersOfMessage(call, context) : { numbers: about };
  if (found === undefined) {
    return;
  }
  const recipients = typedNumbers(found.numbers);
  const opening = { draftId, origin: channel };
  await call.open(await navigation.messageForm(user, { recipients }, opening));
  if ('note' in found && found.note !== undefined) {
    await call.reply(errorMessage(found.note));
  }
}
