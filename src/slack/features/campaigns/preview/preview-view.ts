import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { type RowProblem, rowProblemSchema } from '../../../../domain/csv/rejected-row.ts';
import { hasOptOutLink } from '../../../../domain/messages/opt-out-link.ts';
import { isBilledByPage, routeSchema } from '../../../../domain/messages/routes.ts';
import { columnsWithoutFallback, readTemplate } from '../../../../domain/messages/template.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preflight.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import {
  actions,
  button,
  context,
  divider,
  modal,
  option,
  present,
  quotation,
  section,
} from '../../../block-kit/build.ts';
import { describeCost } from '../../../block-kit/descriptions/costs.ts';
import { selectInput } from '../../../block-kit/inputs/fields.ts';
import { limits } from '../../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, formatDuration, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { joinInline, type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { campaignActions, openCampaignAction } from '../actions.ts';
import { askForApproval, needsApproval, nobodyLeft } from '../status/steering-texts.ts';
import { type CampaignFacts, isSentAnyway, previewWarnings } from './preview-remarks.ts';
import { type StartForm, startInputs } from './start-form.ts';

export const campaignPreviewCallback = 'campaign_preview';
export const previewActions = {
  column: 'campaign_column',
  checkDnd: 'campaign_check_dnd',
  test: 'campaign_test',
  edit: 'campaign_edit',
  replace: 'campaign_replace',
} as const;

/** The id of the campaign, and the channel its form was opened from. */
export const previewMetadata = z.object({
  id: z.string(),
  /** See `reviewedContent`. */
  reviewed: z.string(),
  origin: z.string().optional(),
  /** The next 08:00 in Lagos, if the form offers it. */
  morning: z.iso.datetime().optional(),
});
type PreviewMetadata = z.infer<typeof previewMetadata>;

/** What a preview shows besides the import. */
interface PreviewOptions extends CampaignFacts {
  metadata: PreviewMetadata;
  form: StartForm;
  /** Whether `start` is the time that was filled in; otherwise no time was, or none that can be read. */
  isTimeRead: boolean;
  /** The user's time zone (IANA). */
  zone: string;
  /** Whether *Replace with plain text* would reach more recipients, or take fewer pages. */
  replaceable: boolean;
  /** Whether the cells were replaced by plain text. */
  plainCells: boolean;
  /** The channel in which the start needs approval. */
  approvalIn?: string | undefined;
  /** The columns of the file, to choose the one with the numbers. */
  columns?: Preview['columns'];
}

/**
 * What is reviewed before anything is sent: who gets what, who was left out, what it costs, and when it starts. Where
 * nobody is left, there is nothing to fill in and nothing to submit.
 */
export function campaignPreviewView(preview: Preview, options: PreviewOptions): ModalView {
  const { campaign, quietUntil } = preview;
  const { form, metadata, cost, start, isTimeRead, zone, approvalIn } = options;
  const title = 'Campaign review';
  const leftOut = [...leftOutBlocks(campaign, options), ...remarks(campaign, options)];
  if (campaign.counts.recipients === 0) {
    const blocks = [section(nobodyLeft(campaign)), ...leftOut, ...previewButtons(preview, options)];
    return modal({ callbackId: campaignPreviewCallback, title, metadata, blocks });
  }
  return modal({
    callbackId: campaignPreviewCallback,
    title,
    submit: submitText(preview, options),
    metadata,
    blocks: [
      section(headline(preview)),
      ...(cost === undefined ? [] : [context(describeCost(cost, routeSchema.parse(campaign.route)))]),
      ...leftOut,
      ...columnInput(options.columns),
      ...examples(preview),
      ...linkRemark(preview),
      ...previewWarnings(preview, options).map((warning) => section(warning)),
      ...(approvalIn === undefined ? [] : [section(needsApproval(approvalIn))]),
      ...previewButtons(preview, options),
      divider(),
      ...startInputs(form, { start: isTimeRead ? start : undefined, quietUntil, zone }),
    ],
  });
}

function submitText(preview: Preview, options: PreviewOptions): string {
  if (options.approvalIn !== undefined) {
    return askForApproval;
  }

  const verb = options.form.when === 'now' ? 'Send' : 'Schedule';
  const recipients = formatCount(preview.campaign.counts.recipients);
  if (isSentAnyway(preview, options)) {
    return `${verb} anyway`;
  }
  return verb === 'Send' ? `Send to ${recipients}` : `Schedule for ${recipients}`;
}

function remarks({ route }: Campaign, { plainCells }: PreviewOptions): KnownBlock[] {
  return present(
    plainCells && context(mrkdwn`Special characters in the columns are replaced with plain text.`),
    route === 'dnd' &&
      context(mrkdwn`The DND route is for transactional messages. Send promotions on Generic.`),
  );
}

function headline({ campaign, durationMs }: Preview): Markup {
  const { counts, senderId, route, name } = campaign;
  const recipients = pluralize(counts.recipients, 'recipient');
  const how = mrkdwn`From *${senderId}* on the *${routeTitle(route)}* route · ${name} · takes about ${formatDuration(durationMs)}`;
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

function columnInput(columns: Preview['columns']): InputBlock[] {
  if (columns === undefined) {
    return [];
  }
  const offered = columns.titles
    .map((title, index) => option(title.trim() || `Column ${index + 1}`, String(index)))
    .slice(0, limits.options);
  return [
    selectInput('column', 'Column of phone numbers', offered, {
      actionId: previewActions.column,
      chosen: String(columns.chosen),
      dispatch: true,
    }),
  ];
}

function examples({ campaign, examples: list }: Preview): KnownBlock[] {
  return list.flatMap(({ to, text, pages }) => [
    context(hasPages(campaign) ? mrkdwn`To ${to} · ${pluralize(pages, 'page')}` : mrkdwn`To ${to}`),
    quotation(text),
  ]);
}

function linkRemark({ examples: list }: Preview): KnownBlock[] {
  return list.some(({ text }) => hasOptOutLink(text))
    ? [context(mrkdwn`The opt-out link shown is an example. Each recipient gets a link of their own.`)]
    : [];
}

function previewButtons({ campaign }: Preview, { replaceable }: PreviewOptions): KnownBlock[] {
  const { id, counts } = campaign;
  const step = (actionId: string, text: string) => button(actionId, text, { value: id });
  const isSomebodyLeft = counts.recipients > 0;
  const buttons = present(
    replaceable && step(previewActions.replace, 'Replace with plain text'),
    isSomebodyLeft && hasPages(campaign) && step(previewActions.checkDnd, 'Check Do-Not-Disturb'),
    isSomebodyLeft && step(previewActions.test, 'Send a test to myself'),
    counts.invalid > 0 &&
      step(campaignActions.invalid, `Download skipped rows (${formatCount(counts.invalid)})`),
    step(previewActions.edit, 'Edit'),
    step(campaignActions.discard, 'Discard'),
  );
  return [actions('look_further', ...buttons)];
}

/** Tells that the recipients are imported and the preview is ready. */
export function importedMessage(preview: Preview): SlackMessage {
  const { id, name, counts } = preview.campaign;
  const text = mrkdwn`*${name} is ready:* ${pluralize(counts.recipients, 'recipient')}. Nothing has been sent yet.`;
  return message(text, [
    section(text),
    actions('read', button(openCampaignAction, 'Review', { value: id, style: 'primary' })),
  ]);
}

/**
 * What was left out of the list: duplicates, suppressed numbers, recipients who need no second message, and skipped rows with
 * the remedy for each problem.
 * `replaceable`: whether the view offers *Replace with plain text*.
 */
function leftOutBlocks(campaign: Campaign, options: { replaceable: boolean }): KnownBlock[] {
  const { duplicates, suppressed, acceptedBefore, invalid } = campaign.counts;
  const removed = [
    ...(duplicates === 0 ? [] : [mrkdwn`${pluralize(duplicates, 'duplicate')} removed`]),
    ...(suppressed === 0 ? [] : [mrkdwn`${formatCount(suppressed)} on the do-not-contact list removed`]),
    ...(acceptedBefore === 0 ? [] : [mrkdwn`${formatCount(acceptedBefore)} accepted after all, removed`]),
  ];
  return [
    ...(removed.length === 0 ? [] : [context(joinInline(removed))]),
    ...(invalid === 0 ? [] : [context(describeSkippedRows(campaign, options))]),
  ];
}

/** The most frequent problem first. */
function describeSkippedRows(
  { counts, invalidByProblem = {}, text = '' }: Campaign,
  { replaceable }: { replaceable: boolean },
): Markup {
  const rows = mrkdwn`:warning: *${pluralize(counts.invalid, 'row')} skipped*`;
  const problems = rowProblemSchema.options
    .map((problem) => ({ problem, count: invalidByProblem[problem] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(({ problem, count }) => describeProblem(problem, count, { text, replaceable }));
  return problems.length === 0 ? rows : mrkdwn`${rows}: ${joinInline(problems)}`;
}

/** `text` is the campaign's, whose columns have no fallback. */
function describeProblem(
  problem: RowProblem,
  count: number,
  { text, replaceable }: { text: string; replaceable: boolean },
): Markup {
  const rows = formatCount(count);
  switch (problem) {
    case 'missing_value':
      return describeMissing(rows, count === 1 ? 'has' : 'have', text);
    case 'shortened':
      return mrkdwn`${rows} shortened by Excel: format the column as text and export again`;
    case 'no_number':
      return mrkdwn`${rows} empty`;
    case 'too_short':
      return mrkdwn`${rows} too short`;
    case 'too_long':
      return mrkdwn`${rows} too long`;
    case 'not_a_number':
      return mrkdwn`${rows} not a number`;
    case 'several_numbers':
      return mrkdwn`${rows} with several numbers: give each number a row`;
    case 'replaceable_characters':
      return mrkdwn`${rows} with characters that can’t be sent: ${replaceable ? mrkdwn`press *Replace with plain text*` : mrkdwn`press *Edit* and replace special characters`}`;
    case 'unsendable_characters':
      return mrkdwn`${rows} with letters or emoji that can’t be sent`;
    case 'text_too_long':
      return mrkdwn`${rows} with a message that is too long`;
    case 'text_empty':
      return mrkdwn`${rows} with an empty message`;
  }
}

function describeMissing(rows: string, verb: 'has' | 'have', text: string): Markup {
  const read = readTemplate(text);
  const columns = read.ok ? columnsWithoutFallback(read.template) : [];
  const [example = 'column'] = columns;
  const fallback = example.includes('name') ? 'there' : 'text if empty';
  const remedy = columns.length > 1 ? 'add fallbacks like' : 'add a fallback like';
  return mrkdwn`${rows} ${verb} no ${columns.join(' or ')}: ${remedy} ${`{{${example}|${fallback}}}`}`;
}
