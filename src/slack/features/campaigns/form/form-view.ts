import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CampaignFaults } from '../../../../services/campaigns/import/campaign-form.ts';
import type { NamedPhonebook } from '../../../../services/contacts/phonebooks.ts';
import { context, input, modal, notice, section } from '../../../block-kit/build.ts';
import { routeInput } from '../../../block-kit/inputs/route-input.ts';
import { senderIdInput } from '../../../block-kit/inputs/sender-id-input.ts';
import { formatCount } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { type FormValues, inputFileSchema } from '../../../block-kit/view-state.ts';
import type { FieldErrors } from '../../../middleware/requests.ts';
import { formActions, messageBlocks } from './message-blocks.ts';
import {
  formerSchema,
  recipientSourceKinds,
  recipientsBlock,
  recipientsBlocks,
} from './recipients-blocks.ts';

export const formCallback = 'campaign_form';
const title = 'New campaign';

/** Slack counts UTF-16 units. */
export const maxNameLength = 75;

/** The form as it is filled in. */
export const campaignFormSchema = z.object({
  source: z.enum(recipientSourceKinds),
  former: formerSchema.optional(),
  file: inputFileSchema.optional(),
  pasted: z.string(),
  phonebookId: z.string().optional(),
  route: z.string().optional(),
  senderId: z.string().optional(),
  /** On the chat route, in place of a sender ID. */
  device: z.string().optional(),
  text: z.string(),
  /** Whether the cells that the text uses are replaced by plain text; offered once it was asked for in a preview. */
  plainCells: z.boolean().optional(),
  name: z.string().optional(),
});
export type CampaignFormInput = z.infer<typeof campaignFormSchema>;

/** The id of the campaign that the form makes, and the channel it was opened from. */
export const formMetadata = z.object({
  id: z.string(),
  origin: z.string().optional(),
  /** The name of a file that was uploaded before, and is used again unless another one is. */
  earlier: z.string().optional(),
  former: formerSchema.optional(),
  /** How many times the message was replaced by plain text. */
  replaced: z.number().optional(),
  /** Whether the form offers `plainCells`. */
  offersPlainCells: z.boolean().optional(),
});
export type FormMetadata = z.infer<typeof formMetadata>;

/** What the form offers, besides what was filled in. */
export interface FormOptions {
  phonebooks: readonly NamedPhonebook[];
  /** Whether text outside the SMS alphabet can be sent. */
  unicode: boolean;
  /** What opt-out links begin with; undefined where there are none. */
  optOutAddress: string | undefined;
}

/** Slack keeps an uploaded file in its field. */
export function campaignFormView(
  form: CampaignFormInput,
  metadata: FormMetadata,
  { phonebooks, ...how }: FormOptions,
): ModalView {
  return modal({
    callbackId: formCallback,
    title,
    submit: 'Preview',
    close: 'Cancel',
    metadata: { ...metadata, former: form.former } satisfies FormMetadata,
    blocks: [
      ...recipientsBlocks(form, { earlier: metadata.earlier, phonebooks }),
      ...messageBlocks(form, { ...metadata, ...how }),
      form.route === 'chatapp'
        ? typed('device', 'Device', form.device, {
            hint: 'The name of your device: who the message is from.',
          })
        : senderIdInput('senderId', form.senderId),
      routeInput('route', formActions.route, form.route),
      typed('name', 'Name', form.name, {
        hint: 'Campaign name. Default: the file name.',
        optional: true,
      }),
      context(mrkdwn`Nothing is sent yet. You see a review first.`),
    ],
  });
}

function typed(
  blockId: string,
  label: string,
  value: string | undefined,
  options: { hint: string; optional?: boolean },
): InputBlock {
  const element = { type: 'plain_text_input' as const, action_id: blockId, max_length: maxNameLength };
  return input(blockId, label, value ? { ...element, initial_value: value } : element, options);
}

export function readCampaignForm(values: FormValues, { former }: FormMetadata): CampaignFormInput {
  const chosen = values.source?.text;
  return {
    source: chosen === 'pasted' || chosen === 'phonebook' ? chosen : 'file',
    former,
    file: values.file?.files?.[0],
    pasted: values.recipients?.text ?? '',
    phonebookId: values.phonebook?.text,
    route: values.route?.text,
    senderId: values.senderId?.text,
    device: values.device?.text,
    text: values.text?.text ?? '',
    plainCells: values.plain_cells?.ticked?.includes('plain') === true,
    name: values.name?.text,
  };
}

/** An error of the recipients is shown beside the field of the chosen source. */
export function campaignFormErrors(faults: CampaignFaults, form: CampaignFormInput): FieldErrors {
  const { recipients, ...others } = faults;
  return recipients === undefined ? others : { ...others, [recipientsBlock(form)]: recipients };
}

/** Shown during an import; `rows` is how many rows have been read. */
export function importingRecipientsView(rows: number): ModalView {
  const soFar = rows === 0 ? '' : ` ${formatCount(rows)} rows so far.`;
  return notice(
    title,
    section(mrkdwn`${stateIcons.underway} *Importing recipients…*${soFar}`),
    context(mrkdwn`You can close this: you get a message when the preview is ready.`),
  );
}
