import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CampaignFaults } from '../../../../services/campaigns/import/campaign-form.ts';
import {
  type FollowUpGroup,
  followUpGroups,
} from '../../../../services/campaigns/import/recipient-sources.ts';
import type { NamedPhonebook } from '../../../../services/contacts/phonebooks.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { context, modal, notice, option, present, section } from '../../../block-kit/build.ts';
import { templateLengthBlocks } from '../../../block-kit/descriptions/warnings.ts';
import { withEmoji } from '../../../block-kit/emoji.ts';
import { radioInput, tableFileInput, textInput, tickInput } from '../../../block-kit/inputs/fields.ts';
import { messageInput } from '../../../block-kit/inputs/message-input.ts';
import { phonebookInput, routeInput, senderIdInput } from '../../../block-kit/inputs/selects.ts';
import { limits } from '../../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { type FormValues, inputFileSchema } from '../../../block-kit/view-state.ts';
import { offersAccents, sendWithoutAccents } from '../../../kit/fields.ts';
import { templateInput } from '../../../kit/template-field.ts';
import type { FieldErrors } from '../../../middleware/requests.ts';
import {
  type AudienceInput,
  audienceActions,
  audienceBlocks,
  audienceSchema,
  chosenAudience,
  readAudience,
} from './audience-fields.ts';

export const formCallback = 'campaign_form';
const title = 'New campaign';

/** Slack counts UTF-16 units. */
export const maxNameLength = 75;

const sources = {
  file: option('CSV file', 'file'),
  pasted: option('Paste numbers', 'pasted'),
  phonebook: option('A phonebook', 'phonebook'),
  campaign: option('Recipients of an earlier campaign', 'campaign'),
};

/** What a campaign is called that is given no name, by its source. */
const defaultNames: Readonly<Record<CampaignFormInput['source'], string>> = {
  file: 'the file name',
  pasted: '“Pasted numbers”',
  phonebook: 'the name of the phonebook',
  campaign: 'the name of the earlier campaign',
};

/** Recipients of another campaign, in place of a source: for a follow-up, or a draft that is replaced. */
const campaignRecipientsSchema = z.object({
  id: z.string(),
  which: z.enum([...followUpGroups, 'draft']),
  /** Whether it goes to those too who already got a follow-up. */
  includesFollowedUp: z.boolean().optional(),
  name: z.string(),
  /** Absent if unknown until they are read. */
  recipients: z.number().optional(),
  /** The version of that campaign when the form was opened. */
  version: z.string(),
});

/** The form as it is filled in. */
export const campaignFormSchema = z.object({
  source: z.enum(['file', 'pasted', 'phonebook', 'campaign'] satisfies (keyof typeof sources)[]),
  recipientsOf: campaignRecipientsSchema.optional(),
  file: inputFileSchema.optional(),
  pasted: z.string(),
  phonebookId: z.string().optional(),
  audience: audienceSchema.optional(),
  route: z.string().optional(),
  senderId: z.string().optional(),
  /** On the chat route, in place of a sender ID. */
  device: z.string().optional(),
  text: z.string(),
  /** Whether the cells that the text uses are replaced by plain text; offered once it was asked for in a review. */
  plainCells: z.boolean().optional(),
  withoutAccents: z.boolean().optional(),
  /** Whether it was written in the form of a message. */
  isMessage: z.boolean().optional(),
  bySlackbot: z.boolean().optional(),
  name: z.string().optional(),
});
export type CampaignFormInput = z.infer<typeof campaignFormSchema>;

/** The id of the campaign that the form makes, and the channel it was opened from. */
export const formMetadata = z.object({
  id: z.string(),
  /** The version of the draft that the form shows and replaces. Absent for a new campaign. */
  version: z.string().optional(),
  origin: z.string().optional(),
  /** The name of a file that was uploaded before, and is used again unless another one is. */
  earlier: z.string().optional(),
  recipientsOf: campaignRecipientsSchema.optional(),
  /** The size of the last audience counted: which audience, and the line that shows its size. */
  counted: z.object({ of: z.string(), line: z.string() }).optional(),
  /** How many times the message was replaced, by plain text or by a template. */
  replaced: z.number().optional(),
  /** Whether the form offers `plainCells`. */
  offersPlainCells: z.boolean().optional(),
});
export type FormMetadata = z.infer<typeof formMetadata>;

/** What the form offers, besides its values. */
export interface FormOptions {
  phonebooks: readonly NamedPhonebook[];
  /** Those whose recipients can be used again. */
  campaigns: readonly Campaign[];
  /** How far the counting of an audience is. */
  counting?: string;
  /** The user's time zone (IANA). */
  zone: string;
  /** Whether text outside the SMS alphabet can be sent. */
  unicode: boolean;
  /** The beginning of opt-out links; undefined if campaigns have no such link. */
  optOutAddress: string | undefined;
  hasTemplates: boolean;
}

/** Slack keeps an uploaded file in its field. */
export function campaignFormView(
  form: CampaignFormInput,
  metadata: FormMetadata,
  options: FormOptions,
): ModalView {
  const isAgain = isReplaced(metadata);
  return modal({
    callbackId: formCallback,
    title,
    submit: 'Review',
    close: 'Cancel',
    metadata: { ...metadata, recipientsOf: form.recipientsOf } satisfies FormMetadata,
    blocks: [
      ...recipientsBlocks(form, metadata, options),
      ...(options.hasTemplates ? [templateInput(formActions.template)] : []),
      ...messageBlocks(form, metadata, options),
      form.route === 'chatapp'
        ? textInput('device', 'Device', form.device, {
            maxLength: maxNameLength,
            hint: 'The name of your device, shown as the sender.',
            actionId: isAgain ? 'device_again' : 'device',
          })
        : senderIdInput('senderId', form.senderId, { isAgain }),
      routeInput('route', isAgain ? formActions.replacedRoute : formActions.route, form.route),
      textInput('name', 'Name', form.name, {
        maxLength: maxNameLength,
        hint: `Campaign name.${form.recipientsOf === undefined ? ` Default: ${defaultNames[form.source]}.` : ''}`,
        optional: true,
      }),
      context(mrkdwn`You’ll review it before anything is sent.`),
    ],
  });
}

export function readCampaignForm(values: FormValues, { recipientsOf }: FormMetadata): CampaignFormInput {
  const chosen = values.source?.text;
  return {
    source: campaignFormSchema.shape.source.catch('file').parse(chosen),
    recipientsOf,
    file: values.file?.files?.[0],
    pasted: values.pasted?.text ?? '',
    phonebookId: values.phonebook?.text,
    audience: readAudience(values),
    route: values.route?.text,
    senderId: values.senderId?.text,
    device: values.device?.text,
    text: withEmoji(values.text?.text ?? ''),
    plainCells: values.plain_cells?.ticked?.includes('plain') === true,
    withoutAccents: (values.without_accents?.ticked ?? []).length > 0,
    name: values.name?.text && withEmoji(values.name.text),
  };
}

/** Shows an error of the recipients beside the field of the chosen source. Recipients of a campaign have no such field. */
export function campaignFormErrors(
  { recipients, ...others }: CampaignFaults,
  { source, recipientsOf }: CampaignFormInput,
): FieldErrors {
  const block = recipientsOf === undefined ? source : 'text';
  return recipients === undefined ? others : { ...others, [block]: recipients };
}

/** Names the chosen audience, whose size is counted once; undefined until a campaign is chosen. */
export function audienceName(audience: AudienceInput | undefined): string | undefined {
  const chosen = chosenAudience(audience);
  return chosen && JSON.stringify(chosen);
}

/** Shown during an import; `rows` is how many rows have been read. */
export function importingRecipientsView(rows: number): ModalView {
  const soFar = rows === 0 ? '' : ` ${formatCount(rows)} rows so far.`;
  return notice(
    title,
    section(mrkdwn`${stateIcons.underway} *Importing recipients…*${soFar}`),
    context(mrkdwn`You can close this: you’ll get a message when the review is ready.`),
  );
}

/** A change of these changes the fields of the form, or the line under its message. */
export const formActions = {
  ...audienceActions,
  source: 'campaign_source',
  route: 'campaign_route',
  replacedRoute: 'campaign_replaced_route',
  template: 'campaign_template',
  text: 'campaign_text',
  replacedText: 'campaign_replaced_text',
  accents: 'campaign_accents',
  replacedAccents: 'campaign_replaced_accents',
} as const;
export const replaceAction = 'campaign_form_replace';

/** Whether the fields that a template fills have their other ids, see `messageInput`. */
const isReplaced = ({ replaced = 0 }: Pick<FormMetadata, 'replaced'>) => replaced % 2 === 1;

/** The message with the line under it. */
function messageBlocks(
  { text, route, plainCells = false, withoutAccents = false }: CampaignFormInput,
  { replaced, offersPlainCells = false }: FormMetadata,
  { unicode, optOutAddress }: FormOptions,
): KnownBlock[] {
  const optOut = optOutAddress === undefined ? '' : ' Opt-out link: {{opt_out}}.';
  const hint = `Use columns: {{first_name}}. Fallback if empty: {{first_name|there}}.${optOut}`;
  const plain = option('Replace special characters with plain text', 'plain');
  const bare = option(sendWithoutAccents, 'on');
  const accentsAction = isReplaced({ replaced }) ? formActions.replacedAccents : formActions.accents;
  // The list’s own letters are known once it was read.
  const mayHaveAccents = offersAccents({ text, withoutAccents }, unicode) || (offersPlainCells && !unicode);
  return present<KnownBlock>(
    messageInput(formActions, text, { replaced, hint }),
    ...templateLengthBlocks(text, { route, unicode, withoutAccents, replaceAction, optOutAddress }),
    mayHaveAccents && tickInput('without_accents', 'Accents', [[bare, withoutAccents]], accentsAction),
    offersPlainCells && tickInput('plain_cells', 'Columns', [[plain, plainCells]]),
  );
}

export const groupTitles: Readonly<Record<FollowUpGroup, string>> = {
  not_delivered: 'Not delivered',
  not_sent: 'Not sent',
  rejected: 'Rejected',
  unconfirmed: 'Unconfirmed',
  did_not_answer: 'Didn’t reply',
  all: 'Everyone',
};

/** The recipients of a campaign: their source and its field, or the campaign they come from. */
function recipientsBlocks(
  { source, recipientsOf, phonebookId, pasted, audience = { part: 'all' } }: CampaignFormInput,
  { earlier, counted }: FormMetadata,
  { phonebooks, campaigns, zone, counting = 'Counting…' }: FormOptions,
): KnownBlock[] {
  if (recipientsOf !== undefined) {
    const { recipients, name, which } = recipientsOf;
    const size = recipients === undefined ? 'Recipients' : pluralize(recipients, 'recipient');
    const group = which === 'draft' || which === 'all' ? '' : ` · ${groupTitles[which].toLowerCase()}`;
    return [section(mrkdwn`*To*\n${size} of ${name}${group}`)];
  }
  const [first] = phonebooks;
  const offered = present(
    sources.file,
    sources.pasted,
    first && sources.phonebook,
    campaigns.length > 0 && sources.campaign,
  );
  const chosen = radioInput('source', 'To', offered, {
    chosen: sources[source],
    actionId: formActions.source,
  });
  if (source === 'phonebook' && first !== undefined) {
    return [chosen, phonebookInput(phonebooks, phonebookId ?? first.id)];
  }
  if (source === 'campaign' && campaigns.length > 0) {
    const of = audienceName(audience);
    const size = of && (counted?.of === of ? counted.line : counting);
    return [chosen, ...audienceBlocks(audience, { campaigns, zone, size })];
  }
  if (source === 'pasted') {
    const hint = 'Separate with commas, spaces or new lines. About 200 fit here; for more, use a file.';
    const maxLength = limits.inputText;
    return [chosen, textInput('pasted', 'Phone numbers', pasted, { multiline: true, maxLength, hint })];
  }
  const whenEmpty = earlier === undefined ? '' : `Default: ${earlier}, uploaded earlier. `;
  const hint = `${whenEmpty}CSV with a column of phone numbers. Up to 1,000,000 rows.`;
  return [chosen, tableFileInput({ hint, optional: earlier !== undefined })];
}
