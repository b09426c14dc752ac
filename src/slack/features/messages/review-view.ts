import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { routes } from '../../../domain/messages/routes.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { DraftContent } from '../../../services/messages/drafts.ts';
import type { MessageReview, SendMessageResult } from '../../../services/messages/message-service.ts';
import { actions, button, context, modal, quotation, section } from '../../block-kit/build.ts';
import type { ChannelAccess } from '../../block-kit/channel-access.ts';
import { describePlace } from '../../block-kit/descriptions/channel-note.ts';
import { describeWarning } from '../../block-kit/descriptions/delivery-warnings.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, nonBreaking } from '../../block-kit/text.ts';
import { keyRemovedText } from '../../middleware/require-performed.ts';
import { composeMetadata } from './compose-view.ts';

export const reviewCallback = 'sms_review';
export const reviewActions = { send: 'sms_send', edit: 'sms_edit', cancel: 'sms_cancel' } as const;

/** The draft and the version that a review shows: its *Send* sends no other. */
export const draftRefSchema = composeMetadata.extend({ version: z.number().int() });
export type DraftRef = z.infer<typeof draftRefSchema>;
type ReviewOrigin = Pick<DraftRef, 'origin' | 'inMessage'>;

/**
 * The review of a message before it is sent, in the modal it was written in. Closing it cancels the draft, unless a
 * message shows that too.
 */
export function reviewView(
  review: MessageReview,
  from: ReviewOrigin,
  { duplicates = 0, access }: { duplicates?: number | undefined; access?: ChannelAccess | undefined } = {},
): ModalView {
  const ref = draftRef(review, from);
  return modal({
    callbackId: reviewCallback,
    title: 'Send this?',
    submit: review.warnings.length > 0 ? 'Send anyway' : 'Send',
    ...(from.inMessage ? {} : { close: 'Cancel', notifyOnClose: true }),
    metadata: ref,
    blocks: [
      ...summary(review, duplicates, access),
      actions('review', button(reviewActions.edit, 'Edit', { value: JSON.stringify(ref) })),
    ],
  });
}

/** The review as a message, after a command that is a whole message. */
export function previewMessage(
  review: MessageReview,
  origin: string | undefined,
  duplicates = 0,
): SlackMessage {
  const value = JSON.stringify(draftRef(review, { origin, inMessage: true }));
  return message(mrkdwn`Your message is ready: ${headline(review)}. Choose Send, Edit or Cancel.`, [
    ...summary(review, duplicates),
    actions(
      'review',
      button(reviewActions.send, review.warnings.length > 0 ? 'Send anyway' : 'Send', {
        value,
        style: 'primary',
      }),
      button(reviewActions.edit, 'Edit', { value }),
      button(reviewActions.cancel, 'Cancel', { value }),
    ),
  ]);
}

export function checkingDndView(): ModalView {
  return loadingView('One moment', 'Checking who is on Do-Not-Disturb…');
}

function draftRef({ draft }: MessageReview, { origin, inMessage }: ReviewOrigin): DraftRef {
  return { draftId: draft.id, version: draft.version, origin, inMessage };
}

function summary(review: MessageReview, duplicates: number, access?: ChannelAccess): KnownBlock[] {
  const { content } = review.draft;
  const result =
    content.channelId === undefined
      ? mrkdwn`The result is for you alone.`
      : mrkdwn`The result goes to ${describePlace(content.channelId, access)}.`;
  return [
    section(
      mrkdwn`*${headline(review)}*\nFrom *${content.senderId ?? ''}* on the *${routes[content.route].title}* route`,
    ),
    section(mrkdwn`*To* ${listRecipients(review)}`),
    ...(duplicates > 0 ? [context(mrkdwn`${duplicates} repeated: each number gets the message once.`)] : []),
    ...contentBlocks(content),
    context(
      content.recipients.length === 1
        ? result
        : mrkdwn`${pluralize(review.pagesEach, 'page')} for each. ${result}`,
    ),
    ...review.warnings.map((warning) => section(describeWarning(warning))),
  ];
}

/** The message exactly as the provider gets it. */
function contentBlocks({ route, text, media }: DraftContent): KnownBlock[] {
  if (media !== undefined) {
    return [quotation(media.url), ...(media.caption === undefined ? [] : [quotation(media.caption)])];
  }
  const spoken = mrkdwn`Read aloud as it stands here. The digits of a code are spaced, to be spoken one by one.`;
  return [quotation(text), ...(route === 'voice' ? [context(spoken)] : [])];
}

function headline({ draft, pages }: MessageReview): Markup {
  const { length } = draft.content.recipients;
  return mrkdwn`${pluralize(length, 'recipient')}, ${pluralize(pages, 'page')}`;
}

function listRecipients({ draft }: MessageReview): string {
  return draft.content.recipients.map((number) => nonBreaking(formatNumber(number))).join(', ');
}

export const cancelledText = 'You cancelled this message. Nothing was sent. Start again with the command.';

/** Why a draft was not sent, and what to do next. */
export function describeNotSent(
  sending: Exclude<SendMessageResult, { kind: 'performed' | 'changed' }>,
): Markup {
  switch (sending.kind) {
    case 'gone':
      return mrkdwn`This message is no longer here: drafts are kept for a day, for the person who wrote them. Nothing was sent. Start again with the command.`;
    case 'cancelled':
      return mrkdwn`${cancelledText}`;
    case 'incomplete':
      return mrkdwn`Recipients, sender ID or text are missing. Nothing was sent. Start again with the command.`;
    case 'not_connected':
      return keyRemovedText('Nothing was sent.');
  }
}
