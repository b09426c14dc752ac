import { deliveryRuleNames, deliveryRules, knownSince } from '../../../domain/deliveries/delivery-rules.ts';
import { textToSend } from '../../../domain/messages/accents.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { fillCodeText } from '../../../domain/otp/code-text.ts';
import { codeLimits, readCodeDefaults } from '../../../services/otp/code-form.ts';
import type { CodeDefaults } from '../../../services/workspaces/workspace-settings.ts';
import { context, option, section } from '../../block-kit/build.ts';
import { describeAccents } from '../../block-kit/descriptions/warnings.ts';
import { wayOptions } from '../../block-kit/inputs/selects.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { dayFor, type Markup, mrkdwn } from '../../block-kit/text.ts';
import {
  accentsField,
  choiceField,
  offersAccents,
  senderField,
  textField,
  ticksField,
} from '../../kit/fields.ts';
import { defineSettings } from '../../kit/settings.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';

export const openCodeDefaultsAction = 'code_defaults_open';
export const openDeliveryChecksAction = 'delivery_checks_open';

const maxDigits = 3;
const range = ({ min, max }: { min: number; max: number }) => `${min} to ${max}`;

const codeFields = {
  way: choiceField('Send by', wayOptions, { first: 'sms' }),
  senderId: senderField({ optional: true }),
  text: textField('Text of the SMS', {
    multiline: true,
    max: 1000,
    live: 'character',
    hint: 'Write <code> for the code and <minutes> for its lifetime.',
  }),
  withoutAccents: accentsField(),
  length: textField('Length', {
    max: maxDigits,
    hint: `${range(codeLimits.length)}. Codes by chat app have at most 6 digits.`,
  }),
  minutes: textField('Expires after (minutes)', { max: maxDigits, hint: range(codeLimits.minutes) }),
  attempts: textField('Max attempts', { max: maxDigits, hint: range(codeLimits.attempts) }),
  characters: choiceField(
    'Characters',
    { NUMERIC: 'Digits', ALPHANUMERIC: 'Letters and digits' },
    { first: 'NUMERIC', hint: 'Only for codes made by the provider. Switchboard’s own codes are digits.' },
  ),
  emailConfigurationId: textField('Email configuration', {
    optional: true,
    max: 100,
    hint: 'For codes by email: the ID of a configuration in the provider’s dashboard.',
  }),
};

/** How a workspace sends one-time codes. */
export function registerCodeDefaults(router: Router, context: AppContext): void {
  const { workspaces, senderIds, unicode } = context.services;

  defineSettings(context, {
    id: 'code_defaults',
    opens: openCodeDefaultsAction,
    title: 'One-time codes',
    change: { action: 'settings.change', subject: 'one-time codes' },
    fields: codeFields,
    load: async (workspaceId) => ({ saved: await workspaces.codeDefaults(workspaceId) }),
    first: ({ saved }) => ({
      ...saved,
      length: String(saved.length),
      minutes: String(saved.minutes),
      attempts: String(saved.attempts),
      emailConfigurationId: saved.emailConfigurationId ?? '',
    }),
    when: { withoutAccents: (form) => offersAccents(form, unicode) },
    notes: {
      senderId: () => mrkdwn`Without a sender ID here, codes come from the default sender ID.`,
      text: ({ data }) => example(data.saved),
      withoutAccents: ({ form }) => (form.withoutAccents ? describeAccents(form.text) : undefined),
    },
    async save({ workspaceId }, form) {
      const active = await senderIds.activeFor(workspaceId, { senderId: form.senderId });
      const { text } = textToSend(form.text, form.withoutAccents && !unicode);
      const read = readCodeDefaults({ ...form, text, senderId: form.senderId ?? '' }, { unicode, active });
      if (!read.ok) {
        return read.faults;
      }
      await workspaces.saveCodeDefaults(workspaceId, read.defaults);
      return undefined;
    },
  }).register(router);
}

function example({ text, length, minutes }: CodeDefaults): Markup {
  const code = '4829135607'.slice(0, length);
  const filled = fillCodeText(text, { code, minutes });
  return mrkdwn`Saved: “${filled}” · ${pluralize(countPages(filled).pages, 'page')}`;
}

/** Which rules the check before a send goes by. */
export function registerDeliveryChecks(router: Router, context: AppContext): void {
  const { workspaces } = context.services;
  const rules = deliveryRuleNames.map((name) => {
    const { title, meaning } = deliveryRules[name];
    return [name, option(title, name, meaning)] as const;
  });

  defineSettings(context, {
    id: 'delivery_checks',
    opens: openDeliveryChecksAction,
    title: 'Delivery checks',
    change: { action: 'settings.change', subject: 'delivery checks' },
    fields: { warnOf: ticksField('Warn about', Object.fromEntries(rules)) },
    load: async (workspaceId) => ({ off: await workspaces.rulesOff(workspaceId) }),
    first: ({ off }) => ({ warnOf: deliveryRuleNames.filter((name) => !off.includes(name)) }),
    above: () => [checksMeaning],
    below: () => [checksDate],
    async save({ workspaceId }, { warnOf }) {
      const off = deliveryRuleNames.filter((name) => !warnOf.includes(name));
      await workspaces.saveRulesOff(workspaceId, off);
      return undefined;
    },
  }).register(router);
}

const checksMeaning = section(
  mrkdwn`Networks in Nigeria may drop a message that the provider has accepted. Reviews show the warnings ticked here. They never block sending.`,
);

const checksDate = context(
  mrkdwn`Last updated: ${dayFor(new Date(knownSince))}. Networks change their filters.`,
);
