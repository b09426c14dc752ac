import { z } from 'zod';
import { omitUndefined, optionalInstant, optionalText } from './fields.ts';

/** Fields of the envelope in which most responses about eSIMs come (API §4.13). */
export interface EsimAnswer {
  readonly message?: string | undefined;
  readonly timestamp?: Date | undefined;
  /** The whole response, with its envelope. */
  readonly raw: unknown;
}

/** What an envelope must hold for its data to count (API §7). A bare response must not contradict it. */
const success = {
  status: z.string().regex(/^success$/i),
  code: z.union([z.literal(200), z.literal('200')]),
};

const withoutFailure = z
  .looseObject({ status: success.status.nullish(), code: success.code.nullish() })
  .transform((raw): unknown => raw);

const inEnvelope = z.looseObject({ data: z.looseObject({}) });

/** Accepts a response in an envelope or bare: the provider does not always send the documented one. */
export function enveloped<Value extends object>(content: z.ZodType<Value>): z.ZodType<Value & EsimAnswer> {
  const answer = z.object({ data: content, message: optionalText, timestamp: optionalInstant });
  const envelope = answer.extend(success);
  const bare = answer.extend({ data: withoutFailure.pipe(content) });
  return z.unknown().transform((raw, context) => {
    const isEnveloped = inEnvelope.safeParse(raw).success;
    const read = isEnveloped ? envelope.safeParse(raw) : bare.safeParse({ data: raw });
    if (read.success) {
      const { data, message, timestamp } = read.data;
      return { ...data, ...omitUndefined({ message, timestamp }), raw };
    }
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: 'custom', path: isEnveloped ? path : path.slice(1), message });
    }
    return z.NEVER;
  });
}
