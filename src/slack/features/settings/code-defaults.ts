import type { ModalView } from '@slack/types';
import { countPages } from '../../../domain/messages/pages.ts';
import { fillCodeText } from '../../../domain/otp/code-text.ts';
import { otpWaySchema } from '../../../domain/otp/otp-ways.ts';
import { type CodeDefaultsForm, codeLimits, readCodeDefaults } from '../../../services/otp/code-form.ts';
import type { CodeDefaults } from '../../../services/workspaces/workspace-settings.ts';
import { banner, context, modal, option } from '../../block-kit/build.ts';
import { selectInput, textInput } from '../../block-kit/inputs/fields.ts';
import { otpWayInput, senderIdInput } from '../../block-kit/inputs/selects.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';

/** How the workspace sends one-time codes. Only admins may change it. */
export function registerCodeDefaults(
  router: Router,
  { services: { workspaces, unicode } }: AppContext,
): void {
  router.action(openCodeDefaultsAction, 'administer', async (call) => {
    await call.push(codeDefaultsView(await workspaces.codeDefaults(call.user.workspaceId)));
  });

  router.submission(codeDefaultsCallback, 'administer', async ({ user, values }) => {
    const read = readCodeDefaults(readCodeDefaultsForm(values), { unicode });
    if (!read.ok) {
      return { errors: read.faults };
    }
    await workspaces.saveCodeDefaults(user.workspaceId, read.defaults);
    return { view: codeDefaultsView(read.defaults, mrkdwn`${stateIcons.done} Saved.`) };
  });
}

const codeDefaultsCallback = 'code_defaults';
export const openCodeDefaultsAction = 'code_defaults_open';

const characterOptions = [option('Digits', 'NUMERIC'), option('Letters and digits', 'ALPHANUMERIC')];

const maxDigits = 3;

/** How a workspace sends one-time codes. */
export function codeDefaultsView(defaults: CodeDefaults, said?: Markup): ModalView {
  const range = ({ min, max }: { min: number; max: number }) => `${min} to ${max}`;
  return modal({
    callbackId: codeDefaultsCallback,
    title: 'One-time codes',
    submit: 'Save',
    blocks: [
      ...banner(said),
      otpWayInput('way', defaults.way, { ways: otpWaySchema.options }),
      senderIdInput('senderId', defaults.senderId, true),
      context(mrkdwn`Without a sender ID here, codes come from the default sender ID.`),
      textInput('text', 'Text of the SMS', defaults.text, {
        multiline: true,
        maxLength: 1000,
        hint: 'Write <code> for the code and <minutes> for its lifetime.',
      }),
      context(example(defaults)),
      textInput('length', 'Length', String(defaults.length), {
        maxLength: maxDigits,
        hint: `${range(codeLimits.length)}. Codes by chat app have at most 6 digits.`,
      }),
      textInput('minutes', 'Expires after (minutes)', String(defaults.minutes), {
        maxLength: maxDigits,
        hint: range(codeLimits.minutes),
      }),
      textInput('attempts', 'Max attempts', String(defaults.attempts), {
        maxLength: maxDigits,
        hint: range(codeLimits.attempts),
      }),
      selectInput('characters', 'Characters', characterOptions, {
        chosen: defaults.characters,
        hint: 'Of codes made by the provider. Codes made by Switchboard are digits.',
      }),
      textInput('emailConfigurationId', 'Email configuration', defaults.emailConfigurationId, {
        optional: true,
        maxLength: 100,
        hint: 'For codes by email: the id of a configuration on the provider’s dashboard.',
      }),
    ],
  });
}

function example({ text, length, minutes }: CodeDefaults): Markup {
  const code = '4829135607'.slice(0, length);
  const filled = fillCodeText(text, { code, minutes });
  return mrkdwn`Saved: “${filled}” · ${pluralize(countPages(filled).pages, 'page')}`;
}

function readCodeDefaultsForm(values: FormValues): CodeDefaultsForm {
  const text = (field: keyof CodeDefaults) => values[field]?.text ?? '';
  return {
    way: text('way'),
    senderId: text('senderId'),
    text: text('text'),
    length: text('length'),
    minutes: text('minutes'),
    attempts: text('attempts'),
    characters: text('characters'),
    emailConfigurationId: text('emailConfigurationId'),
  };
}
