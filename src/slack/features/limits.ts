import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { limitBounds, usualCountries } from '../../domain/defaults.ts';
import {
  type CountryRule,
  type LimitedSubject,
  type LimitName,
  type LimitOf,
  limitedSubjects,
  limitNamesOf,
} from '../../domain/limits/limit-settings.ts';
import { isLiftable } from '../../domain/limits/reached-limit.ts';
import { type CountryCode, countryName } from '../../domain/phone/countries.ts';
import type { ReachedNow } from '../../services/limits/limits.ts';
import {
  type LimitField,
  type LimitNumbersForm,
  type LimitsForm,
  maxCountriesLength,
  readLimitNumbers,
  readLimitsForm,
  type WorkspaceLimits,
} from '../../services/limits/workspace-limits.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  divider,
  header,
  modal,
  section,
} from '../block-kit/build.ts';
import { describeBudget, describeFreesAt, nameLimit } from '../block-kit/descriptions/limits.ts';
import { textInput } from '../block-kit/inputs/fields.ts';
import { clampText } from '../block-kit/limits.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { formatCount, pluralize } from '../block-kit/plural.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, userMention } from '../block-kit/text.ts';
import type { FormValues } from '../block-kit/view-state.ts';
import type { SlackContext } from '../client/slack-context.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { UserError } from '../middleware/errors.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';

/** Reached limits in the list. */
const maxListed = 10;

const saved = mrkdwn`${stateIcons.done} Saved.`;

/** *Limits* of the workspace: what refuses now, the budget, the countries, how much at once. */
export function registerLimits(router: Router, context: AppContext): void {
  const { limits } = context.services;

  router.action(openActions.limits, 'administer', async (call) => {
    await call.push(await currentView(context, call.user.workspaceId));
  });

  router.submission(limitsCallback, 'administer', async ({ user, values }) => {
    const { workspaceId, userId } = user;
    const read = readLimitsForm(limitsFormOf(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    await limits.choose({ workspaceId, userId }, read.chosen);
    return { view: await currentView(context, workspaceId, saved) };
  });

  // In place of the list, which shows the new numbers once they are saved.
  router.action(changeNumbersAction, 'administer', async (call) => {
    const { subject } = numbersMetadata.parse({ subject: call.value });
    await call.show(limitNumbersView(subject, await limits.workspace.read(call.user.workspaceId)));
  });

  router.submission(numbersCallback, 'administer', async ({ user, values, metadata }) => {
    const { workspaceId, userId } = user;
    const { subject } = numbersMetadata.parse(metadata);
    const read = readLimitNumbers(subject, limitNumbersFormOf(subject, values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    await limits.choose({ workspaceId, userId }, { numbers: read.chosen });
    return { view: await currentView(context, workspaceId, saved) };
  });

  router.action(liftAction, 'administer', async ({ user, value, view }) => {
    const { workspaceId, userId } = user;
    const lifted = await limits.lift({ workspaceId, userId }, value);
    if (lifted === undefined) {
      throw new UserError(mrkdwn`This limit is free already.`);
    }
    const banner = mrkdwn`${stateIcons.done} Lifted: ${nameLimit(lifted.reason)}.`;
    await view?.replace(await currentView(context, workspaceId, banner));
  });
}

async function currentView(
  { services: { limits, workspaces } }: AppContext,
  workspaceId: string,
  banner?: Markup,
): Promise<ModalView> {
  const [current, reached, used, { country: own }] = await Promise.all([
    limits.workspace.read(workspaceId),
    limits.reachedNow(workspaceId, maxListed),
    limits.pagesUsed(workspaceId),
    workspaces.defaults(workspaceId),
  ]);
  return limitsView({ limits: current, reached, used, own }, banner);
}

const limitsCallback = 'limits';
const liftAction = 'limits_lift';

interface LimitsContent {
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
  const lift = button(liftAction, 'Lift', {
    value: subject,
    label: 'Lift this limit',
    confirm: confirmDialog({
      title: 'Lift this limit?',
      text: 'Codes that were sent until now no longer count against it. Be sure that nobody is pumping codes.',
      yes: 'Lift',
      no: 'Keep',
    }),
  });
  return section(text, isLiftable(reason) ? lift : undefined);
}

function pagesInput(field: 'day' | 'month', label: string, pages: number | undefined): InputBlock {
  return textInput(field, label, pages === undefined ? '' : formatCount(pages), {
    maxLength: 12,
    optional: true,
    hint: 'Empty: no budget.',
  });
}

function countriesInput(
  field: 'messages' | 'codes',
  label: string,
  { limits, own }: LimitsContent,
): InputBlock {
  const countries = limits.chosen.countries[field];
  return textInput(field, label, countries && nameCountries(countries, own), {
    maxLength: maxCountriesLength,
    optional: true,
    hint: emptyHint(field, nameCountries(usualCountries[field], own)),
  });
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
  const change = button(changeNumbersAction, label, { value: subject });
  return section(mrkdwn`${rates}${subject === 'codes' ? recipient : mrkdwn``}`, change);
}

const changeNumbersAction = 'limits_change';
const numbersCallback = 'limit_numbers';
const numbersMetadata = z.object({ subject: z.enum(limitedSubjects) });

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

function labelOf(name: LimitName): string {
  switch (name) {
    case 'codes.recipient.hour':
      return 'To one recipient, in an hour';
    case 'codes.recipient.day':
      return 'To one recipient, in a day';
    case 'codes.again':
      return 'Seconds until the same recipient gets another';
    default:
      return `For ${name.endsWith('.person') ? 'a person' : 'the workspace'}, in a ${name.includes('.minute.') ? 'minute' : 'day'}`;
  }
}

function numberInput(name: LimitName, chosen: number | undefined): InputBlock {
  const { usual, highest } = limitBounds[name];
  return textInput(name, labelOf(name), chosen === undefined ? '' : formatCount(chosen), {
    maxLength: 12,
    optional: true,
    hint: `Empty: ${formatCount(usual)}. At most ${formatCount(highest)}.`,
  });
}

function limitNumbersFormOf(subject: LimitedSubject, values: FormValues): LimitNumbersForm {
  return Object.fromEntries(limitNamesOf(subject).map((name) => [name, values[name]?.text ?? '']));
}

function limitsFormOf(values: FormValues): LimitsForm {
  const text = (field: LimitField) => values[field]?.text ?? '';
  return { day: text('day'), month: text('month'), messages: text('messages'), codes: text('codes') };
}

/** Returns the message that most of a page budget is used, for a notice of the outbox. */
export function createBudgetMessage({ services }: SlackContext): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, subjectId }) => {
    const [window] = subjectId.split('.');
    const uses = await services.limits.budgets(workspaceId);
    const use = uses.find((each) => each.window === window);
    return budgetMessage(use === undefined ? mrkdwn`Most of a page budget was used.` : describeBudget(use));
  };
}

function budgetMessage(text: Markup): SlackMessage {
  const all = mrkdwn`${stateIcons.unconfirmed} *${text}.* When it is used up, nothing more is sent until the next one begins.`;
  return message(all, [section(all), actions('budget', button(openActions.limits, 'Limits'))]);
}
