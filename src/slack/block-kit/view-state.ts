import type { ViewOutput } from '@slack/bolt';
import type { AnyBlock, InputBlock } from '@slack/types';
import { z } from 'zod';
import { limits } from './limits.ts';

/** The values of a view's fields, by block id: each input block of ours has one element. */
export type FormValues = Record<string, FormValue>;

export interface FormValue {
  /** The text typed, or the value, conversation, date or time chosen. */
  text: string | undefined;
  /** The chosen option's text, for showing it again. */
  label?: string | undefined;
  /** The values of the checked boxes, or of several that were chosen. */
  ticked?: string[] | undefined;
  files?: InputFile[] | undefined;
}

/** A file in a form, as Slack describes it; its content is downloaded from Slack's file host. */
export type InputFile = z.infer<typeof inputFileSchema>;

/** The values as they are kept, read again. */
export const formValuesSchema: z.ZodType<FormValues> = z.record(
  z.string(),
  z
    .object({
      text: z.string().optional(),
      label: z.string().optional(),
      ticked: z.array(z.string()).optional(),
      files: z.lazy(() => z.array(inputFileSchema)).optional(),
    })
    .transform(({ text, ...rest }) => ({ text, ...rest })),
);

/** Slack: file object. The one of another organization may have its id alone until Slack is asked for the rest. */
export const inputFileSchema = z.object({
  id: z.string(),
  name: z.string().catch('File'),
  size: z.number().optional().catch(undefined),
  mimetype: z.string().optional().catch(undefined),
  /** `external` where it is kept outside Slack. */
  mode: z.string().optional().catch(undefined),
  is_external: z.boolean().optional().catch(undefined),
  file_access: z.string().optional().catch(undefined),
  url_private: z.string().optional().catch(undefined),
  url_private_download: z.string().optional().catch(undefined),
});

/** What is chosen: the value of an option, an id, a date, a time. */
const choiceSchema = z.string().max(limits.optionValue);

/** An option with every field that Slack sends, so that it can be shown again. */
const optionSchema = z.looseObject({
  value: choiceSchema,
  text: z.looseObject({ type: z.literal('plain_text').catch('plain_text'), text: z.string() }),
});

/** What can't be read was not entered: a value of another type, an element of another kind, null. */
const elementSchema = z
  .object({
    type: z.string().catch(''),
    value: z.string().optional().catch(undefined),
    selected_option: optionSchema.optional().catch(undefined),
    selected_options: z.array(optionSchema).optional().catch(undefined),
    selected_user: choiceSchema.optional().catch(undefined),
    selected_users: z.array(choiceSchema).optional().catch(undefined),
    selected_conversation: choiceSchema.optional().catch(undefined),
    selected_date: choiceSchema.optional().catch(undefined),
    selected_time: choiceSchema.optional().catch(undefined),
    files: z.array(inputFileSchema).optional().catch(undefined),
  })
  .catch({ type: '' });

const stateSchema = z.record(z.string(), z.record(z.string(), elementSchema).catch({})).catch({});

/**
 * Returns a view with the entered values in its fields, and the same by block. A text that is longer than its field takes was
 * not typed there. Slack: View submission payload.
 */
export function readEntered<View extends Pick<ViewOutput, 'state' | 'blocks'>>(
  sent: View,
): { view: Omit<View, 'state'> & Pick<ViewOutput, 'state'>; values: FormValues } {
  const entered = stateSchema.parse(sent.state.values);
  for (const { block_id = '', element } of sent.blocks.filter(isInput)) {
    const { max_length: most = limits.inputText } = element.type === 'plain_text_input' ? element : {};
    for (const state of Object.values(entered[block_id] ?? {})) {
      if (state.value !== undefined && state.value.length > most) {
        state.value = undefined;
      }
    }
  }
  const values = Object.entries(entered).map(([blockId, elements]) => [
    blockId,
    readElement(Object.values(elements)[0]),
  ]);
  return { view: { ...sent, state: { values: entered } }, values: Object.fromEntries(values) };
}

/** Returns the typed or chosen value of the element that acted. */
export function readChange(action: unknown): string {
  const { value, selected_option, selected_conversation, selected_user, selected_date } =
    elementSchema.parse(action);
  return selected_option?.value ?? selected_conversation ?? selected_user ?? selected_date ?? value ?? '';
}

export function isInput(block: AnyBlock): block is InputBlock {
  return block.type === 'input';
}

function readElement(element: z.infer<typeof elementSchema> | undefined): FormValue {
  const option = element?.selected_option;
  return {
    text:
      option?.value ??
      element?.selected_conversation ??
      element?.selected_date ??
      element?.selected_time ??
      element?.value,
    ...(option ? { label: option.text.text } : {}),
    ...(element?.selected_options ? { ticked: element.selected_options.map(({ value }) => value) } : {}),
    ...(element?.selected_users ? { ticked: element.selected_users } : {}),
    ...(element?.files ? { files: element.files } : {}),
  };
}
