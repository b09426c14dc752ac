import { z } from 'zod';

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

const optionSchema = z.object({ value: z.string(), text: z.object({ text: z.string() }) });

export const inputFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number().optional(),
  url_private_download: z.string(),
});

const elementSchema = z.object({
  value: z.string().nullish(),
  selected_option: optionSchema.nullish(),
  selected_options: z.array(optionSchema).nullish(),
  selected_users: z.array(z.string()).nullish(),
  selected_conversation: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_time: z.string().nullish(),
  files: z.array(inputFileSchema).nullish(),
});

const stateSchema = z.record(z.string(), z.record(z.string(), elementSchema));

/** Reads `view.state.values`. Slack: View submission payload. */
export function readFormValues(state: unknown): FormValues {
  const blocks = stateSchema.parse(state);
  return Object.fromEntries(
    Object.entries(blocks).map(([blockId, elements]) => [blockId, readElement(Object.values(elements)[0])]),
  );
}

function readElement(element: z.infer<typeof elementSchema> | undefined): FormValue {
  const option = element?.selected_option;
  return {
    text:
      option?.value ??
      element?.selected_conversation ??
      element?.selected_date ??
      element?.selected_time ??
      element?.value ??
      undefined,
    ...(option ? { label: option.text.text } : {}),
    ...(element?.selected_options ? { ticked: element.selected_options.map(({ value }) => value) } : {}),
    ...(element?.selected_users ? { ticked: element.selected_users } : {}),
    ...(element?.files ? { files: element.files } : {}),
  };
}
