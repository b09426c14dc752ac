import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, maskNumber, type PhoneNumber } from '../../rules/phone-number.ts';
import type { Route } from '../../rules/routes.ts';
import type { CheckedNumber } from '../../services/numbers.ts';
import { actions, button, context, header, input, lines, modal, notice, section } from '../blocks/build.ts';
import { limits } from '../blocks/limits.ts';
import { type Message, message } from '../blocks/message.ts';
import { type PlaceChoice, placeInputs } from '../blocks/place.ts';
import { type Markup, mrkdwn, personMention } from '../blocks/text.ts';

export const checkCallback = 'dnd_check';
export const openCheckAction = 'dnd_open';
export const checkPlaceAction = 'dnd_place_choice';
export const sendToAction = 'dnd_send_sms';

export const checkMetadata = z.object({ origin: z.string().optional() });

/** The form; `origin` is the channel it was opened from. */
export function checkView(typed: string, place: PlaceChoice, origin: string | undefined): ModalView {
  return modal({
    callbackId: checkCallback,
    title: 'Do-Not-Disturb check',
    submit: 'Check',
    metadata: origin === undefined ? {} : { origin },
    blocks: [
      input(
        'numbers',
        'Phone numbers',
        {
          type: 'plain_text_input',
          action_id: 'numbers',
          multiline: true,
          focus_on_load: true,
          max_length: limits.inputText,
          ...(typed === '' ? {} : { initial_value: typed }),
        },
        { hint: 'Up to 100, with commas, spaces or line breaks between them.' },
      ),
      ...placeInputs(place, checkPlaceAction),
    ],
  });
}

export function checkingView(done: number, of: number): ModalView {
  return notice('Do-Not-Disturb check', section(checking(done, of)));
}

export function checkingMessage(of: number): Message {
  const text = checking(0, of);
  return message(text, [section(text)]);
}

function checking(done: number, of: number): Markup {
  return mrkdwn`:hourglass_flowing_sand: Checking ${countNumbers(of)}: ${done} done…`;
}

export interface Report {
  numbers: readonly CheckedNumber[];
  duplicates: number;
  /** The draft that *Send SMS* opens, filled with these numbers. */
  draftId: string;
}

/** `notPosted` says why the result does not stand in the channel that was chosen. */
export function reportView(report: Report, notPosted?: Markup): ModalView {
  const problem = notPosted === undefined ? [] : [section(notPosted)];
  return notice('Do-Not-Disturb check', ...problem, ...reportBlocks(report));
}

export function reportMessage(report: Report): Message {
  return message(summary(report.numbers), reportBlocks(report));
}

/** For a channel: numbers masked unless wanted otherwise, no button, and who asked. */
export function channelReport(
  numbers: readonly CheckedNumber[],
  personId: string,
  showNumbers = false,
): Message {
  return message(summary(numbers), [
    section(mrkdwn`*Do-Not-Disturb check* · ${summary(numbers)}`),
    ...lines(numbers.map((checked) => line(checked, showNumbers ? formatNumber : maskNumber))),
    context(mrkdwn`Checked by ${personMention(personId)} with Switchboard`),
  ]);
}

function reportBlocks(report: Report): KnownBlock[] {
  const { numbers, duplicates } = report;
  const problem = numbers.find((checked) => checked.problem !== undefined)?.problem;
  return [
    header(summary(numbers).source),
    ...lines(numbers.map((checked) => line(checked, formatNumber))),
    ...(problem === undefined ? [] : [section(mrkdwn`:grey_question: ${problem}`)]),
    ...(duplicates > 0 ? [context(mrkdwn`${duplicates} repeated: each number was checked once.`)] : []),
    actions('dnd_report', button(sendToAction, 'Send SMS', { value: report.draftId, style: 'primary' })),
  ];
}

function summary(numbers: readonly CheckedNumber[]): Markup {
  const count = (state: CheckedNumber['dnd']) => numbers.filter(({ dnd }) => dnd === state).length;
  const unknown = count('unknown');
  const unsure = unknown > 0 ? `, ${unknown} not known` : '';
  return mrkdwn`${countNumbers(numbers.length)}: ${count('active')} on Do-Not-Disturb, ${count('inactive')} not${unsure}`;
}

function line({ number, dnd, network }: CheckedNumber, show: (number: PhoneNumber) => string): Markup {
  return mrkdwn`${marks[dnd]} \`${show(number)}\` · ${network ?? 'network not known'} · ${verdicts[dnd]}`;
}

const marks = { active: ':no_bell:', inactive: ':bell:', unknown: ':grey_question:' } as const;

const verdicts = {
  active: 'on Do-Not-Disturb → DND route',
  inactive: 'not on it → generic or DND route',
  unknown: 'not known → DND route',
} as const;

/** One number on Do-Not-Disturb, or of unknown state, is reason enough for the route that reaches all. */
export function routeFor(numbers: readonly CheckedNumber[]): Route {
  return numbers.every(({ dnd }) => dnd === 'inactive') ? 'generic' : 'dnd';
}

function countNumbers(count: number): string {
  return count === 1 ? '1 number' : `${count} numbers`;
}
