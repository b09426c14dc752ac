import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { ReadingReview } from '../../../../domain/csv/number-table.ts';
import { type Change, seenSchema } from '../../../../domain/limits/seen.ts';
import { hasOptOutLink } from '../../../../domain/messages/opt-out-link.ts';
import { isBilledByPage, routeSchema, routeTitles } from '../../../../domain/messages/routes.ts';
import type { PhoneNumber } from '../../../../domain/phone/phone-number.ts';
import type { CampaignReview } from '../../../../services/campaigns/preflight/preflight.ts';
import { canSplit } from '../../../../services/campaigns/split.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import {
  actions,
  button,
  context,
  divider,
  modal,
  present,
  quotation,
  section,
} from '../../../block-kit/build.ts';
import { nobodyLeft, wordFor } from '../../../block-kit/descriptions/campaign-counts.ts';
import { changesBlock } from '../../../block-kit/descriptions/changes.ts';
import { describeCost } from '../../../block-kit/descriptions/costs.ts';
import { approvalBlocks, askForApproval } from '../../../block-kit/descriptions/needs-approval.ts';
import { readingBlocks } from '../../../block-kit/descriptions/table-reading.ts';
import { describeLetters, describeOptedOut } from '../../../block-kit/descriptions/warnings.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, formatDuration, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { joinWords, type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { sendWithoutAccents } from '../../../kit/fields.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, shownValue } from '../actions.ts';
import { type CampaignFacts, describeLeftOut, isSentAnyway, reviewWarnings } from './review-remarks.ts';
import { type StartForm, startInputs } from './start-form.ts';

export const campaignReviewCallback = 'campaign_review';
export const campaignReviewActions = {
  reading: 'campaign_reading',
  checkDnd: 'campaign_check_dnd',
  test: 'campaign_test',
  edit: 'campaign_edit',
  replace: 'campaign_replace',
  convert: 'campaign_convert_columns',
  withoutAccents: 'campaign_without_accents',
  followedUp: 'campaign_followed_up',
  splitByDnd: 'campaign_split_dnd',
  splitByQuietHours: 'campaign_split_quiet_hours',
  startAnyway: 'campaign_start_anyway',
} as const;

/** The id of the campaign, and the channel its form was opened from. */
export const reviewMetadata = z.object({
  id: z.string(),
  /** The version that is shown, see `Campaign`. */
  version: z.string(),
  /** Facts shown that may change before it starts. */
  seen: seenSchema,
  /** Set if it showed a limit that would refuse the start: submitting only looks again. */
  isLimited: z.literal(true).optional(),
  /** Set if it named recipients who opted out: submitting asks about them. */
  isToOptedOut: z.literal(true).optional(),
  origin: z.string().optional(),
  /** The next 08:00 in Lagos, if the form offers it. */
  morning: z.iso.datetime().optional(),
});
export type ReviewMetadata = z.infer<typeof reviewMetadata>;

/** What a review shows besides the import. */
interface ReviewOptions extends CampaignFacts {
  metadata: ReviewMetadata;
  form: StartForm;
  /** Whether `start` is the time that was filled in; otherwise no time was, or none that can be read. */
  isTimeRead: boolean;
  /** The user's time zone (IANA). */
  zone: string;
  now: Date;
  /** Whether *Replace with plain text* would reach more recipients, or take fewer pages. */
  replaceable: boolean;
  /** Whether the list can be read again with another text. */
  canConvert?: boolean;
  /** Whether the cells were replaced by plain text. */
  plainCells: boolean;
  /** Whether more recipients could be reached without accents. */
  isAccented: boolean;
  /** The letters that are sent without accents; undefined once the saved form is gone. */
  accents?: readonly (readonly [letter: string, plain: string])[] | undefined;
  /** How many recipients of the campaign that it follows up already got a follow-up, and whether they get this one too. */
  followedUp?: { count: number; areIncluded: boolean } | undefined;
  /** Whether they are recipients of another campaign who may have got its message. */
  mayRepeat?: boolean;
  /** What has changed since the user last saw it. */
  changed?: Markup | undefined;
  /** The channel in which the start needs approval. */
  approvalIn?: string | undefined;
  /** What changed after the review was confirmed. */
  changes?: readonly Change[] | undefined;
  /** How the list was read, to be corrected. */
  readingReview?: ReadingReview | undefined;
  /** Whom a message goes to. */
  to?: readonly PhoneNumber[];
  /** See `describeLeftOut`. */
  skipped?: Markup | undefined;
}

/**
 * What is reviewed before anything is sent: who gets what, who was left out, what it costs, and when it starts. Where
 * nobody is left, there is nothing to fill in and nothing to submit.
 */
export function campaignReviewView(review: CampaignReview, options: ReviewOptions): ModalView {
  const { campaign, quietUntil } = review;
  const { form, metadata, cost, start, isTimeRead, zone, approvalIn, plainCells, accents = [] } = options;
  const title = campaign.isMessage ? 'Message review' : 'Campaign review';
  const changed = options.changed === undefined ? [] : [section(options.changed)];
  const leftOut = present(
    campaign.bySlackbot && mrkdwn`Drafted by Slackbot`,
    ...describeLeftOut(campaign, options),
    options.mayRepeat === true &&
      mrkdwn`${stateIcons.unconfirmed} Some of them may have got the earlier campaign’s message.`,
    campaign.withoutAccents === true && describeLetters(accents),
    plainCells && mrkdwn`Special characters in the columns are replaced with plain text.`,
    campaign.route === 'dnd' &&
      !campaign.isMessage &&
      mrkdwn`The ${routeTitles.dnd} route is for transactional messages. Send promotions on ${routeTitles.generic}.`,
  ).map((text) => context(text));
  const { readingReview } = options;
  const reading =
    readingReview === undefined
      ? []
      : readingBlocks(readingReview, campaignReviewActions.reading, campaign.id);
  if (readingReview !== undefined && readingReview.doubts.length > 0) {
    const blocks = [
      ...changed,
      section(headline(review)),
      ...reading,
      ...leftOut,
      actions('look_further', ...editButtons(campaign)),
    ];
    return modal({ callbackId: campaignReviewCallback, title, metadata, blocks });
  }
  if (campaign.counts.recipients === 0) {
    const blocks = [
      ...changed,
      section(nobodyLeft(campaign)),
      ...followedUpBlocks(campaign, options.followedUp),
      ...leftOut,
      ...reviewButtons(review, options),
    ];
    return modal({ callbackId: campaignReviewCallback, title, metadata, blocks });
  }
  return modal({
    callbackId: campaignReviewCallback,
    title,
    submit: submitText(review, options),
    metadata,
    blocks: [
      ...changed,
      ...present(options.changes && changesBlock(options.changes)),
      section(headline(review)),
      ...(cost === undefined ? [] : [context(describeCost(cost, routeSchema.parse(campaign.route)))]),
      ...followedUpBlocks(campaign, options.followedUp),
      ...leftOut,
      ...reading,
      ...placeholderBlocks(campaign, options),
      ...(campaign.isMessage ? messageBlocks(review, options.to) : examples(review)),
      ...present(
        review.examples.some(({ text }) => hasOptOutLink(text)) &&
          context(mrkdwn`The opt-out link shown is an example. Each recipient gets a link of their own.`),
      ),
      ...reviewWarnings(review, options).map((warning) => section(warning)),
      ...approvalBlocks(approvalIn, form.when === 'repeat' ? 'runs' : wordFor(campaign)),
      ...reviewButtons(review, options),
      divider(),
      ...startInputs(form, {
        ...{ start: isTimeRead ? start : undefined, quietUntil, zone, now: options.now },
        isMessage: campaign.isMessage,
      }),
    ],
  });
}

/**
 * Asks before a message goes to people who opted out: the review’s own button, which Slack wants beside its fields, asks
 * nothing.
 */
export function optedOutView(optedOut: readonly PhoneNumber[], metadata: ReviewMetadata): ModalView {
  const yes = metadata.seen.approval === undefined ? 'Schedule anyway' : askForApproval;
  return modal({
    callbackId: 'campaign_opted_out',
    title: 'People who opted out',
    close: 'Keep as draft',
    blocks: [
      section(mrkdwn`${describeOptedOut(optedOut)} They may have asked you to stop messaging them.`),
      actions(
        'start_anyway',
        button(openActions.campaign, 'Review', { value: metadata.id }),
        button(campaignReviewActions.startAnyway, yes, { value: JSON.stringify(metadata), style: 'danger' }),
      ),
    ],
  });
}

function submitText(review: CampaignReview, options: ReviewOptions): string {
  const { when } = options.form;
  if (options.limit !== undefined) {
    return 'Review again';
  }
  if (options.approvalIn !== undefined && when !== 'repeat') {
    return askForApproval;
  }

  const verb = when === 'now' ? 'Send' : 'Schedule';
  const recipients = formatCount(review.campaign.counts.recipients);
  if (isSentAnyway(review, options)) {
    return `${verb} anyway`;
  }
  if (review.campaign.isMessage) {
    return verb;
  }
  return verb === 'Send' ? `Send to ${recipients}` : `Schedule for ${recipients}`;
}

function headline({ campaign, durationMs }: CampaignReview): Markup {
  const { counts, senderId, route, name, isMessage } = campaign;
  const recipients = pluralize(counts.recipients, 'recipient');
  const from = mrkdwn`From *${senderId}* on the *${routeTitle(route)}* route`;
  const how = isMessage ? from : mrkdwn`${from} · ${name} · takes about ${formatDuration(durationMs)}`;
  if (!hasPages(campaign)) {
    return mrkdwn`*${recipients}*\n${how}`;
  }
  const each =
    counts.fewestPages === counts.mostPages
      ? pluralize(counts.mostPages, 'page')
      : `${formatCount(counts.fewestPages)} to ${pluralize(counts.mostPages, 'page')}`;
  return mrkdwn`*${recipients}, ${pluralize(counts.pages, 'page')}* (${each} each)\n${how}`;
}

function hasPages({ route }: Campaign): boolean {
  return isBilledByPage(routeSchema.parse(route));
}

/** Names those who already got a follow-up: they are left out unless the person says otherwise. */
function followedUpBlocks({ id }: Campaign, followedUp: ReviewOptions['followedUp']): KnownBlock[] {
  if (followedUp === undefined || followedUp.count === 0) {
    return [];
  }
  const { count, areIncluded } = followedUp;
  const who = mrkdwn`*${formatCount(count)} already got a follow-up*`;
  return [
    areIncluded
      ? section(
          mrkdwn`${who}, and ${count === 1 ? 'gets' : 'get'} this one too.`,
          button(campaignReviewActions.followedUp, 'Skip them', { value: id }),
        )
      : section(
          mrkdwn`${who}, and ${count === 1 ? 'is' : 'are'} skipped.`,
          includeFollowedUpButton(id, count),
        ),
  ];
}

export function includeFollowedUpButton(id: string, count: number): Button {
  return button(
    campaignReviewActions.followedUp,
    count === 1 ? 'Include this one' : `Include these ${formatCount(count)}`,
    {
      value: id,
    },
  );
}

const maxPlaceholders = 3;

/** Offers to convert columns that are written as in another tool, which would be sent as they are. */
function placeholderBlocks(
  { id }: Campaign,
  { placeholders = [], canConvert = false }: Pick<ReviewOptions, 'placeholders' | 'canConvert'>,
): KnownBlock[] {
  const named = placeholders
    .slice(0, maxPlaceholders)
    .map(({ from, to }) => mrkdwn`“${from}” is written ${to} here`);
  if (named.length === 0) {
    return [];
  }
  const more = placeholders.length > named.length ? ` And ${placeholders.length - named.length} more.` : '';
  const text = mrkdwn`${stateIcons.unconfirmed} *Columns that won’t be filled in.* ${joinWords(named)}.${more}`;
  return canConvert
    ? [section(text, button(campaignReviewActions.convert, 'Convert columns', { value: id }))]
    : [section(mrkdwn`${text} Press *Edit* to correct them.`)];
}

function examples({ campaign, examples: list }: CampaignReview): KnownBlock[] {
  return list.flatMap(({ to, text, pages }) => [
    context(hasPages(campaign) ? mrkdwn`To ${to} · ${pluralize(pages, 'page')}` : mrkdwn`To ${to}`),
    quotation(text),
  ]);
}

/** A message as its recipients get it. */
function messageBlocks({ examples: list }: CampaignReview, to: readonly PhoneNumber[] = []): KnownBlock[] {
  return [section(mrkdwn`*To* ${joinWords(to)}`), ...list.slice(0, 1).map(({ text }) => quotation(text))];
}

function reviewButtons(
  { campaign, quietUntil }: CampaignReview,
  { replaceable, isAccented }: ReviewOptions,
): KnownBlock[] {
  const { id, counts, isMessage } = campaign;
  const step = (actionId: string, text: string) => button(actionId, text, { value: id });
  const send = (actionId: string, text: string) => button(actionId, text, { value: shownValue(campaign) });
  const isSomebodyLeft = counts.recipients > 0;
  const buttons = present(
    replaceable && step(campaignReviewActions.replace, 'Replace with plain text'),
    isAccented && step(campaignReviewActions.withoutAccents, sendWithoutAccents),
    isSomebodyLeft && hasPages(campaign) && step(campaignReviewActions.checkDnd, 'Check Do-Not-Disturb'),
    !isMessage &&
      canSplit(campaign, 'dnd') &&
      send(campaignReviewActions.splitByDnd, 'Split by Do-Not-Disturb'),
    quietUntil !== undefined &&
      !isMessage &&
      canSplit(campaign, 'quiet_hours') &&
      send(campaignReviewActions.splitByQuietHours, 'Split by quiet hours'),
    isSomebodyLeft && !isMessage && send(campaignReviewActions.test, 'Send a test to myself'),
    ...editButtons(campaign),
  );
  return [actions('look_further', ...buttons)];
}

function editButtons({ id, counts, isMessage }: Campaign): Button[] {
  const step = (actionId: string, text: string) => button(actionId, text, { value: id });
  return present(
    counts.invalid > 0 &&
      !isMessage &&
      step(campaignActions.invalid, `Download skipped rows (${formatCount(counts.invalid)})`),
    step(campaignReviewActions.edit, 'Edit'),
    step(campaignActions.discard, 'Discard'),
  );
}

/** Tells that the recipients are imported and the review is ready. */
export function importedMessage({ id, name, counts, withoutAccents, isMessage }: Campaign): SlackMessage {
  const what = isMessage ? 'Your scheduled message' : name;
  const text = mrkdwn`*${what} is ready:* ${pluralize(counts.recipients, 'recipient')}${withoutAccents ? ', without accents' : ''}. Nothing has been sent yet.`;
  return message(text, [
    section(text),
    actions('read', button(openActions.campaign, 'Review', { value: id, style: 'primary' })),
  ]);
}
