import type { ModalView } from '@slack/types';
import { context, notice, section } from '../../../block-kit/build.ts';
import type { ChannelAccess } from '../../../block-kit/channel-access.ts';
import { describePlace } from '../../../block-kit/descriptions/channel-note.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';

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
