import { z } from 'zod';
import { omitUndefined, optionalInstant, optionalText } from './fields.ts';

/** An answer about eSIMs as a value. Most come in an envelope (API §4.13), which says these beside its data. */
export interface EsimAnswer {
  readonly message?: string;
  readonly timestamp?: Date;
  /** The whole answer, with its envelope. */
  readonly raw: unknown;
}

/** What an envelope must say for its data to count (API §7); what comes bare must not say otherwise. */
const success = {
  status: z.string().regex(/^success$/i),
  code: z.union([z.literal(200), z.literal('200')]),
};

const notOtherwise = z
  .looseObject({ status: success.status.nullish(), code: success.code.nullish() })
  .transform((raw): unknown => raw);

const wrapped = z.looseObject({ data: z.looseObject({}) });

/** Takes an answer in an envelope or bare: which of them comes may differ from what is described (facts). */
export function enveloped<Value extends object>(content: z.ZodType<Value>): z.ZodType<Value & EsimAnswer> {
  const answer = z.object({ data: content, message: optionalText, timestamp: optionalInstant });
  const envelope = answer.extend(success);
  const bare = answer.extend({ data: notOtherwise.pipe(content) });
  return z.unknown().transform((raw, context) => {
    const enclosed = wrapped.safeParse(raw).success;
    const read = enclosed ? envelope.safeParse(raw) : bare.safeParse({ data: raw });
    if (read.success) {
      const { data, message, timestamp } = read.data;
      return { ...data, ...omitUndefined({ message, timestamp }), raw };
    }
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: 'custom', path: enclosed ? path : path.slice(1), message });
    }
    return z.NEVER;
  });
}
