import type { InputBlock, KnownBlock } from '@slack/types';
import { z } from 'zod';
import {
  inQuietHours,
  meetsQuietHours,
  quietHours,
  quietHoursEnd,
} from '../../../../domain/messages/quiet-hours.ts';
import {
  countRuns,
  dateAfter,
  faultOfRepeat,
  type Repeat,
  repeatSchema,
  repeatUnits,
} from '../../../../domain/time/repeat.ts';
import { clockIn, nextFullHour, readStart } from '../../../../domain/time/start-time.ts';
import type { CampaignReview } from '../../../../services/campaigns/preflight/preflight.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { context, input, option, present } from '../../../block-kit/build.ts';
import { channelInput } from '../../../block-kit/inputs/destination-input.ts';
import { radioInput, selectInput } from '../../../block-kit/inputs/fields.ts';
import { inBothZones, pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';

/** A change of these changes the fields of the review. */
export const startActions = {
  when: 'campaign_when',
  date: 'campaign_date',
  time: 'campaign_time',
  place: 'campaign_place_choice',
  every: 'campaign_repeat_every',
  until: 'campaign_repeat_until',
} as const;

const startOptions = {
  now: option('Now', 'now'),
  at: option('Schedule', 'at'),
  morning: option(`At ${quietHours.end}`, 'morning'),
  repeat: option('Repeat', 'repeat'),
};

const repeatOptions = {
  day: option('Day', 'day'),
  week: option('Week', 'week'),
  month: option('Month', 'month'),
};

const minute = 60_000;
const oneHour = option('1 hour', String(60 * minute));
const delayOptions = [
  oneHour,
  option('6 hours', String(6 * 60 * minute)),
  option('1 day', String(24 * 60 * minute)),
  option('Any time', 'whenever'),
];

/** When a campaign is to start and where its progress is shown, as filled in. */
export const startFormSchema = z.object({
  when: z.enum(['now', 'at', 'morning', 'repeat'] satisfies (keyof typeof startOptions)[]),
  /** `2026-11-23`, in the user's time zone. */
  date: z.string().optional(),
  /** `09:30`, in the user's time zone. */
  time: z.string().optional(),
  every: z.enum(repeatUnits),
  /** The date of the last possible run, as `date`. */
  until: z.string().optional(),
  /** The maximum delay of the start in milliseconds, as text; or `whenever`. */
  maxDelay: z.string(),
  inChannel: z.boolean(),
  channelId: z.string().optional(),
});
export type StartForm = z.infer<typeof startFormSchema>;

export const defaultStart: StartForm = {
  when: 'now',
  every: 'week',
  maxDelay: String(60 * minute),
  inChannel: false,
};

const destinations = {
  me: option('A message to me', 'me'),
  channel: option('A channel', 'channel', 'Counts only, no phone numbers or text'),
};

/** `start` is when it starts as filled in; `quietUntil` is when the quiet hours end that a start now would fall into. */
export function startInputs(
  form: StartForm,
  {
    start,
    quietUntil,
    zone,
    now,
    isMessage = false,
  }: {
    start?: Date | undefined;
    quietUntil?: Date | undefined;
    zone: string;
    now: Date;
    isMessage?: boolean | undefined;
  },
): KnownBlock[] {
  const { when, maxDelay, inChannel, channelId } = form;
  const offered = present(
    startOptions.now,
    startOptions.at,
    quietUntil && startOptions.morning,
    startOptions.repeat,
  );
  const destination = inChannel ? destinations.channel : destinations.me;
  return present<KnownBlock>(
    !isMessage &&
      radioInput('when', 'Start', offered, { chosen: startOptions[when], actionId: startActions.when }),
    ...(when === 'at' ? timeInputs(form, zone, startActions) : []),
    ...(when === 'repeat' ? repeatInputs(form, zone) : []),
    when !== 'now' &&
      start && {
        ...context(mrkdwn`:alarm_clock: ${describeStart(form, start, { zone, now })}`),
        block_id: 'start_shown',
      },
    when !== 'now' && maxDelayInput(maxDelay),
    radioInput(
      'place_choice',
      isMessage ? 'Post the result to' : 'Post progress to',
      Object.values(destinations),
      {
        chosen: destination,
        actionId: startActions.place,
      },
    ),
    inChannel && channelInput(channelId, 'progress'),
  );
}

/** How often, from when and until when a campaign repeats. */
function repeatInputs({ every, date, time, until }: StartForm, zone: string): KnownBlock[] {
  return [
    selectInput('every', 'Every', Object.values(repeatOptions), {
      actionId: startActions.every,
      chosen: every,
      dispatch: true,
    }),
    ...timeInputs({ date, time }, zone, startActions),
    input(
      'until',
      'Until',
      { type: 'datepicker', action_id: startActions.until, ...(until && { initial_date: until }) },
      {
        dispatch: true,
        hint: 'Up to one year. Opted-out numbers are skipped in every run.',
      },
    ),
  ];
}

/** The first run, and how many there are. */
function describeStart(form: StartForm, start: Date, { zone, now }: { zone: string; now: Date }): string {
  const shown = inBothZones(start, zone, now);
  const repeat = readRepeat(form);
  return repeat === undefined || faultOfRepeat(repeat) !== undefined
    ? shown
    : `${pluralize(countRuns(repeat), 'run')}, the first one ${shown}`;
}

/** Returns the entered repetition; undefined if the campaign doesn't repeat, or a date is missing. */
export function readRepeat({ when, every, date, time, until }: StartForm): Repeat | undefined {
  const read = repeatSchema.safeParse({ every, from: date, until, time });
  return when === 'repeat' && read.success ? read.data : undefined;
}

/** The date and the time of a start. With `actionIds`, a change updates the form. */
export function timeInputs(
  { date, time }: Pick<StartForm, 'date' | 'time'>,
  zone: string,
  actionIds?: { date: string; time: string },
): InputBlock[] {
  const dispatch = actionIds !== undefined;
  return [
    input(
      'date',
      'Date',
      { type: 'datepicker', action_id: actionIds?.date ?? 'date', ...(date && { initial_date: date }) },
      { dispatch },
    ),
    input(
      'time',
      'Time',
      { type: 'timepicker', action_id: actionIds?.time ?? 'time', ...(time && { initial_time: time }) },
      { dispatch, hint: `Your time zone: ${zone}` },
    ),
  ];
}

export function maxDelayInput(chosen: string): InputBlock {
  return selectInput('late', 'If delayed, still start within', delayOptions, {
    chosen: delayOptions.some(({ value }) => value === chosen) ? chosen : oneHour.value,
    hint: 'Otherwise it’s skipped and you’re notified.',
  });
}

/** Whether a view asks for the start. */
export const hasStart = ({ when, date }: FormValues): boolean => (when ?? date) !== undefined;

/** `origin` is the channel the form was opened from, and is preselected. */
export function readStartForm(values: FormValues, origin: string | undefined): StartForm {
  // A message for later is only asked for the time.
  const when = values.when?.text ?? (values.date && 'at');
  return {
    when: when === 'at' || when === 'morning' || when === 'repeat' ? when : 'now',
    date: values.date?.text,
    time: values.time?.text,
    every: repeatUnits.find((unit) => unit === values.every?.text) ?? defaultStart.every,
    until: values.until?.text,
    maxDelay: values.late?.text ?? defaultStart.maxDelay,
    inChannel: values.place_choice?.text === 'channel',
    channelId: values.channel?.text ?? origin,
  };
}

/** The opposite of `maxDelayOf`, for a campaign that was scheduled with it. */
export function writeMaxDelay({ startAt, latestStart }: Pick<Campaign, 'startAt' | 'latestStart'>): string {
  return startAt === undefined || latestStart === undefined
    ? 'whenever'
    : String(latestStart.getTime() - startAt.getTime());
}

/** Returns the maximum delay of the start in milliseconds; undefined: no limit. */
export function maxDelayOf({ maxDelay }: StartForm): number | undefined {
  return maxDelay === 'whenever' ? undefined : Number(maxDelay);
}

/**
 * What the review is first shown with: the place that was chosen before an edit, and the time unless that has passed;
 * otherwise at 08:00 in Lagos where that reaches recipients whom a start now would not.
 */
export function initialStartForm(
  { campaign: { isMessage }, quietUntil, durationMs }: CampaignReview,
  before: StartForm | undefined,
  origin: string | undefined,
  { now, zone }: { now: Date; zone: string },
): StartForm {
  if (before?.when === 'at' || before?.when === 'repeat') {
    const { date = '', time = '' } = before;
    if (readStart({ date, time, zone }, now).ok) {
      return before;
    }
  }
  const isMorningBetter =
    quietUntil !== undefined && (inQuietHours(now) || !meetsQuietHours(quietUntil, durationMs));
  const when = isMessage ? 'at' : isMorningBetter ? 'morning' : 'now';
  return { ...defaultStart, channelId: origin, ...before, when, date: undefined, time: undefined };
}

/** The time and the place of a campaign that is edited. */
export function startFormOf(
  {
    channelId,
    startAt,
    latestStart,
    repeat,
  }: Pick<Campaign, 'channelId' | 'startAt' | 'latestStart' | 'repeat'>,
  zone: string,
): StartForm {
  const destination = { ...defaultStart, inChannel: channelId !== undefined, channelId };
  const maxDelay = writeMaxDelay({ startAt, latestStart });
  if (startAt === undefined) {
    return destination;
  }
  const when = repeat === undefined ? 'at' : 'repeat';
  return { ...destination, ...repeat, when, ...clockIn(startAt, zone), maxDelay };
}

/** In days, unless another end is chosen. */
const usualRepeatDays = 84;

/** Replaces a choice that is no longer offered, and fills in a time and an end where none was chosen yet. */
export function completeStartForm(
  form: StartForm,
  { campaign: { route, counts }, quietUntil }: CampaignReview,
  { now, zone }: { now: Date; zone: string },
): StartForm {
  const { when } = form;
  if (when === 'morning' && quietUntil === undefined) {
    return { ...form, when: 'now' };
  }
  if (when === 'now' || when === 'morning') {
    return form;
  }
  let { date, time } = form;
  if (date === undefined && time === undefined) {
    const next = nextFullHour(now, zone);
    const isSwallowed = route === 'generic' && counts.quiet > 0 && inQuietHours(next);
    ({ date, time } = clockIn(isSwallowed ? quietHoursEnd(next) : next, zone));
  }
  return { ...form, date, time, until: form.until ?? (date && dateAfter(date, usualRepeatDays)) };
}
