import type { ModalView } from '@slack/types';
import type { StartResult } from '../../../../services/campaigns/steering.ts';
import { context, notice, section } from '../../../block-kit/build.ts';
import type { ChannelAccess } from '../../../block-kit/channel-access.ts';
import { describePlace } from '../../../block-kit/descriptions/channel-note.ts';
import { inBothZones } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { notConnectedError } from '../../../middleware/not-connected.ts';
import type { User } from '../../../middleware/requests.ts';
import { limitedError } from '../../../middleware/require-performed.ts';
import type { Router } from '../../../middleware/router/router.ts';
import type { KeptCampaignForms } from '../form/kept-campaign-forms.ts';
import { campaignStatusView } from '../status/status-view.ts';
import { nobodyLeft, startingView } from '../status/steering-texts.ts';
import { registerDndSummary, registerTestSend } from './preflight.ts';
import { type Previews, previewChanged, previewGone, readStartTime } from './preview.ts';
import { campaignPreviewCallback, previewMetadata } from './preview-view.ts';
import { maxDelayOf, readStartForm, startActions } from './start-form.ts';

/** The preview of a campaign: its start, and what can be checked before. */
export function registerPreviews(
  router: Router,
  context: AppContext,
  { forms, previews }: { forms: KeptCampaignForms; previews: Previews },
): void {
  const { time, channels, navigation } = context;
  const { campaigns, providerHistory, workspaces } = context.services;

  for (const actionId of Object.values(startActions)) {
    router.action(actionId, 'campaign', async ({ user, view }) => {
      if (view !== undefined) {
        const metadata = previewMetadata.parse(view.metadata);
        const form = readStartForm(await view.rememberedValues(), metadata.origin);
        await view.replace(await previews.again(user, metadata, form));
      }
    });
  }

  router.submission(
    campaignPreviewCallback,
    'campaign',
    async ({ user, values, metadata, beforeAckDeadline }) => {
      const { id, reviewed, origin, morning } = previewMetadata.parse(metadata);
      const { zone, workspaceId, userId } = user;
      const form = readStartForm(values, origin);
      const offered = morning === undefined ? undefined : new Date(morning);
      const startTime = readStartTime(form, offered, zone, time.now());
      if (!startTime.ok) {
        return { errors: { time: startTime.reason } };
      }
      const { start } = startTime;
      const { channelId } = form.inChannel ? form : {};
      const starting = campaigns.start({
        workspaceId,
        userId,
        id,
        reviewed,
        channelId,
        at: start && { time: start, zone },
        maxDelayMs: start && maxDelayOf(form),
      });
      // Reading a long list for approval takes longer than Slack waits.
      const result = await beforeAckDeadline(starting);
      if (result === undefined) {
        return {
          view: startingView,
          background: async () => {
            const late = await starting;
            await rememberSender(user, late);
            return startResultView(
              late,
              user,
              channelId === undefined ? undefined : await channels.check(workspaceId, channelId),
            );
          },
        };
      }
      await rememberSender(user, result);
      const known = channelId === undefined ? undefined : channels.known(workspaceId, channelId);
      return {
        view: startResultView(result, user, known),
        // What is known may be old, and the view is to say where the progress really is.
        background: async () => {
          const access = channelId === undefined ? undefined : await channels.check(workspaceId, channelId);
          return access?.kind === known?.kind ? undefined : startResultView(result, user, access);
        },
      };
    },
  );

  async function rememberSender({ workspaceId, userId }: User, result: StartResult): Promise<void> {
    if (result.kind === 'started' && result.campaign.route !== 'chatapp') {
      const { senderId } = result.campaign;
      await workspaces.rememberPreferences(workspaceId, userId, { campaignSenderId: senderId });
    }
  }

  function startResultView(result: StartResult, user: User, access: ChannelAccess | undefined) {
    const { zone } = user;
    switch (result.kind) {
      case 'not_connected':
        throw notConnectedError('Nothing was sent.');
      case 'gone':
        throw new UserError(previewGone, { isFinal: true });
      case 'changed':
        throw new UserError(previewChanged, { isFinal: true });
      case 'approval':
        return navigation.approval(user, result.approval);
      case 'limited':
        throw limitedError(result.limit, 'Nothing was sent.');
      case 'nobody':
        throw new UserError(nobodyLeft(result.campaign), { isFinal: true });
      case 'started': {
        const { campaign, first } = result;
        const { startAt, channelId } = campaign;
        return first
          ? startedView(startAt && inBothZones(startAt, zone), channelId, access)
          : campaignStatusView(campaign, campaigns.throughput(campaign), { canAsk: providerHistory.isOn });
      }
    }
  }

  registerDndSummary(router, context, { forms, previews });
  registerTestSend(router, context);
}

/** Shown after *Send* or *Schedule*. */
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
        context(mrkdwn`Progress is in ${where}.`),
        context(mrkdwn`The progress message has *Pause* and *Cancel campaign*.`),
      )
    : notice(
        'Scheduled',
        section(mrkdwn`:alarm_clock: *Starts ${start}.*`),
        context(mrkdwn`Progress is in ${where}.`),
        context(mrkdwn`The progress message has *Start now*, *Change time*, *Edit* and *Cancel campaign*.`),
      );
}
