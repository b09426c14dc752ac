import type { InputBlock, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { restKinds } from '../../../../services/campaigns/import/former-recipients.ts';
import type { NamedPhonebook } from '../../../../services/contacts/phonebooks.ts';
import { input, option, section } from '../../../block-kit/build.ts';
import { phonebookInput } from '../../../block-kit/inputs/phonebook-input.ts';
import { limits } from '../../../block-kit/limits.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { formActions } from './message-blocks.ts';

const sources = {
  file: option('A file', 'file'),
  pasted: option('Numbers I type or paste', 'pasted'),
  phonebook: option('A phonebook', 'phonebook'),
};
export const recipientSourceKinds = [
  'file',
  'pasted',
  'phonebook',
] as const satisfies readonly (keyof typeof sources)[];
type RecipientSourceKind = keyof typeof sources;

/** Recipients of another campaign, in place of those of a source. */
export const formerSchema = z.object({
  id: z.string(),
  which: z.enum([...restKinds, 'all']),
  name: z.string(),
  recipients: z.number(),
});
export type FormerChoice = z.infer<typeof formerSchema>;

/** The recipients as they are filled in. */
interface ChosenRecipients {
  source: RecipientSourceKind;
  former?: FormerChoice | undefined;
  pasted: string;
  phonebookId?: string | undefined;
}

/** The recipients of a campaign: where they come from and the field of that source, or whose they are. */
export function recipientsBlocks(
  form: ChosenRecipients,
  options: { earlier?: string | undefined; phonebooks: readonly NamedPhonebook[] },
): KnownBlock[] {
  return form.former === undefined
    ? [sourceInput(form, options.phonebooks), recipientsInput(form, options)]
    : [section(mrkdwn`*To*\n${describeFormer(form.former)}`)];
}

/** Returns the block beside which an error of the recipients is shown: former ones have no field of their own. */
export function recipientsBlock({ source, former }: Pick<ChosenRecipients, 'source' | 'former'>): string {
  return former === undefined ? sourceBlocks[source] : 'text';
}

const sourceBlocks: Record<RecipientSourceKind, string> = {
  file: 'file',
  pasted: 'recipients',
  phonebook: 'phonebook',
};

function sourceInput({ source }: ChosenRecipients, phonebooks: readonly NamedPhonebook[]): InputBlock {
  const offered = [sources.file, sources.pasted, ...(phonebooks.length === 0 ? [] : [sources.phonebook])];
  return input(
    'source',
    'To',
    {
      type: 'radio_buttons',
      action_id: formActions.source,
      options: offered,
      initial_option: offered.includes(sources[source]) ? sources[source] : sources.file,
    },
    { dispatch: true },
  );
}

const formerStates: Record<FormerChoice['which'], string> = {
  not_sent: ' · not sent',
  rejected: ' · rejected',
  unconfirmed: ' · unconfirmed',
  all: '',
};

function describeFormer({ recipients, name, which }: FormerChoice): Markup {
  return mrkdwn`${pluralize(recipients, 'recipient')} of ${name}${formerStates[which]}`;
}

function recipientsInput(
  form: ChosenRecipients,
  { earlier, phonebooks }: { earlier?: string | undefined; phonebooks: readonly NamedPhonebook[] },
): InputBlock {
  const [first] = phonebooks;
  if (form.source === 'phonebook' && first !== undefined) {
    return phonebookInput(phonebooks, form.phonebookId ?? first.id);
  }
  if (form.source === 'pasted') {
    return input(
      sourceBlocks.pasted,
      'Phone numbers',
      {
        type: 'plain_text_input',
        action_id: 'recipients',
        multiline: true,
        max_length: limits.inputText,
        ...(form.pasted === '' ? {} : { initial_value: form.pasted }),
      },
      { hint: 'Separate with commas, spaces or new lines. About 200 fit here; for more, use a file.' },
    );
  }
  const again = earlier === undefined ? '' : `Default: ${earlier}, uploaded before. `;
  return input(
    sourceBlocks.file,
    'File',
    { type: 'file_input', action_id: 'file', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
    {
      hint: `${again}CSV with a column of phone numbers. Up to 1,000,000 rows.`,
      optional: earlier !== undefined,
    },
  );
}
