import type { InputBlock, KnownBlock } from '@slack/types';
import { context, input, option } from '../../../block-kit/build.ts';
import { channelInput } from '../../../block-kit/inputs/destination-input.ts';
import { inBothZones } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';

/** What the preview is made anew for: its fields follow these. */
export const startActions = {
  when: 'campaign_when',
  date: 'campaign_date',
  time: 'campaign_time',
  place: 'campaign_place_choice',
} as const;

const whens = {
  now: option('Now', 'now'),
  at: option('At a time', 'at'),
  morning: option('At 08:00 WAT', 'morning'),
};

const minute = 60_000;
const anHour = option('Up to 1 hour late', String(60 * minute));
const lateLimits = [
  anHour,
  option('Up to 6 hours late', String(6 * 60 * minute)),
  option('Up to a day late', String(24 * 60 * minute)),
  option('However late it is', 'whenever'),
];

/** When a campaign is to start and where its progress is shown, as they are filled in. */
export interface StartForm {
  when: keyof typeof whens;
  /** `2026-11-23`, in the person's zone. */
  date?: string | undefined;
  /** `09:30` */
  time?: string | undefined;
  /** In milliseconds, as text; or `whenever`. */
  late: string;
  inChannel: boolean;
  channelId?: string | undefined;
}

export const defaultStart: StartForm = { when: 'now', late: String(60 * minute), inChannel: false };

/** `start`: when it is by what is filled in; `quietUntil`: when quiet hours are over that a start now would meet. */
export function startInputs(
  form: StartForm,
  { start, quietUntil, zone }: { start?: Date | undefined; quietUntil?: Date | undefined; zone: string },
): KnownBlock[] {
  const offered = [whens.now, whens.at, ...(quietUntil === undefined ? [] : [whens.morning])];
  return [
    input(
      'when',
      'Start',
      {
        type: 'radio_buttons',
        action_id: startActions.when,
        options: offered,
        initial_option: offered.includes(whens[form.when]) ? whens[form.when] : whens.now,
      },
      { dispatch: true },
    ),
    ...(form.when === 'at' ? pickers(form, zone) : []),
    ...(form.when === 'now' ? [] : [...shownIn(start, zone), lateInput(form.late)]),
    ...placeInputs(form),
  ];
}

function pickers({ date, time }: StartForm, zone: string): InputBlock[] {
  return [
    input(
      'date',
      'Date',
      {
        type: 'datepicker',
        action_id: startActions.date,
        ...(date === undefined ? {} : { initial_date: date }),
      },
      { dispatch: true },
    ),
    input(
      'time',
      'Time',
      {
        type: 'timepicker',
        action_id: startActions.time,
        ...(time === undefined ? {} : { initial_time: time }),
      },
      { dispatch: true, hint: `By your clock: the zone ${zone}, as set in Slack.` },
    ),
  ];
}

function shownIn(start: Date | undefined, zone: string): KnownBlock[] {
  return start === undefined
    ? []
    : [{ ...context(mrkdwn`:alarm_clock: ${inBothZones(start, zone)}`), block_id: 'start_shown' }];
}

function lateInput(chosen: string): InputBlock {
  return input(
    'late',
    'If Switchboard is down at that time, start it',
    {
      type: 'static_select',
      action_id: 'late',
      options: lateLimits,
      initial_option: lateLimits.find(({ value }) => value === chosen) ?? anHour,
    },
    { hint: 'Later than this, nothing is sent and you get a message.' },
  );
}

const places = {
  me: option('In a message to me', 'me'),
  channel: option('In a channel', 'channel', 'How far it is and how it ended; no numbers, no text'),
};

function placeInputs({ inChannel, channelId }: StartForm): InputBlock[] {
  const where = input(
    'place_choice',
    'Show the progress',
    {
      type: 'radio_buttons',
      action_id: startActions.place,
      options: [places.me, places.channel],
      initial_option: inChannel ? places.channel : places.me,
    },
    { dispatch: true },
  );
  return inChannel ? [where, channelInput(channelId)] : [where];
}

/** `origin` is the channel the person came from, offered first. */
export function readStartForm(values: FormValues, origin: string | undefined): StartForm {
  const when = values.when?.text;
  return {
    when: when === 'at' || when === 'morning' ? when : 'now',
    date: values.date?.text,
    time: values.time?.text,
    late: values.late?.text ?? defaultStart.late,
    inChannel: values.place_choice?.text === 'channel',
    channelId: values.place?.text ?? origin,
  };
}

/** In milliseconds; undefined: however late it is. */
export function maxDelayOf({ late }: StartForm): number | undefined {
  return late === 'whenever' ? undefined : Number(late);
}
