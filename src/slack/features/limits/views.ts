import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import {
  type CountryRule,
  type LimitSettings,
  limitedSubjects,
} from '../../../domain/limits/limit-settings.ts';
import { isLiftable } from '../../../domain/limits/reached-limit.ts';
import { type CountryCode, countryName } from '../../../domain/phone/countries.ts';
import {
  type LimitField,
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

/** The block of each field, where its errors are shown. */
export const limitBlocks: Readonly<Record<LimitField, string>> = {
  day: 'limit_pages_day',
  month: 'limit_pages_month',
  messages: 'limit_countries_messages',
  codes: 'limit_countries_codes',
};

export interface LimitsContent {
  limits: WorkspaceLimits;
  settings: LimitSettings;
  reached: readonly ReachedNow[];
  /** Pages that count today and this month. */
  used: Readonly<Record<'day' | 'month', number>>;
  /** The workspace's default country, which is always allowed. */
  own: CountryCode;
}

/** The limits of the workspace, for an admin: what refuses now, what they choose, and what the installation has. */
export function limitsView(content: LimitsContent, said?: Markup): ModalView {
  const { limits, settings, reached, used, own } = content;
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
      pagesInput('day', 'Pages a day', chosen?.pages.day, settings.pages.day),
      pagesInput('month', 'Pages a month', chosen?.pages.month, settings.pages.month),
      divider(),
      header('Countries'),
      countriesInput('messages', 'For messages', content),
      countriesInput('codes', 'For one-time codes', content),
      context(mrkdwn`${countryName(own)} is always allowed. Separate others by commas, or write *All*.`),
      divider(),
      header('For everybody'),
      section(mrkdwn`${ratesOf(settings)}`),
      context(mrkdwn`The people who run Switchboard set these.`),
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

function pagesInput(
  field: 'day' | 'month',
  label: string,
  pages: number | undefined,
  preset: number | undefined,
): InputBlock {
  const hint = preset === undefined ? 'Empty: no budget.' : `Empty: ${pluralize(preset, 'page')} a ${field}.`;
  return input(
    limitBlocks[field],
    label,
    {
      type: 'plain_text_input',
      action_id: field,
      max_length: 12,
      ...(pages === undefined ? {} : { initial_value: formatCount(pages) }),
    },
    { optional: true, hint },
  );
}

function countriesInput(
  field: 'messages' | 'codes',
  label: string,
  { limits, settings, own }: LimitsContent,
): InputBlock {
  const countries = limits.chosen?.countries[field];
  return input(
    limitBlocks[field],
    label,
    {
      type: 'plain_text_input',
      action_id: field,
      max_length: maxCountriesLength,
      ...(countries === undefined ? {} : { initial_value: nameCountries(countries, own) }),
    },
    { optional: true, hint: emptyHint(field, nameCountries(settings.countries[field], own)) },
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

const titles = {
  messages: 'Messages',
  codes: 'One-time codes',
  lookups: 'Lookup requests',
  purchases: 'eSIM purchases',
} as const;

function ratesOf({ rates }: LimitSettings): Markup[] {
  const shown = (limit: number | undefined) => (limit === undefined ? 'no limit' : formatCount(limit));
  return limitedSubjects.map((subject) => {
    const { minute, day } = rates[subject];
    return mrkdwn`*${titles[subject]}*: ${shown(minute.person)} a minute and ${shown(day.person)} a day for a person, ${shown(minute.workspace)} and ${shown(day.workspace)} for all`;
  });
}

export function limitsFormOf(values: FormValues): LimitsForm {
  const text = (field: LimitField) => values[limitBlocks[field]]?.text ?? '';
  return { day: text('day'), month: text('month'), messages: text('messages'), codes: text('codes') };
}
