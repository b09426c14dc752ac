import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { clockIn, nextFullHour } from '../../../../domain/time/start-time.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { input, modal, section } from '../../../block-kit/build.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { maxDelayInput, writeMaxDelay } from '../preview/start-inputs.ts';
import { askForApproval, needsApproval } from './approval-remarks.ts';

export const changeTimeCallback = 'campaign_change_time';
export const changeTimeMetadata = z.object({ id: z.string() });

/** When a scheduled campaign starts, to be changed; or when one that missed its time is to start. */
export function changeTimeView(
  campaign: Campaign,
  { now, zone, approvalIn }: { now: Date; zone: string; approvalIn?: string | undefined },
): ModalView {
  const { id, state, name, counts, startAt } = campaign;
  const at = clockIn(startAt !== undefined && startAt > now ? startAt : nextFullHour(now, zone), zone);
  return modal({
    callbackId: changeTimeCallback,
    title: state === 'missed' ? 'Schedule again' : 'Start time',
    submit: approvalIn !== undefined ? askForApproval : state === 'missed' ? 'Schedule' : 'Change time',
    close: 'Back',
    metadata: { id } satisfies z.infer<typeof changeTimeMetadata>,
    blocks: [
      section(mrkdwn`*${name}*\n${pluralize(counts.recipients, 'recipient')}`),
      input('date', 'Date', { type: 'datepicker', action_id: 'date', initial_date: at.date }),
      input(
        'time',
        'Time',
        { type: 'timepicker', action_id: 'time', initial_time: at.time },
        { hint: `Your time zone: ${zone}` },
      ),
      maxDelayInput(writeMaxDelay(campaign)),
      ...(approvalIn === undefined ? [] : [section(needsApproval(approvalIn))]),
    ],
  });
}
