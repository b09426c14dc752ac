import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { DndSummary } from '../../../../services/campaigns/preflight/preflight.ts';
import type { Example, Preview } from '../../../../services/campaigns/preflight/preview.ts';
import {
  actions,
  button,
  context,
  divider,
  input,
  modal,
  notice,
  option,
  quotation,
  section,
} from '../../../block-kit/build.ts';
import type { ChannelAccess } from '../../../block-kit/channel-access.ts';
import { describePlace } from '../../../block-kit/descriptions/channel-note.ts';
import { limits } from '../../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, formatDuration, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { campaignActions, openCampaignAction } from '../actions.ts';
import { nobodyLeft } from '../status/steering-errors.ts';
import { leftOutBlocks, previewWarnings } from './preview-remarks.ts';
import { type StartForm, startInputs } from './start-inputs.ts';

export const campaignPreviewCallback = 'campaign_preview';
export const previewActions = {
  column: 'campaign_column',
  checkDnd: 'campaign_check_dnd',
  test: 'campaign_test',
  edit: 'campaign_edit',
} as const;

/** The id of the campaign, and the channel its form was opened from. */
export const previewMetadata = z.object({
  id: z.string(),
  origin: z.string().optional(),
  /** The next 08:00 in Lagos, if the form offers it. */
  morning: z.iso.datetime().optional(),
});
export type PreviewMetadata = z.infer<typeof previewMetadata>;

/** What a preview shows besides the import. */
export interface PreviewOptions {
  metadata: PreviewMetadata;
  form: StartForm;
  /** When it would start as filled in; undefined: now, or not known. */
  start?: Date | undefined;
  /** The user's time zone (IANA). */
  zone: string;
  dnd?: DndSummary | undefined;
  /** The columns of the file, to choose the one with the numbers. */
  columns?: Preview['columns'];
}

/** What is reviewed before anything is sent: who gets what, who was left out, and when it starts. */
export function campaignPreviewView(preview: Preview, options: PreviewOptions): ModalView {
  const { campaign } = preview;
  const { recipients } = campaign.counts;
  const { form, metadata } = options;
  return modal({
    callbackId: campaignPreviewCallback,
    title: 'Send to these?',
    ...(recipients === 0
      ? {}
      : { submit: `${form.when === 'now' ? 'Start' : 'Schedule'} (${formatCount(recipients)})` }),
    metadata,
    blocks: [
      section(headline(preview)),
      ...leftOutBlocks(campaign.counts),
      ...(recipients === 0 ? [section(nobodyLeft)] : columnInput(options.columns)),
      ...examples(preview.examples),
      ...previewWarnings(preview, options).map(section),
      ...previewButtons(preview),
      ...(recipients === 0
        ? []
        : [divider(), ...startInputs(form, { ...options, quietUntil: preview.quietUntil })]),
    ],
  });
}

function headline({ campaign, durationMs }: Preview): Markup {
  const { counts, senderId, route, name } = campaign;
  const each =
    counts.fewestPages === counts.mostPages
      ? pluralize(counts.mostPages, 'page')
      : `${formatCount(counts.fewestPages)} to ${pluralize(counts.mostPages, 'page')}`;
  return mrkdwn`*${pluralize(counts.recipients, 'recipient')}, ${pluralize(counts.pages, 'page')}* (${each} each)\nFrom *${senderId}* on the *${routeTitle(route)}* route · ${name} · takes about ${formatDuration(durationMs)}`;
}

function columnInput(columns: Preview['columns']): InputBlock[] {
  if (columns === undefined) {
    return [];
  }
  const offered = columns.titles
    .map((title, index) => option(title.trim() || `Column ${index + 1}`, String(index)))
    .slice(0, limits.options);
  const chosen = offered[columns.chosen];
  return [
    input(
      'column',
      'The numbers are in the column',
      {
        type: 'static_select',
        action_id: previewActions.column,
        options: offered,
        ...(chosen === undefined ? {} : { initial_option: chosen }),
      },
      { dispatch: true },
    ),
  ];
}

function examples(list: readonly Example[]): KnownBlock[] {
  return list.flatMap(({ to, text, pages }) => [
    context(mrkdwn`To ${to} · ${pluralize(pages, 'page')}`),
    quotation(text),
  ]);
}

function previewButtons({ campaign }: Preview): KnownBlock[] {
  const { id, route, counts } = campaign;
  const byText = route === 'generic' || route === 'dnd';
  const buttons = [
    ...(byText ? [button(previewActions.checkDnd, 'Check Do-Not-Disturb', { value: id })] : []),
    button(previewActions.test, 'Send a test to myself', { value: id }),
    ...(counts.invalid > 0
      ? [
          button(campaignActions.invalid, `Download skipped rows (${formatCount(counts.invalid)})`, {
            value: id,
          }),
        ]
      : []),
    button(previewActions.edit, 'Edit', { value: id }),
    button(campaignActions.discard, 'Discard', { value: id }),
  ];
  return [actions('look_further', ...buttons)];
}

/** Shown after *Start* or *Schedule*. */
export function startedView(
  start: string | undefined,
  channelId: string | undefined,
  access?: ChannelAccess,
): ModalView {
  const where = describePlace(channelId, access);
  return start === undefined
    ? notice(
        'Started',
        section(mrkdwn`${stateIcons.done} *Sending has begun.*`),
        context(mrkdwn`Progress is in ${where}. Pause or cancel the campaign there.`),
      )
    : notice(
        'Scheduled',
        section(mrkdwn`:alarm_clock: *It starts ${start}.*`),
        context(mrkdwn`Progress is in ${where}. Cancel the campaign there.`),
      );
}

/** Tells that the recipients are imported and the preview is ready. */
export function importedMessage(preview: Preview): SlackMessage {
  const { id, name, counts } = preview.campaign;
  const text = mrkdwn`*${name} is read:* ${pluralize(counts.recipients, 'recipient')}. Nothing is sent before you start it.`;
  return message(text, [
    section(text),
    actions('read', button(openCampaignAction, 'Look at it', { value: id, style: 'primary' })),
  ]);
}
