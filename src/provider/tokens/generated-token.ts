import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import { omitUndefined, optionalObject, optionalText, record } from '../response/fields.ts';
import { redactFields } from '../response/redact-fields.ts';

/** A one-time code that the provider made (API §4.5). Nothing was sent. */
export interface GeneratedToken {
  readonly otp: Secret;
  readonly pinId?: string;
  readonly phoneNumber?: string;
  readonly phoneNumberOther?: string;
  /** The whole answer, in which `otp` is a `Secret` too. */
  readonly raw: unknown;
}

const codes = new Set(['otp']);

const fields = {
  otp: z.instanceof(Secret).optional().catch(undefined),
  pin_id: optionalText,
  phone_number: optionalText,
  phone_number_other: optionalText,
};

/** What was asked for is the code, in the answer itself or, in an older shape, wrapped as `data` (API §4.5; facts). */
export const generatedToken: z.ZodType<GeneratedToken> = z
  .unknown()
  .transform((answer) => redactFields(answer, codes))
  .pipe(
    record({ ...fields, data: optionalObject(fields) }, ({ data, ...bare }) => {
      const { otp = new Secret(''), pin_id, phone_number, phone_number_other } = data?.otp ? data : bare;
      return omitUndefined({
        otp,
        pinId: pin_id,
        phoneNumber: phone_number,
        phoneNumberOther: phone_number_other,
      });
    }),
  )
  .refine(({ otp }) => otp.reveal().trim() !== '', { path: ['otp'] });

/**
 * Whatever looks like a code of this length. The code is known from the answer alone, so that of one that cannot be
 * read nothing that may be the code is quoted.
 */
export function codePattern(length: number): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?=[A-Za-z]*\\d)[A-Za-z0-9]{${length}}(?![A-Za-z0-9])`, 'g');
}
