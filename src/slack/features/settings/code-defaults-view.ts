import type { InputBlock, ModalView, PlainTextInput } from '@slack/types';
import { countPages } from '../../../domain/messages/pages.ts';
import { fillCodeText } from '../../../domain/otp/code-text.ts';
import { otpWaySchema } from '../../../domain/otp/otp-ways.ts';
import { type CodeDefaultsForm, codeLimits } from '../../../services/otp/code-form.ts';
import type { CodeDefaults } from '../../../services/workspaces/workspace-settings.ts';
import { banner, context, input, modal, option } from '../../block-kit/build.ts';
import { otpWayInput } from '../../block-kit/inputs/otp-way-input.ts';
import { senderIdInput } from '../../block-kit/inputs/sender-id-input.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const codeDefaultsCallback = 'code_defaults';
export const openCodeDefaultsAction = 'code_defaults_open';

const characterOptions = {
  NUMERIC: option('Digits', 'NUMERIC'),
  ALPHANUMERIC: option('Letters and digits', 'ALPHANUMERIC'),
};

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
      typed('text', 'Text of the SMS', defaults.text, {
        multiline: true,
        max_length: 1000,
        hint: 'Write <code> for the code and <minutes> for its lifetime.',
      }),
      context(example(defaults)),
      typed('length', 'Length', String(defaults.length), {
        hint: `${range(codeLimits.length)}. Codes by chat app have at most 6 digits.`,
      }),
      typed('minutes', 'Expires after (minutes)', String(defaults.minutes), {
        hint: range(codeLimits.minutes),
      }),
      typed('attempts', 'Max attempts', String(defaults.attempts), { hint: range(codeLimits.attempts) }),
      input(
        'characters',
        'Characters',
        {
          type: 'static_select',
          action_id: 'characters',
          options: Object.values(characterOptions),
          initial_option: characterOptions[defaults.characters],
        },
        { hint: 'Of codes made by the provider. Codes made by Switchboard are digits.' },
      ),
      typed('emailConfigurationId', 'Email configuration', defaults.emailConfigurationId ?? '', {
        optional: true,
        max_length: 100,
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

function typed(
  field: keyof CodeDefaults,
  label: string,
  value: string,
  { hint, optional, ...element }: Partial<PlainTextInput> & { hint: string; optional?: boolean },
): InputBlock {
  return input(
    field,
    label,
    {
      type: 'plain_text_input',
      action_id: field,
      max_length: 3,
      ...element,
      ...(value === '' ? {} : { initial_value: value }),
    },
    optional ? { hint, optional } : { hint },
  );
}

export function readCodeDefaultsForm(values: FormValues): CodeDefaultsForm {
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
