import type { ModalView } from '@slack/types';
import type { StartResult } from '../../../../services/campaigns/steering.ts';
import { context, notice, section } from '../../../block-kit/build.ts';
import { type ChannelAccess, describeDestination } from '../../../block-kit/descriptions/channel-note.ts';
import { inBothZones } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { notConnectedError } from '../../../middleware/not-performed.ts';
import type { SubmissionRequest, SubmissionResponse, User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { statusView, steeredView } from '../status/campaign-status.ts';
import { startingView } from '../status/steering-texts.ts';
import { registerPreflight } from './preflight.ts';
import { previewAgain, previewChanged, previewGone, readStartTime } from './preview.ts';
import { campaignPreviewCallback, previewMetadata } from './preview-view.ts';
import { maxDelayOf, readStartForm, startActions } from './start-form.ts';

/** The preview of a campaign: its start, and what can be checked before. */
export function registerPreviews(router: Router, context: AppContext): void {
  for (const actionId of Object.values(startActions)) {
    router.action(actionId, 'campaign', async ({ user, view }) => {
      if (view !== undefined) {
        const metadata = previewMetadata.parse(view.metadata);
        const form = readStartForm(await view.rememberedValues(), metadata.origin);
        await view.replace(await previewAgain(context, user, metadata, form));
      }
    });
  }

  router.submission(campaignPreviewCallback, 'campaign', (call) => start(context, call));

  registerPreflight(router, context);
}

async function start(
  context: AppContext,
  { user, values, metadata, beforeAckDeadline }: SubmissionRequest,
): Promise<SubmissionResponse> {
  const { channels } = context;
  const { id, reviewed, origin, morning } = previewMetadata.parse(metadata);
  const { zone, workspaceId, userId } = user;
  const form = readStartForm(values, origin);
  const offered = morning === undefined ? undefined : new Date(morning);
  const startTime = readStartTime(form, offered, zone, context.time.now());
  if (!startTime.ok) {
    return { errors: { time: startTime.reason } };
  }
  const { start: time } = startTime;
  const { channelId } = form.inChannel ? form : {};
  const starting = context.services.campaigns.start({
    workspaceId,
    userId,
    id,
    reviewed,
    channelId,
    at: time && { time, zone },
    maxDelayMs: time && maxDelayOf(form),
  });
  const checkChannel = async () =>
    channelId === undefined ? undefined : await channels.check(workspaceId, channelId);
  // Reading a long list for approval takes longer than Slack waits.
  const result = await beforeAckDeadline(starting);
  if (result === undefined) {
    return {
      view: startingView,
      background: async () => {
        const late = await starting;
        await rememberSender(context, user, late);
        return startResultView(context, user, late, await checkChannel());
      },
    };
  }
  await rememberSender(context, user, result);
  const known = channelId === undefined ? undefined : channels.known(workspaceId, channelId);
  return {
    view: await startResultView(context, user, result, known),
    // What is known may be old, and the view is to say where the progress really is.
    background: async () => {
      const access = await checkChannel();
      return access?.kind === known?.kind ? undefined : startResultView(context, user, result, access);
    },
  };
}

async function rememberSender(
  { services: { workspaces } }: AppContext,
  { workspaceId, userId }: User,
  result: StartResult,
): Promise<void> {
  if (result.kind === 'started' && result.campaign.route !== 'chatapp') {
    const { senderId } = result.campaign;
    await workspaces.rememberPreferences(workspaceId, userId, { campaignSenderId: senderId });
  }
}

async function startResultView(
  context: AppContext,
  user: User,
  result: StartResult,
  access: ChannelAccess | undefined,
): Promise<ModalView> {
  switch (result.kind) {
    case 'not_connected':
      throw notConnectedError('Nothing was sent.');
    case 'gone':
      throw new UserError(previewGone, { isFinal: true });
    case 'changed':
      throw new UserError(previewChanged, { isFinal: true });
    case 'started': {
      const { campaign, first } = result;
      const { startAt, channelId } = campaign;
      return first
        ? startedView(startAt && inBothZones(startAt, user.zone), channelId, access)
        : statusView(context, campaign);
    }
    default:
      return steeredView(context, user, result);
  }
}

/** Shown after *Send* or *Schedule*. */
export function startedView(
  start: string | undefined,
  channelId: string | undefined,
  access?: ChannelAccess,
): ModalView {
  const [title, icon, headline, buttons] =
    start === undefined
      ? ['Started', stateIcons.done, 'Sending has begun.', mrkdwn`*Pause* and *Cancel campaign*`]
      : [
          'Scheduled',
          ':alarm_clock:',
          `Starts ${start}.`,
          mrkdwn`*Start now*, *Change time*, *Edit* and *Cancel campaign*`,
        ];
  return notice(
    title,
    section(mrkdwn`${icon} *${headline}*`),
    context(mrkdwn`Progress is in ${describeDestination(channelId, access)}.`),
    context(mrkdwn`The progress message has ${buttons}.`),
  );
}
