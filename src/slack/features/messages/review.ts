import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { ReachedLimit } from '../../../domain/limits/reached-limit.ts';
import { seenSchema } from '../../../domain/limits/seen.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { isBilledByPage, needsConfirmation, routeTitles } from '../../../domain/messages/routes.ts';
import { countryPagesOf } from '../../../domain/money/country-pages.ts';
import { describeInvalid } from '../../../domain/phone/read-numbers.ts';
import type { NamedRecipients } from '../../../services/contacts/contact-names.ts';
import { type CostEstimate, isBalanceShort } from '../../../services/costs/estimate.ts';
import type { BudgetUse } from '../../../services/limits/budgets.ts';
import type { Draft, DraftContent, TextFixes } from '../../../services/messages/drafts.ts';
import { type SendMessageResult, whyNoDraft } from '../../../services/messages/message-service.ts';
import type { MessageReview, Reviewer } from '../../../services/messages/review-message.ts';
import { Refusal } from '../../../services/refusal.ts';
import {
  actions,
  button,
  confirmDialog,
  context,
  loadingView,
  modal,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { changesBlock } from '../../block-kit/descriptions/changes.ts';
import { type ChannelAccess, describeDestination } from '../../block-kit/descriptions/channel-note.ts';
import { describeCost, lowBalanceWarning } from '../../block-kit/descriptions/costs.ts';
import { budgetWarning, foreseenLimit } from '../../block-kit/descriptions/limits.ts';
import {
  describeAccents,
  describeDeliveryWarning,
  describeOptedOut,
  describeWarning,
} from '../../block-kit/descriptions/warnings.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, joinWords, type Markup, mrkdwn } from '../../block-kit/text.ts';
import { sendWithoutAccents } from '../../kit/fields.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { outcomeForSender } from './outcome-view.ts';

export const reviewCallback = 'sms_review';
export const reviewActions = {
  send: 'sms_send',
  edit: 'sms_edit',
  plainText: 'sms_review_plain_text',
  withoutAccents: 'sms_without_accents',
  reviewAgain: 'sms_review_again',
  cancel: 'sms_cancel',
} as const;

/** The id of the draft that the form writes, and the channel it was opened from. */
export const draftOriginSchema = z.object({
  draftId: z.string(),
  origin: z.string().optional(),
  /** Set if a message shows the draft too. Closing the form or its review then does not cancel the draft. */
  inMessage: z.literal(true).optional(),
});
export type DraftOrigin = z.infer<typeof draftOriginSchema>;

/**
 * The draft and the version that a review shows: its *Send* sends no other. `listed`: the recipients that it warned of as on
 * the do-not-contact list, by their positions; absent if it warned of nobody.
 */
export const draftRefSchema = draftOriginSchema.extend({
  version: z.number().int(),
  listed: z.array(z.number().int()).exactOptional(),
  /** Facts shown that may change. */
  seen: seenSchema,
});
export type DraftRef = z.infer<typeof draftRefSchema>;
type ReviewOrigin = Pick<DraftRef, 'origin' | 'inMessage'>;

/**
 * Remarks of a review: removed duplicates, the people behind names, whether the app can post in the channel,
 * and what changed after *Send* was pressed.
 */
interface ReviewRemarks {
  changes?: Extract<SendMessageResult, { kind: 'changed' }>['changes'] | undefined;
  duplicates?: number | undefined;
  access?: ChannelAccess | undefined;
  names?: Pick<NamedRecipients, 'numbers' | 'remarks'> | undefined;
}

/**
 * The review of a message before it is sent, in the modal it was written in. Closing it cancels the draft, unless a
 * message shows that too.
 */
export function reviewView(review: PricedReview, from: ReviewOrigin, remarks: ReviewRemarks = {}): ModalView {
  const ref = draftRef(review, from);
  const send = sendButton(review, ref);
  // A modal’s own button is always the first, and asks nothing.
  const isSubmitted = send !== undefined && send.confirm === undefined;
  return modal({
    callbackId: reviewCallback,
    title: 'Message review',
    ...(isSubmitted ? { submit: send.text.text } : {}),
    ...(from.inMessage ? {} : { close: 'Cancel', notifyOnClose: true }),
    metadata: ref,
    blocks: [
      ...summary(review, remarks),
      actions('review', ...changeButtons(review, ref), ...present(isSubmitted ? undefined : send)),
    ],
  });
}

/** The review as a message, after a command that is a whole message. */
export function reviewMessage(
  review: PricedReview,
  origin: string | undefined,
  remarks: Pick<ReviewRemarks, 'duplicates' | 'changes'> = {},
): SlackMessage {
  const ref = draftRef(review, { origin, inMessage: true });
  const send = sendButton(review, ref);
  const isRisky = send?.style === 'danger';
  const what = send === undefined ? mrkdwn`can’t be sent now` : mrkdwn`is ready`;
  return message(mrkdwn`Your message ${what}: ${headline(review)}.`, [
    ...summary(review, remarks),
    actions(
      'review',
      ...present(!isRisky && send),
      ...changeButtons(review, ref),
      ...present(isRisky && send),
      button(reviewActions.cancel, 'Cancel', { value: JSON.stringify(ref) }),
    ),
  ]);
}

/**
 * What is wrong with a message that was typed whole, with the form to correct it in. `isReplaceable`: whether *Replace with
 * plain text* corrects all of it.
 */
export function faultsMessage(
  faults: readonly string[],
  draft: Draft,
  options: { origin: string | undefined; commandPrefix: string; fixes: TextFixes },
): SlackMessage {
  const { origin, commandPrefix, fixes } = options;
  const text = mrkdwn`*Fix this and try again:*\n${faults.map((fault) => mrkdwn`• ${fault}`)}`;
  const value = JSON.stringify(draftRef({ draft, listed: [], seen: {} }, { origin, inMessage: true }));
  return message(text, [
    section(text),
    actions(
      'review',
      ...present(
        fixes.plainText && button(reviewActions.plainText, 'Replace with plain text', { value }),
        fixes.accents && button(reviewActions.withoutAccents, sendWithoutAccents, { value }),
      ),
      button(reviewActions.edit, 'Edit', { value, style: 'primary' }),
    ),
    context(mrkdwn`For help, type \`/${commandPrefix}sms help\`.`),
  ]);
}

function draftRef(
  { draft: { id, version }, listed, seen }: Pick<MessageReview, 'draft' | 'listed' | 'seen'>,
  { origin, inMessage }: ReviewOrigin,
): DraftRef {
  const onList = listed.length > 0 && { listed: [...listed] };
  return { draftId: id, version, origin, inMessage, ...onList, seen };
}

/**
 * *Send anyway* where somebody would not get the message, or it costs more than the user may expect. A message to people who
 * opted out has its own confirmation. Undefined where a limit would refuse it.
 */
function sendButton({ warnings, cost, limit }: PricedReview, ref: DraftRef): Button | undefined {
  if (limit !== undefined) {
    return undefined;
  }
  const value = JSON.stringify(ref);
  const optedOut = warnings.find((warning) => warning.kind === 'do_not_contact');
  if (optedOut !== undefined) {
    const confirm = confirmDialog({
      title: 'Send to people who opted out?',
      text: mrkdwn`${describeOptedOut(optedOut.recipients)} They may have asked you to stop messaging them.`,
      yes: 'Send anyway',
      no: 'Don’t send',
      danger: true,
    });
    return button(reviewActions.send, 'Send anyway', { value, style: 'danger', confirm });
  }
  const isDoubtful = warnings.some(needsConfirmation) || isBalanceShort(cost);
  return button(reviewActions.send, isDoubtful ? 'Send anyway' : 'Send', { value, style: 'primary' });
}

function changeButtons({ draft, warnings, limit }: PricedReview, ref: DraftRef): Button[] {
  const value = JSON.stringify(ref);
  const costsPages = warnings.some(({ kind }) => kind === 'special_characters');
  const isFewer = countPages(toPlainText(draft.content.text)).pages < countPages(draft.content.text).pages;
  return present(
    costsPages && isFewer && button(reviewActions.plainText, 'Replace with plain text', { value }),
    button(reviewActions.edit, 'Edit', { value }),
    limit !== undefined && button(reviewActions.reviewAgain, 'Review again', { value }),
  );
}

function summary(
  review: PricedReview,
  { duplicates = 0, access, names, changes }: ReviewRemarks,
): KnownBlock[] {
  const { content } = review.draft;
  const { leftOut = [] } = content;
  const to = joinWords(content.recipients);
  const named = [...(names?.numbers ?? [])].map(([name, number]) => mrkdwn`${name}: ${number}`);
  const low = lowBalanceWarning(review.cost, {
    whom: '',
    next: 'Some recipients may not get this message.',
  });
  return [
    ...present(changes && changesBlock(changes)),
    section(
      mrkdwn`*${headline(review)}*\nFrom *${content.senderId ?? ''}* on the *${routeTitles[content.route]}* route`,
    ),
    section(mrkdwn`*To* ${to}`),
    ...present<KnownBlock>(
      named.length > 0 && context(joinInline(named)),
      names !== undefined && names.remarks.length > 0 && context(mrkdwn`${names.remarks}`),
      leftOut.length > 0 && section(mrkdwn`${stateIcons.unconfirmed} *Skipped:* ${describeInvalid(leftOut)}`),
      duplicates > 0 && context(mrkdwn`${pluralize(duplicates, 'duplicate')} removed.`),
    ),
    ...contentBlocks(content),
    context(describeCost(review.cost, content.route), describeResult(review, access)),
    ...(review.limit === undefined
      ? review.budgets.map((use) => section(budgetWarning(use)))
      : [section(foreseenLimit(review.limit))]),
    ...review.warnings.map((warning) => section(describeWarning(warning))),
    ...review.delivery.map((warning) => section(describeDeliveryWarning(warning, content.senderId ?? ''))),
    ...present(low && section(low)),
  ];
}

function describeResult({ draft, pagesEach }: PricedReview, access?: ChannelAccess): Markup {
  const { route, recipients, channelId, replyTo } = draft.content;
  // Readers of a thread of replies see the answer there.
  const shown = replyTo === undefined ? 'The result goes' : 'The text and the result go';
  const result =
    channelId === undefined
      ? mrkdwn`Only you will see the result.`
      : mrkdwn`${shown} to ${describeDestination(channelId, access)}.`;
  return recipients.length === 1 || !isBilledByPage(route)
    ? result
    : mrkdwn`${pluralize(pagesEach, 'page')} each · ${result}`;
}

/** The message exactly as the provider gets it. */
function contentBlocks({ route, text, accented, media }: DraftContent): KnownBlock[] {
  if (media !== undefined) {
    return [quotation(media.url), ...(media.caption === undefined ? [] : [quotation(media.caption)])];
  }
  const spoken = mrkdwn`Read aloud exactly like this. The digits of a code are spoken one by one.`;
  return present<KnownBlock>(
    quotation(text),
    accented !== undefined && context(describeAccents(accented)),
    route === 'voice' && context(spoken),
  );
}

function headline({ draft, pages }: PricedReview): Markup {
  const { length } = draft.content.recipients;
  const recipients = pluralize(length, 'recipient');
  return isBilledByPage(draft.content.route)
    ? mrkdwn`${recipients}, ${pluralize(pages, 'page')}`
    : mrkdwn`${recipients}`;
}

/** What a user sees before a message is sent, with its probable cost and the limits. */
interface PricedReview extends MessageReview {
  cost: CostEstimate;
  /** Budgets that would be nearly used. */
  budgets: readonly BudgetUse[];
  /** What would refuse it now. */
  limit: ReachedLimit | undefined;
}

export async function reviewDraft(
  { services: { messages, costs, limits } }: Pick<AppContext, 'services'>,
  who: Reviewer,
  draft: Draft,
): Promise<PricedReview> {
  const { workspaceId } = who;
  const review = await messages.review(who, draft);
  const { route, recipients } = draft.content;
  const { pages } = review;
  const [cost, { budgets, limit }] = await Promise.all([
    costs.estimate(workspaceId, { route, pages: countryPagesOf(recipients, review.pagesEach) }),
    limits.check(workspaceId, { to: recipients, pages }),
  ]);
  await costs.saveEstimate({ workspaceId, subject: 'operation', id: draft.id }, cost);
  return { ...review, cost, budgets, limit };
}

/** Keeps a message as a draft, and returns its review; of a draft that was sent, its outcome. */
export async function reviewContent(
  context: Pick<AppContext, 'services' | 'store' | 'log'>,
  viewer: Reviewer,
  { draftId, ...from }: DraftOrigin,
  content: DraftContent,
  remarks?: ReviewRemarks,
): Promise<{ view: ModalView; background?: () => Promise<ModalView> } | 'cancelled'> {
  const { messages } = context.services;
  const { workspaceId, userId } = viewer;
  const { operation, cancelled } = await messages.find(workspaceId, draftId, userId);
  if (operation !== undefined) {
    return { view: await outcomeForSender(context, operation) };
  }
  if (cancelled) {
    return 'cancelled';
  }
  const draft = await messages.save(workspaceId, draftId, userId, content);
  const review = async () => reviewView(await reviewDraft(context, viewer, draft), from, remarks);
  return messages.reviewTakesTime(content)
    ? { view: loadingView('Message', 'Checking Do-Not-Disturb…'), background: review }
    : { view: await review() };
}

/** The review for other features, of a message from their own form. */
export function createMessageReview(
  context: Pick<AppContext, 'services' | 'store' | 'log'>,
): Navigation['messageReview'] {
  return async (viewer, draftId, content) => {
    const review = await reviewContent(context, viewer, { draftId }, content);
    if (review === 'cancelled') {
      throw new Refusal(whyNoDraft(true));
    }
    return review;
  };
}
