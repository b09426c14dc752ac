import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { limitBounds, usualCountries } from '../../../domain/defaults.ts';
import {
  type CountryRule,
  type LimitedSubject,
  type LimitName,
  type LimitOf,
  limitedSubjects,
  limitNamesOf,
} from '../../../domain/limits/limit-settings.ts';
import { isLiftable } from '../../../domain/limits/reached-limit.ts';
import { type CountryCode, countryName } from '../../../domain/phone/countries.ts';
import {
  type LimitField,
  type LimitNumbersForm,
  type LimitsForm,
  maxCountriesLength,
} from '../../../services/limits/limits-form.ts';
import type { ReachedNow } from '../../../services/limits/reached-report.ts';
import type { WorkspaceLimits } from '../../../services/limits/workspace-limits.ts';
import { banner, button, context, divider, header, input, modal, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { describeFreesAt, nameLimit } from '../../block-kit/descriptions/reached-limit.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const limitsCallback = 'limits';
export const liftAction = 'limits_lift';

export interface LimitsContent {
  limits: WorkspaceLimits;
  reached: readonly ReachedNow[];
  /** Pages that count today and this month. */
  used: Readonly<Record<'day' | 'month', number>>;
  /** The workspace's default country, which is always allowed. */
  own: CountryCode;
}

/** The limits of the workspace, for an admin: what refuses now, and what they choose. */
export function limitsView(content: LimitsContent, said?: Markup): ModalView {
  const { limits, reached, used, own } = content;
  const { chosen } = limits;
  return modal({
    callbackId: limitsCallback,
    title: 'Limits',
    submit: 'Save',
    blocks: [
      ...banner(said),
      header('Reached now'),
      ...(reached.length === 0 ? [section(mrkdwn`No limit is reached.`)] : reached.map(reachedLine)),
      divider(),
      header('Page budget'),
      section(
        mrkdwn`Used: ${pluralize(used.day, 'page')} today, ${formatCount(used.month)} this month, by the calendar of Lagos.`,
      ),
      pagesInput('day', 'Pages a day', chosen.pages.day),
      pagesInput('month', 'Pages a month', chosen.pages.month),
      divider(),
      header('Countries'),
      countriesInput('messages', 'For messages', content),
      countriesInput('codes', 'For one-time codes', content),
      context(mrkdwn`${countryName(own)} is always allowed. Separate others by commas, or write *All*.`),
      divider(),
      header('Each minute and day'),
      ...limitedSubjects.map((subject) => rateLine(subject, limits.limitOf)),
    ],
  });
}

function reachedLine({ subject, reason, freesAt, userId, refusals }: ReachedNow): KnownBlock {
  const text = mrkdwn`*Limit:* ${nameLimit(reason)}, ${describeFreesAt(freesAt)}\nStopped ${pluralize(refusals, 'request')}, the last by ${userMention(userId)}`;
  return isLiftable(reason)
    ? {
        ...section(text),
        accessory: button(liftAction, 'Lift', {
          value: subject,
          label: 'Lift this limit',
          confirm: confirmDialog({
            title: 'Lift this limit?',
            text: 'Codes that were sent until now no longer count against it. Be sure that nobody is pumping codes.',
            yes: 'Lift',
            no: 'Keep',
          }),
        }),
      }
    : section(text);
}

function pagesInput(field: 'day' | 'month', label: string, pages: number | undefined): InputBlock {
  return input(
    field,
    label,
    {
      type: 'plain_text_input',
      action_id: field,
      max_length: 12,
      ...(pages === undefined ? {} : { initial_value: formatCount(pages) }),
    },
    { optional: true, hint: 'Empty: no budget.' },
  );
}

function countriesInput(
  field: 'messages' | 'codes',
  label: string,
  { limits, own }: LimitsContent,
): InputBlock {
  const countries = limits.chosen.countries[field];
  return input(
    field,
    label,
    {
      type: 'plain_text_input',
      action_id: field,
      max_length: maxCountriesLength,
      ...(countries === undefined ? {} : { initial_value: nameCountries(countries, own) }),
    },
    { optional: true, hint: emptyHint(field, nameCountries(usualCountries[field], own)) },
  );
}

function nameCountries(rule: CountryRule, own: CountryCode): string {
  if (rule === 'all') {
    return 'all countries';
  }
  if (rule === 'own' || rule.length === 0) {
    return countryName(own);
  }
  const names = rule.map(countryName).join(', ');
  return names.length > maxCountriesLength ? rule.join(', ') : names;
}

const maxHint = 100;

function emptyHint(field: 'messages' | 'codes', countries: string): string {
  return `Empty: ${field} go to ${clampText(countries, maxHint)}.`;
}

interface SubjectWords {
  /** In the list of limits. */
  line: string;
  title: string;
  button: string;
  /** What counts. */
  note: string;
}

const subjectWords: Readonly<Record<LimitedSubject, SubjectWords>> = {
  messages: {
    line: 'Messages',
    title: 'Limits on messages',
    button: 'Change messages',
    note: 'Each recipient counts as one. Campaigns aren’t counted.',
  },
  codes: {
    line: 'One-time codes',
    title: 'Limits on codes',
    button: 'Change codes',
    note: 'Fraudsters are paid for each code that is sent. Keep these as low as your work allows.',
  },
  lookups: {
    line: 'Lookup requests',
    title: 'Limits on lookups',
    button: 'Change lookups',
    note: 'Looking up a number counts as two, and each number of a Do-Not-Disturb check as one.',
  },
  purchases: {
    line: 'eSIM purchases',
    title: 'Limits on eSIMs',
    button: 'Change eSIMs',
    note: 'An eSIM that is created or topped up counts as one.',
  },
};

function rateLine(subject: LimitedSubject, limitOf: LimitOf): KnownBlock {
  const { line, button: label } = subjectWords[subject];
  const shown = (name: LimitName) => formatCount(limitOf(name));
  const rates = mrkdwn`*${line}*: ${shown(`${subject}.minute.person`)} a minute and ${shown(`${subject}.day.person`)} a day for a person, ${shown(`${subject}.minute.workspace`)} and ${shown(`${subject}.day.workspace`)} for all`;
  const seconds = limitOf('codes.again');
  const wait = seconds === 0 ? mrkdwn`` : mrkdwn`, ${pluralize(seconds, 'second')} apart`;
  const recipient = mrkdwn`. To one recipient ${shown('codes.recipient.hour')} an hour and ${shown('codes.recipient.day')} a day${wait}`;
  return {
    ...section(mrkdwn`${rates}${subject === 'codes' ? recipient : mrkdwn``}`),
    accessory: button(changeNumbersAction, label, { value: subject }),
  };
}

export const changeNumbersAction = 'limits_change';
export const numbersCallback = 'limit_numbers';
export const numbersMetadata = z.object({ subject: z.enum(limitedSubjects) });

/** The form of the limits on one subject. */
export function limitNumbersView(subject: LimitedSubject, { chosen }: WorkspaceLimits): ModalView {
  const { title, note } = subjectWords[subject];
  return modal({
    callbackId: numbersCallback,
    title,
    submit: 'Save',
    close: 'Cancel',
    metadata: { subject },
    blocks: [
      section(mrkdwn`${note}`),
      ...limitNamesOf(subject).map((name) => numberInput(name, chosen.numbers[name])),
    ],
  });
}

const scopeWords = { person: 'For a person', workspace: 'For the workspace' } as const;

function labelOf(name: LimitName): string {
  switch (name) {
    case 'codes.recipient.hour':
      return 'To one recipient, in an hour';
    case 'codes.recipient.day':
      return 'To one recipient, in a day';
    case 'codes.again':
      return 'Seconds until the same recipient gets another';
    default: {
      const scope = name.endsWith('.person') ? 'person' : 'workspace';
      return `${scopeWords[scope]}, in a ${name.includes('.minute.') ? 'minute' : 'day'}`;
    }
  }
}

function numberInput(name: LimitName, chosen: number | undefined): InputBlock {
  const { usual, highest } = limitBounds[name];
  return input(
    name,
    labelOf(name),
    {
      type: 'plain_text_input',
      action_id: 'number',
      max_length: 12,
      ...(chosen === undefined ? {} : { initial_value: formatCount(chosen) }),
    },
    { optional: true, hint: `Empty: ${formatCount(usual)}. At most ${formatCount(highest)}.` },
  );
}

export function limitNumbersFormOf(subject: LimitedSubject, values: FormValues): LimitNumbersForm {
  return Object.fromEntries(limitNamesOf(subject).map((name) => [name, values[name]?.text ?? '']));
}

export function limitsFormOf(values: FormValues): LimitsForm {
  const text = (field: LimitField) => values[field]?.text ?? '';
  return { day: text('day'), month: text('month'), messages: text('messages'), codes: text('codes') };
}
