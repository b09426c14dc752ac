import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { DraftContent } from '../../../services/messages/drafts.ts';
import { readMessageForm } from '../../../services/messages/drafts.ts';
import { loadingView, option } from '../../block-kit/build.ts';
import { textLengthBlocks } from '../../block-kit/descriptions/warnings.ts';
import { mrkdwn, typedNumbers } from '../../block-kit/text.ts';
import {
  accentsField,
  destinationField,
  type FormOf,
  offersAccents,
  radioField,
  routeField,
  senderField,
  textField,
} from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import { fieldsOfChosen, templateField } from '../../kit/template-field.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { cancelledMessage } from '../../middleware/explain-refusal.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation, ScheduledDraft, Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { outcomeForSender } from './outcome-view.ts';
import { type DraftOrigin, draftOriginSchema, reviewContent } from './review.ts';

/** The form of a message, up to its review. */
export function registerMessageForm(router: Router, context: AppContext): void {
  defineMessageForm(context).register(router);

  router.action(openActions.messageForm, 'send', async ({ user, value, requestId, push }) => {
    const draftId = idempotencyKey(user.workspaceId, requestId);
    const { data: number } = phoneNumberSchema.safeParse(value);
    const recipients = number === undefined ? '' : typedNumbers([number]);
    await push(await context.navigation.messageForm(user, { recipients }, { draftId }));
  });
}

/** The form as other features open it: its result is for the user alone unless they choose otherwise. */
export function createMessageForm(context: FormContext): Navigation['messageForm'] {
  const { messages, senderIds } = context.services;
  const form = defineMessageForm(context);
  return async (viewer, { recipients, text = '', route, ...from }, opening) => {
    const { workspaceId, userId } = viewer;
    // Asked for now, the list is there when the message is reviewed.
    void senderIds.knownActive(workspaceId).catch(() => {});
    const begin = await messages.prefill(workspaceId, userId, text);
    const initial = fieldsOf(begin, { recipients, text, route: route ?? begin.route, ...from });
    return form.view(viewer, opening, { initial });
  };
}

/** The form of a draft, or of another message like one that was sent. */
export function createDraftForm(context: FormContext) {
  const form = defineMessageForm(context);
  return async (viewer: Viewer, content: DraftContent, from: DraftOrigin): Promise<ModalView> => {
    const begin = await context.services.messages.prefill(viewer.workspaceId, viewer.userId);
    const {
      recipients,
      leftOut = [],
      senderId,
      route,
      text,
      accented,
      media,
      channelId,
      showNumbers,
    } = content;
    const initial = fieldsOf(begin, {
      recipients: [typedNumbers(recipients), ...leftOut.map((left) => left.text)].join('\n').trim(),
      what: media === undefined ? 'text' : 'file',
      text: accented ?? text,
      withoutAccents: accented !== undefined,
      address: media?.url ?? '',
      caption: media?.caption ?? '',
      route,
      ...(route === 'chatapp' ? { device: senderId ?? '' } : { senderId }),
      destination: {
        inChannel: channelId !== undefined,
        channelId: channelId ?? from.origin,
        showNumbers: showNumbers === true,
      },
    });
    return form.view(viewer, from, { initial });
  };
}

/** A field that is shown later begins as in a new form. */
function fieldsOf(
  { senderId, device = '' }: { senderId?: string | undefined; device?: string | undefined },
  initial: Partial<MessageForm>,
): Partial<MessageForm> {
  return { senderId, device, ...initial };
}

type FormContext = Pick<AppContext, 'store' | 'services' | 'settings' | 'channels' | 'log'> & {
  navigation: Pick<Navigation, 'scheduleMessage'>;
};

/** The form may change a message for later that is a draft. */
const composedSchema = draftOriginSchema.extend({
  scheduled: z.object({ id: z.string(), version: z.string() }).optional(),
});

/** Discards the draft of a message for later that is sent now. Resolves with false if it was scheduled meanwhile. */
async function discardScheduled(
  { services: { campaigns } }: FormContext,
  { workspaceId, userId }: Viewer,
  { id }: ScheduledDraft,
): Promise<boolean> {
  const own = { workspaceId, userId, isAdmin: false, id };
  return (await campaigns.discard(own)) || (await campaigns.find(own, id)) === undefined;
}

/** Of a field of one line, in characters. */
const maxShort = 2000;

const plainTextAction = 'sms_plain_text';

const createFields = ({ services, settings: { commandPrefix } }: FormContext) => ({
  recipients: textField('To', {
    multiline: true,
    focus: true,
    placeholder: '+234 803 123 4567, 0805 123 4567',
    hint: `Up to ${maxRecipientsPerRequest} numbers, or names from your phonebooks. For more, use /${commandPrefix}sms bulk.`,
  }),
  template: templateField({ services }),
  what: radioField(
    'Send',
    {
      text: option('Text', 'text'),
      file: option('File', 'file', 'By URL: image, audio, video or PDF'),
    },
    { first: 'text' },
  ),
  text: textField('Message', { multiline: true, live: 'character' }),
  withoutAccents: accentsField(),
  address: textField('URL of the file', {
    max: maxShort,
    hint: 'JPG, PNG, MP3, OGG, AMR, PDF or MP4. Videos need an audio track.',
  }),
  caption: textField('Caption', { max: maxShort, optional: true }),
  device: textField('Device', { max: maxShort, hint: 'The name of your device, shown as the sender.' }),
  senderId: senderField(),
  route: routeField(),
  timing: radioField(
    'When',
    { now: option('Now', 'now'), later: option('Later', 'later', 'You choose the time in the review') },
    { first: 'now' },
  ),
  destination: destinationField('numbers_and_text'),
});

type MessageForm = FormOf<ReturnType<typeof createFields>>;

const isChat = ({ route }: Pick<MessageForm, 'route'>) => route === 'chatapp';
const isFile = (form: Pick<MessageForm, 'route' | 'what'>) => isChat(form) && form.what === 'file';

function defineMessageForm(context: FormContext) {
  const { workspaces, contactNames, templates, senderIds, messages, unicode } = context.services;
  return defineForm({
    id: 'sms_compose',
    title: 'New message',
    submit: 'Review',
    needs: 'send',
    meta: composedSchema,
    fields: createFields(context),
    load: async ({ workspaceId }) => ({ hasTemplates: await templates.areAny(workspaceId) }),
    first: (_, { origin }) => ({ destination: { inChannel: false, channelId: origin } }),
    when: {
      template: (_, { hasTemplates }) => hasTemplates,
      what: isChat,
      text: (form) => !isFile(form),
      withoutAccents: (form) => !isFile(form) && offersAccents(form, unicode),
      address: isFile,
      caption: isFile,
      device: isChat,
      senderId: (form) => !isChat(form),
      timing: (form) => !isFile(form),
    },
    notes: {
      text: ({ form: { text, route, withoutAccents } }) =>
        textLengthBlocks(text, { route, unicode, withoutAccents, replaceAction: plainTextAction }),
    },
    replaces: { text: { action: plainTextAction, by: ({ text }) => toPlainText(text) } },
    slow: {
      loading: loadingView('New message', 'Looking the names up…'),
      nothingDone: mrkdwn`Nothing was sent.`,
    },
    fills: {
      template: {
        others: ['what', 'text', 'withoutAccents', 'device', 'senderId', 'route'],
        async by(user, { template }) {
          const fields = await fieldsOfChosen(context, user, template);
          return fields && { what: 'text', ...fields };
        },
      },
    },
    async submitted({ user, meta: { scheduled, ...meta }, form, beforeAckDeadline }) {
      const names = await contactNames.resolve(user.workspaceId, form.recipients);
      if ('fault' in names) {
        return { faults: { recipients: names.fault } };
      }
      const { country } = await workspaces.defaults(user.workspaceId);
      const { inChannel, channelId, showNumbers } = form.destination;
      const destination = { channelId: inChannel ? channelId : undefined, showNumbers };
      const written = { ...form, ...destination, recipients: names.recipients, asFile: form.what === 'file' };
      const active = await senderIds.activeFor(user.workspaceId, form);
      const read = readMessageForm(written, { country, unicode, active });
      if (!read.ok) {
        return { faults: read.faults };
      }
      if (form.timing === 'later' && !isFile(form)) {
        const sent = await messages.cancel(user.workspaceId, meta.draftId, user.userId);
        const { recipients, leftOut = [], route } = read.content;
        const all = [typedNumbers(recipients), ...leftOut.map((left) => left.text)].join('\n').trim();
        const { text, withoutAccents, senderId, device, destination: shownIn } = form;
        return sent === undefined
          ? context.navigation.scheduleMessage(
              user,
              { recipients: all, text, withoutAccents, route, senderId, device, destination: shownIn },
              { draft: scheduled ?? { id: meta.draftId }, origin: meta.origin, beforeAckDeadline },
            )
          : { view: await outcomeForSender(context, sent) };
      }
      if (scheduled !== undefined && !(await discardScheduled(context, user, scheduled))) {
        return { faults: { timing: 'This message is already scheduled. Cancel the scheduled one first.' } };
      }
      const access = context.channels.known(user.workspaceId, destination.channelId ?? '');
      const review = await reviewContent(context, user, meta, read.content, {
        duplicates: read.duplicates,
        access,
        names,
      });
      return review === 'cancelled' ? { faults: { recipients: cancelledMessage } } : review;
    },
  });
}
