import type { ModalView } from '@slack/types';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { DraftContent } from '../../../services/messages/drafts.ts';
import { readMessageForm } from '../../../services/messages/drafts.ts';
import { loadingView, option } from '../../block-kit/build.ts';
import { textLengthBlocks } from '../../block-kit/descriptions/warnings.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import {
  destinationField,
  type FormOf,
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
import type { Navigation, Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { type DraftOrigin, draftOriginSchema, reviewContent } from './review.ts';

/** The form of a message, up to its review. */
export function registerMessageForm(router: Router, context: AppContext): void {
  defineMessageForm(context).register(router);

  router.action(openActions.messageForm, 'send', async ({ user, requestId, open }) => {
    const draftId = idempotencyKey(user.workspaceId, requestId);
    await open(await context.navigation.messageForm(user, { recipients: '' }, { draftId }));
  });
}

/** The form as other features open it: its result is for the user alone unless they choose otherwise. */
export function createMessageForm(context: FormContext): Navigation['messageForm'] {
  const { messages, senderIds } = context.services;
  const form = defineMessageForm(context);
  return async (viewer, { recipients, text = '', route, ...from }, { draftId, origin }) => {
    const { workspaceId, userId } = viewer;
    // Asked for now, the list is there when the message is reviewed.
    void senderIds.knownActive(workspaceId).catch(() => {});
    const begin = await messages.prefill(workspaceId, userId, text);
    const given = fieldsOf(begin, { recipients, text, route: route ?? begin.route, ...from });
    return form.view(viewer, { draftId, origin }, { given });
  };
}

/** The form of a draft, or of another message like one that was sent. */
export function createDraftForm(context: FormContext) {
  const form = defineMessageForm(context);
  return async (viewer: Viewer, content: DraftContent, from: DraftOrigin): Promise<ModalView> => {
    const begin = await context.services.messages.prefill(viewer.workspaceId, viewer.userId);
    const { recipients, leftOut = [], senderId, route, text, media, channelId, showNumbers } = content;
    const given = fieldsOf(begin, {
      recipients: [...recipients.map(formatNumber), ...leftOut.map((left) => left.text)].join('\n'),
      what: media === undefined ? 'text' : 'file',
      text,
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
    return form.view(viewer, from, { given });
  };
}

/** A field that is shown later begins as in a new form. */
function fieldsOf(
  { senderId, device = '' }: { senderId?: string | undefined; device?: string | undefined },
  given: Partial<MessageForm>,
): Partial<MessageForm> {
  return { senderId, device, ...given };
}

type FormContext = Pick<AppContext, 'store' | 'services' | 'settings' | 'channels' | 'log'>;

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
  address: textField('URL of the file', {
    max: maxShort,
    hint: 'JPG, PNG, MP3, OGG, AMR, PDF or MP4. Videos need an audio track.',
  }),
  caption: textField('Caption', { max: maxShort, optional: true }),
  device: textField('Device', { max: maxShort, hint: 'The name of your device, shown as the sender.' }),
  senderId: senderField(),
  route: routeField(),
  destination: destinationField('numbers_and_text'),
});

type MessageForm = FormOf<ReturnType<typeof createFields>>;

const isChat = ({ route }: Pick<MessageForm, 'route'>) => route === 'chatapp';
const isFile = (form: Pick<MessageForm, 'route' | 'what'>) => isChat(form) && form.what === 'file';

function defineMessageForm(context: FormContext) {
  const { workspaces, contactNames, templates, unicode } = context.services;
  return defineForm({
    id: 'sms_compose',
    title: 'New message',
    submit: 'Review',
    needs: 'send',
    meta: draftOriginSchema,
    fields: createFields(context),
    load: async ({ workspaceId }) => ({ hasTemplates: await templates.areAny(workspaceId) }),
    first: (_, { origin }) => ({ destination: { inChannel: false, channelId: origin } }),
    when: {
      template: (_, { hasTemplates }) => hasTemplates,
      what: isChat,
      text: (form) => !isFile(form),
      address: isFile,
      caption: isFile,
      device: isChat,
      senderId: (form) => !isChat(form),
    },
    notes: {
      text: ({ form: { text, route } }) =>
        textLengthBlocks(text, { route, unicode, replaceAction: plainTextAction }),
    },
    replaces: { text: { action: plainTextAction, by: ({ text }) => toPlainText(text) } },
    slow: {
      loading: loadingView('New message', 'Looking the names up…'),
      nothingDone: mrkdwn`Nothing was sent.`,
    },
    fills: {
      template: {
        others: ['what', 'text', 'device', 'senderId', 'route'],
        async by(user, { template }) {
          const fields = await fieldsOfChosen(context, user, template);
          return fields && { what: 'text', ...fields };
        },
      },
    },
    async submitted({ user, meta, form }) {
      const names = await contactNames.resolve(user.workspaceId, form.recipients);
      if ('fault' in names) {
        return { faults: { recipients: names.fault } };
      }
      const { country } = await workspaces.defaults(user.workspaceId);
      const { inChannel, channelId, showNumbers } = form.destination;
      const destination = { channelId: inChannel ? channelId : undefined, showNumbers };
      const written = { ...form, ...destination, recipients: names.recipients, asFile: form.what === 'file' };
      const read = readMessageForm(written, { country, unicode });
      if (!read.ok) {
        return { faults: read.faults };
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
