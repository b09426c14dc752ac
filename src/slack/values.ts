import { z } from 'zod';

/** What is filled in of a view: one value a block, since every input block of ours has one element. */
export type Values = Record<string, Value>;

export interface Value {
  /** The text typed, or the value, conversation or person chosen. */
  text: string | undefined;
  /** What the chosen option is called, for showing it again. */
  label?: string;
}

const optionSchema = z.object({ value: z.string(), text: z.object({ text: z.string() }) });

const elementSchema = z.object({
  value: z.string().nullish(),
  selected_option: optionSchema.nullish(),
  selected_conversation: z.string().nullish(),
});

const stateSchema = z.record(z.string(), z.record(z.string(), elementSchema));

/** Reads `view.state.values`. Slack: View submission payload. */
export function readValues(state: unknown): Values {
  const blocks = stateSchema.parse(state);
  return Object.fromEntries(
    Object.entries(blocks).map(([blockId, elements]) => [blockId, readElement(Object.values(elements)[0])]),
  );
}

function readElement(element: z.infer<typeof elementSchema> | undefined): Value {
  const option = element?.selected_option;
  if (option) {
    return { text: option.value, label: option.text.text };
  }
  return { text: element?.selected_conversation ?? element?.value ?? undefined };
}
