import type { KnownBlock, ModalView } from '@slack/types';
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
import type { ReachedNow } from '../../services/limits/reached-limits.ts';
import {
  maxCountriesLength,
  readLimitNumbers,
  readLimitsForm,
} from '../../services/limits/workspace-limits.ts';
import type { Notice } from '../../store/outbox/notices.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context as contextBlock,
  divider,
  header,
  notice,
  present,
  section,
} from '../block-kit/build.ts';
import {
  describeBudget,
  describeFreesAt,
  nameLimit,
  scarceBudgets,
} from '../block-kit/descriptions/limits.ts';
import { clampText } from '../block-kit/limits.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { formatCount, pluralize } from '../block-kit/plural.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, userMention } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { textField } from '../kit/fields.ts';
import { defineForm } from '../kit/form.ts';
import { defineSettings, saved } from '../kit/settings.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { UserError } from '../middleware/errors.ts';
import type { User } from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';

/** Reached limits in the list. */
const maxListed = 10;

const liftAction = 'limits_lift';
const changeAction = (subject: LimitedSubject) => `limits_change.${subject}`;

/** *Limits* of the workspace: what refuses now, the budget, the countries, how much at once. */
export function registerLimits(router: Router, context: AppContext): void {
  const { limits } = context.services;
  createBudgetForm(context).register(router);

  router.action(openActions.limits, 'administer', async ({ user, push }) => {
    await push(await limitsView(context, user));
  });
  router.action(liftAction, 'administer', async ({ user, value, view }) => {
    const lifted = await limits.lift(user, value);
    if (lifted === undefined) {
      throw new UserError(mrkdwn`This limit no longer applies. Nothing was changed.`);
    }
    const feedback = mrkdwn`${stateIcons.done} Lifted: ${nameLimit(lifted.reason)}.`;
    await view?.replace(await limitsView(context, user, feedback));
  });

  for (const subject of limitedSubjects) {
    const form = createNumbersForm(context, subject, (user) => limitsView(context, user, saved));
    form.register(router);
    // In place of the list, which shows the new numbers once they are saved.
    router.action(changeAction(subject), 'administer', async ({ user, show }) => {
      await show(await form.view(user, undefined));
    });
  }
}

/** @param feedback the outcome of the last action */
async function limitsView(
  { services: { limits, workspaces } }: AppContext,
  { workspaceId }: User,
  feedback?: Markup,
): Promise<ModalView> {
  const [{ chosen, limitOf }, reached, budgets, used, { country: ownCountry }] = await Promise.all([
    limits.workspace.read(workspaceId),
    limits.reachedNow(workspaceId, maxListed),
    limits.budgets(workspaceId),
    limits.pagesUsed(workspaceId),
    workspaces.defaults(workspaceId),
  ]);
  const scarce = scarceBudgets(budgets, reached);
  const { pages, countries } = chosen;
  const budget = (limit: number | undefined) => (limit === undefined ? 'no limit' : pluralize(limit, 'page'));
  const allowed = (subject: 'messages' | 'codes') =>
    clampText(nameAllowed(countries[subject] ?? usualCountries[subject], ownCountry), maxHint);
  return notice(
    'Limits',
    ...banner(feedback),
    header('Limits reached'),
    ...reached.map(reachedLine),
    ...scarce.map((text) => section(text)),
    ...present(reached.length + scarce.length === 0 && section(mrkdwn`No limit is reached.`)),
    divider(),
    header('Page budget and countries'),
    section(
      mrkdwn`${[
        mrkdwn`*Per day*: ${budget(pages.day)}, ${formatCount(used.day)} used today`,
        mrkdwn`*Per month*: ${budget(pages.month)}, ${formatCount(used.month)} used this month`,
        mrkdwn`*Messages go to* ${allowed('messages')}, *codes to* ${allowed('codes')}`,
      ]}`,
      button(openBudgetAction, 'Change', { label: 'Change page budget and countries' }),
    ),
    divider(),
    header('Rate limits'),
    ...limitedSubjects.map((subject) => rateLine(subject, limitOf)),
  );
}

const openBudgetAction = 'limits_budget';

const optionalField = (label: string, max: number) => textField(label, { max, optional: true });

function createBudgetForm(context: AppContext) {
  const { limits, workspaces } = context.services;
  return defineSettings(context, {
    id: 'limits',
    opens: openBudgetAction,
    page: (user, feedback) => limitsView(context, user, feedback),
    title: 'Budget and countries',
    change: { action: 'limits.change' },
    fields: {
      day: optionalField('Pages per day', 12),
      month: optionalField('Pages per month', 12),
      messages: optionalField('For messages', maxCountriesLength),
      codes: optionalField('For one-time codes', maxCountriesLength),
    },
    async load(workspaceId) {
      const [{ chosen }, { country: ownCountry }] = await Promise.all([
        limits.workspace.read(workspaceId),
        workspaces.defaults(workspaceId),
      ]);
      return { chosen, ownCountry };
    },
    first: ({ chosen: { pages, countries }, ownCountry }) => ({
      day: numberText(pages.day),
      month: numberText(pages.month),
      messages: nameCountries(countries.messages, ownCountry),
      codes: nameCountries(countries.codes, ownCountry),
    }),
    overrides: {
      messages: ({ data }) => ({ hint: emptyHint('messages', data.ownCountry) }),
      codes: ({ data }) => ({ hint: emptyHint('codes', data.ownCountry) }),
    },
    above: () => [
      header('Page budget'),
      contextBlock(
        mrkdwn`Counted in pages, not money. Days and months are in Lagos time. Leave a budget empty for no limit.`,
      ),
    ],
    notes: {
      month: () => [divider(), header('Countries')],
      codes: ({ data: { ownCountry } }) =>
        mrkdwn`${countryName(ownCountry)} is always allowed. Separate others with commas, or write *All*.`,
    },
    async save(user, form) {
      const read = readLimitsForm(form);
      if (!read.ok) {
        return read.faults;
      }
      await limits.choose(user, read.chosen);
      return undefined;
    },
  });
}

function reachedLine({ subject, reason, freesAt, userId, refusals }: ReachedNow): KnownBlock {
  const text = mrkdwn`*Limit:* ${nameLimit(reason)}, ${describeFreesAt(freesAt)}\nStopped ${pluralize(refusals, 'request')}, the last by ${userMention(userId)}`;
  const lift = button(liftAction, 'Lift', {
    value: subject,
    label: 'Lift this limit',
    confirm: confirmDialog({
      title: 'Lift this limit?',
      text: 'Codes sent until now will no longer count. Make sure this isn’t SMS-pumping fraud.',
      yes: 'Lift',
      no: 'Keep',
    }),
  });
  return section(text, isLiftable(reason) ? lift : undefined);
}

/** With the workspace’s own country, which is always allowed. */
function nameAllowed(rule: CountryRule, ownCountry: CountryCode): string {
  return nameCountries(typeof rule === 'string' ? rule : [...new Set([ownCountry, ...rule])], ownCountry);
}

function nameCountries(rule: CountryRule | undefined, ownCountry: CountryCode): string {
  if (rule === undefined) {
    return '';
  }
  if (rule === 'all') {
    return 'all countries';
  }
  if (rule === 'own' || rule.length === 0) {
    return countryName(ownCountry);
  }
  const names = rule.map(countryName).join(', ');
  return names.length > maxCountriesLength ? rule.join(', ') : names;
}

const maxHint = 100;

function emptyHint(field: 'messages' | 'codes', ownCountry: CountryCode): string {
  const countries = nameCountries(usualCountries[field], ownCountry);
  return `If empty, ${field} go to ${clampText(countries, maxHint)}.`;
}

/** The `note` says what counts. */
const subjectWords = {
  messages: {
    line: 'Messages',
    title: 'Limits on messages',
    change: 'Change message limits',
    note: 'Each recipient counts as one. Campaigns aren’t counted.',
  },
  codes: {
    line: 'One-time codes',
    title: 'Limits on codes',
    change: 'Change code limits',
    note: 'Fraudsters can earn money on every code you send. Keep these limits as low as you can.',
  },
  lookups: {
    line: 'Lookup requests',
    title: 'Limits on lookups',
    change: 'Change lookup limits',
    note: 'A number lookup counts as two requests. In a Do-Not-Disturb check, each number counts as one.',
  },
  purchases: {
    line: 'eSIM purchases',
    title: 'Limits on eSIMs',
    change: 'Change eSIM limits',
    note: 'Creating or topping up an eSIM counts as one purchase.',
  },
} satisfies Record<LimitedSubject, object>;

function rateLine(subject: LimitedSubject, limitOf: LimitOf): KnownBlock {
  const { line, change: label } = subjectWords[subject];
  const shown = (name: LimitName) => formatCount(limitOf(name));
  const rates = mrkdwn`*${line}*: per person ${shown(`${subject}.minute.person`)}/min, ${shown(`${subject}.day.person`)}/day; workspace ${shown(`${subject}.minute.workspace`)}/min, ${shown(`${subject}.day.workspace`)}/day`;
  const seconds = limitOf('codes.again');
  const wait = seconds === 0 ? mrkdwn`` : mrkdwn`, ${pluralize(seconds, 'second')} apart`;
  const recipient = mrkdwn`. Per recipient ${shown('codes.recipient.hour')}/hour, ${shown('codes.recipient.day')}/day${wait}`;
  const change = button(changeAction(subject), 'Change', { label });
  return section(mrkdwn`${rates}${subject === 'codes' ? recipient : mrkdwn``}`, change);
}

/** The form of the limits on one subject. */
function createNumbersForm(
  { services: { limits } }: AppContext,
  subject: LimitedSubject,
  showSaved: (user: User) => Promise<ModalView>,
) {
  const { title, note } = subjectWords[subject];
  const names = limitNamesOf(subject);

  return defineForm({
    id: `limit_numbers.${subject}`,
    title,
    submit: 'Save',
    needs: 'administer',
    fields: Object.fromEntries(names.map((name) => [name, numberField(name)])),
    load: async ({ workspaceId }) => (await limits.workspace.read(workspaceId)).chosen.numbers,
    first: (chosen) => Object.fromEntries(names.map((name) => [name, numberText(chosen[name])])),
    above: () => [section(mrkdwn`${note}`)],
    async submitted({ user, form }) {
      const read = readLimitNumbers(subject, form);
      if (!read.ok) {
        return { faults: read.faults };
      }
      await limits.choose(user, { numbers: read.chosen });
      return { view: await showSaved(user) };
    },
  });
}

function numberField(name: LimitName) {
  const { usual, highest } = limitBounds[name];
  return textField(labelOf(name), {
    max: 12,
    optional: true,
    hint: `Default: ${formatCount(usual)}. At most ${formatCount(highest)}.`,
  });
}

const numberText = (chosen: number | undefined) => (chosen === undefined ? '' : formatCount(chosen));

function labelOf(name: LimitName): string {
  switch (name) {
    case 'codes.recipient.hour':
      return 'Per recipient, per hour';
    case 'codes.recipient.day':
      return 'Per recipient, per day';
    case 'codes.again':
      return 'Seconds between codes to one recipient';
    default:
      return `${name.endsWith('.person') ? 'Per person' : 'Workspace'}, per ${name.includes('.minute.') ? 'minute' : 'day'}`;
  }
}

/** Returns the message that most of a page budget is used, for a notice of the outbox. */
export function createBudgetMessage({ services }: SlackContext): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, subjectId }) => {
    const [window] = subjectId.split('.');
    const uses = await services.limits.budgets(workspaceId);
    const use = uses.find((each) => each.window === window);
    const used = use === undefined ? mrkdwn`A page budget is almost used up.` : describeBudget(use);
    const text = mrkdwn`${stateIcons.unconfirmed} *${used}.* Once it’s used up, nothing more is sent until the next budget starts.`;
    return message(text, [section(text), actions('budget', button(openActions.limits, 'Open limits'))]);
  };
}
