import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { maxSenderIdLength, readNewSenderId } from '../../../domain/messages/sender-id.ts';
import {
  readSenderIdForm,
  type SenderIdForm,
  senderIdSummarySchema,
} from '../../../services/sender-ids/sender-id-form.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { context, modal, notice, performingView, section } from '../../block-kit/build.ts';
import { failureLines } from '../../block-kit/descriptions/outcome.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { operationIcons, stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { type LastModal, lastModalBlocks } from '../../middleware/last-modal.ts';
import { requirePerformed } from '../../middleware/not-performed.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createOutcomeRenderer } from '../../notifier/outcome-renderer.ts';

/** What the provider's reviewers look at. */
const sampleHint =
  'A typical message, as customers will get it. Reviewers look for your company or the sender ID in the text.';

export const requestAction = 'sender_id_request';
const requestCallback = 'sender_id_request';
const typedAction = 'sender_id_typed';
/** The idempotency key of the form's request. */
const requestMetadata = z.object({ key: z.string() });

/** Requests for new sender IDs. */
export function registerSenderIdRequests(router: Router, context: AppContext): void {
  router.action(requestAction, 'campaign', async (call) => {
    await call.push(openingRequest(call));
  });

  router.action(typedAction, 'campaign', async ({ view }) => {
    const { key } = requestMetadata.parse(view?.metadata);
    await view?.replace(requestView(readRequest(view.values), key));
  });

  router.submission(requestCallback, 'campaign', async ({ user, values, metadata }) => {
    const { key } = requestMetadata.parse(metadata);
    const read = readSenderIdForm(readRequest(values));
    return read.ok
      ? {
          view: performingView('Sender ID', 'Requesting the sender ID…', 'requested'),
          background: () => request(context, user, key, read.form),
        }
      : { errors: read.faults };
  });

  router.closed(requestCallback, async ({ user, metadata }) => {
    const { key } = requestMetadata.parse(metadata);
    await context.services.operations.cancel(user.workspaceId, key, user.userId);
  });
}

async function request(
  { services, notifier }: AppContext,
  user: User,
  key: string,
  form: SenderIdForm,
): Promise<ModalView> {
  const requesting = await services.senderIds.request({ ...user, key, form });
  requirePerformed(requesting, 'Nothing was requested.');
  const delivery = await notifier.notify(requesting.operation);
  return requestOutcomeView(requesting.operation, { user, delivery });
}

/** The form of a new request. */
export function openingRequest({ user, requestId }: Pick<ActionRequest, 'user' | 'requestId'>): ModalView {
  const key = idempotencyKey(user.workspaceId, requestId);
  return requestView({ senderId: '', useCase: '', company: '' }, key);
}

/** The form for a new sender ID. Below its field stands whether the typed text is a valid one. */
export function requestView(form: SenderIdForm, key: string): ModalView {
  return modal({
    callbackId: requestCallback,
    title: 'Sender ID request',
    submit: 'Request',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { key },
    blocks: [
      textInput('senderId', 'Sender ID', form.senderId, {
        actionId: typedAction,
        maxLength: 20,
        focus: form.senderId === '',
        hint: '3 to 11 letters and digits, or a number.',
        dispatchOn: 'character',
      }),
      { ...context(validityNote(form.senderId)), block_id: 'verdict' },
      textInput('useCase', 'Sample message', form.useCase, {
        maxLength: 500,
        multiline: true,
        placeholder: 'Your order A1204 has left our shop and arrives tomorrow.',
        hint: sampleHint,
      }),
      textInput('company', 'Company', form.company, { maxLength: 100 }),
    ],
  });
}

function validityNote(typed: string): Markup {
  if (typed.trim() === '') {
    return mrkdwn`As recipients will see it.`;
  }
  const read = readNewSenderId(typed);
  return read.ok
    ? mrkdwn`${stateIcons.done} ${looksGood(read.senderId)}`
    : mrkdwn`${stateIcons.failed} ${read.reason}`;
}

/** Of a number, the length has no limit to measure it against. */
function looksGood(senderId: string): string {
  return /^\d+$/.test(senderId) ? 'Looks good.' : `Looks good (${senderId.length}/${maxSenderIdLength}).`;
}

function readRequest(values: FormValues): SenderIdForm {
  return {
    senderId: values.senderId?.text ?? '',
    useCase: values.useCase?.text ?? '',
    company: values.company?.text ?? '',
  };
}

/** The outcome of a request for a sender ID. */
export function requestOutcomeView(operation: Operation, modal?: LastModal): ModalView {
  return notice(
    titles[operation.state],
    section(outcomeText(operation)),
    ...lastModalBlocks(operation, modal),
  );
}

export const senderIdRenderer = createOutcomeRenderer({
  text: outcomeText,
  line: (operation) =>
    mrkdwn`Request for the sender ID ${senderIdSummarySchema.parse(operation.summary).senderId}`,
});

const titles: Record<Operation['state'], string> = {
  underway: 'Sender ID',
  accepted: 'Sender ID requested',
  rejected: 'Request rejected',
  not_sent: 'Request not sent',
  unconfirmed: 'Request unconfirmed',
};

function outcomeText(operation: Operation): Markup {
  const { senderId } = senderIdSummarySchema.parse(operation.summary);
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *In progress:* the request for *${senderId}*.`;
    case 'accepted':
      return mrkdwn`${operationIcons.accepted} *Requested: ${senderId}.* The sender ID is pending until the provider has reviewed it. Your account manager will contact you.`;
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The sender ID ${senderId}`,
        done: 'requested',
        check: 'Look for the sender ID in the list before you request it again.',
      });
  }
}
