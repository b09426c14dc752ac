import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { type MessageForm, readMessageForm } from '../../../services/messages/drafts.ts';
import { modal, option } from '../../block-kit/build.ts';
import { textLengthBlocks } from '../../block-kit/descriptions/warnings.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { radioInput, textInput } from '../../block-kit/inputs/fields.ts';
import { messageInput } from '../../block-kit/inputs/message-input.ts';
import { routeInput, senderIdInput } from '../../block-kit/inputs/selects.ts';
import { limits } from '../../block-kit/limits.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { ActionView } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { outcomeForSender } from './outcome-view.ts';
import {
  type ComposeMetadata,
  cancelledText,
  checkingDndView,
  composeMetadata,
  reviewDraft,
  reviewView,
} from './review.ts';

/** The form of a message, up to its review. */
export function registerMessageForm(router: Router, context: AppContext): void {
  const { services, navigation, channels } = context;
  const { messages, workspaces, unicode } = services;

  router.action(openActions.messageForm, 'send', async ({ user, requestId, open }) => {
    const draftId = idempotencyKey(user.workspaceId, requestId);
    await open(await navigation.messageForm(user, { recipients: '' }, { draftId }));
  });

  registerFormChanges(router, context);

  router.submission(composeCallback, 'send', async ({ user, values, metadata }) => {
    const { workspaceId, userId } = user;
    const opened = composeMetadata.parse(metadata);
    const { draftId, origin, inMessage } = opened;
    const form = readCompose(values, opened);
    const { country } = await workspaces.defaults(workspaceId);
    const { inChannel, channelId, showNumbers } = form.destination;
    const destinationId = inChannel ? channelId : undefined;
    const read = readMessageForm({ ...form, channelId: destinationId, showNumbers }, { country, unicode });
    if (!read.ok) {
      return { errors: read.faults };
    }
    const { operation, cancelled } = await messages.find(workspaceId, draftId, userId);
    if (operation !== undefined) {
      return { view: await outcomeForSender(context, operation) };
    }
    if (cancelled) {
      return { errors: { recipients: cancelledText } };
    }
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const review = async () =>
      reviewView(
        await reviewDraft(context, user, draft),
        { origin, inMessage },
        { duplicates: read.duplicates, access: channels.known(workspaceId, destinationId ?? '') },
      );
    return messages.reviewTakesTime(read.content)
      ? { view: checkingDndView(), background: review }
      : { view: await review() };
  });
}

/** What changes the form while it is open: a choice, typed text, *Replace with plain text*. */
function registerFormChanges(router: Router, context: AppContext): void {
  const settings = composeSettings(context);
  const formIn = async (view: ActionView) => {
    const metadata = composeMetadata.parse(view.metadata);
    const values = await view.rememberedValues();
    return { metadata, values, form: readCompose(values, metadata) };
  };

  router.action(composeActions.route, 'send', async ({ user, view }) => {
    if (view !== undefined) {
      const { form, values, metadata } = await formIn(view);
      const begin = await context.services.messages.prefill(user.workspaceId, user.userId);
      const sender = fillSender(form, values, begin);
      await view.replace(composeView({ ...form, ...sender }, metadata, settings));
    }
  });

  for (const field of ['what', 'text', 'replacedText', 'place'] as const) {
    router.action(composeActions[field], 'send', async ({ view }) => {
      if (view !== undefined) {
        const { form, metadata } = await formIn(view);
        await view.replace(composeView(form, metadata, settings));
      }
    });
  }

  router.action(plainTextAction, 'send', async ({ view }) => {
    if (view !== undefined) {
      const { form, metadata } = await formIn(view);
      const replaced = (metadata.replaced ?? 0) + 1;
      const plain = { ...form, text: toPlainText(form.text) };
      await view.replace(composeView(plain, { ...metadata, replaced }, settings));
    }
  });
}

type FormContext = Pick<AppContext, 'services' | 'settings'>;

export function composeSettings({ services, settings: { commandPrefix } }: FormContext): ComposeSettings {
  return { unicode: services.unicode, commandPrefix };
}

/** The form as other features open it: its result is for the user alone unless they choose otherwise. */
export function createMessageForm(context: FormContext): Navigation['messageForm'] {
  const { messages, senderIds } = context.services;
  const settings = composeSettings(context);
  return async ({ workspaceId, userId }, { recipients, text = '', route }, { draftId, origin }) => {
    // Asked for now, the list is there when the message is reviewed.
    void senderIds.knownActive(workspaceId).catch(() => {});
    const begin = await messages.prefill(workspaceId, userId, text);
    const destination = { inChannel: false, channelId: origin };
    const form = { ...begin, recipients, text, route: route ?? begin.route, destination };
    return composeView(form, { draftId, origin }, settings);
  };
}

const composeCallback = 'sms_compose';

/** A change of these updates the form: its fields follow the route, and it counts pages. */
const composeActions = {
  route: 'sms_route',
  what: 'sms_what',
  text: 'sms_text',
  replacedText: 'sms_replaced_text',
  place: 'sms_place_choice',
} as const;

const plainTextAction = 'sms_plain_text';

/** The form as filled in. */
type ComposeForm = Omit<MessageForm, 'channelId' | 'showNumbers'> & { destination: DestinationChoice };

/** What the form says beside what is typed into it. */
export interface ComposeSettings {
  /** Whether text outside the SMS alphabet can be sent. */
  unicode: boolean;
  commandPrefix: string;
}

/** Of a field of one line, in characters. */
const maxShort = 2000;
const asText = option('Text', 'text');
const asFile = option('File', 'file', 'By URL: image, audio, video or PDF');

export function composeView(
  form: ComposeForm,
  metadata: ComposeMetadata,
  settings: ComposeSettings,
): ModalView {
  const byChat = form.route === 'chatapp';
  return modal({
    callbackId: composeCallback,
    title: 'New message',
    submit: 'Review',
    close: 'Cancel',
    metadata,
    blocks: [
      recipientsInput(form, settings),
      ...(byChat
        ? [
            radioInput('what', 'Send', [asText, asFile], {
              chosen: form.asFile ? asFile : asText,
              actionId: composeActions.what,
            }),
          ]
        : []),
      ...(byChat && form.asFile ? fileFields(form) : textFields(form, metadata, settings)),
      byChat ? deviceInput(form) : senderIdInput('senderId', form.senderId),
      routeInput('route', composeActions.route, form.route),
      ...destinationInputs(form.destination, composeActions.place),
    ],
  });
}

function recipientsInput({ recipients }: ComposeForm, { commandPrefix }: ComposeSettings): InputBlock {
  return textInput('recipients', 'To', recipients, {
    maxLength: limits.inputText,
    multiline: true,
    focus: recipients === '',
    placeholder: '+234 803 123 4567, 0805 123 4567',
    hint: `Up to ${maxRecipientsPerRequest} numbers. For more, use /${commandPrefix}sms bulk.`,
  });
}

function deviceInput({ device }: ComposeForm): InputBlock {
  return textInput('device', 'Device', device, {
    maxLength: maxShort,
    hint: 'The name of your device, shown as the sender.',
  });
}

function fileFields(form: ComposeForm): InputBlock[] {
  return [
    textInput('address', 'URL of the file', form.address, {
      maxLength: maxShort,
      hint: 'JPG, PNG, MP3, OGG, AMR, PDF or MP4. Videos need an audio track.',
    }),
    textInput('caption', 'Caption', form.caption, { maxLength: maxShort, optional: true }),
  ];
}

function textFields(
  form: ComposeForm,
  metadata: ComposeMetadata,
  { unicode }: ComposeSettings,
): KnownBlock[] {
  return [
    messageInput(composeActions, form.text, metadata),
    ...textLengthBlocks(form.text, { route: form.route, unicode, replaceAction: plainTextAction }),
  ];
}

function readCompose(values: FormValues, { origin }: ComposeMetadata): ComposeForm {
  return {
    recipients: values.recipients?.text ?? '',
    senderId: values.senderId?.text,
    device: values.device?.text,
    route: values.route?.text,
    asFile: values.what?.text === 'file',
    text: values.text?.text ?? '',
    address: values.address?.text,
    caption: values.caption?.text,
    destination: readDestination(values, origin),
  };
}

/** Returns the sender and the device; a field that has not been shown yet begins as in a new form. */
function fillSender(
  form: ComposeForm,
  values: FormValues,
  begin: Pick<ComposeForm, 'senderId' | 'device'>,
): Pick<ComposeForm, 'senderId' | 'device'> {
  const shown = (field: 'senderId' | 'device') => Object.hasOwn(values, field);
  return {
    senderId: shown('senderId') ? form.senderId : begin.senderId,
    device: shown('device') ? form.device : begin.device,
  };
}
