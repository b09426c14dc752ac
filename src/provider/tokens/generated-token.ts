import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import { omitUndefined, optionalObject, optionalText, record } from '../response/fields.ts';
import { redactFields } from '../response/redaction.ts';

/** A one-time code that the provider generated (API §4.5). Nothing was sent. */
export interface GeneratedToken {
  readonly otp: Secret;
  readonly pinId?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly phoneNumberOther?: string | undefined;
  /** The whole response, in which `otp` is a `Secret` too. */
  readonly raw: unknown;
}

const secretFields = new Set(['otp']);

const fields = {
  otp: z.instanceof(Secret).optional().catch(undefined),
  pin_id: optionalText,
  phone_number: optionalText,
  phone_number_other: optionalText,
};

/** Success requires the code, at the top level or, in an older format, under `data` (API §4.5). */
export const generatedToken: z.ZodType<GeneratedToken> = z
  .unknown()
  .transform((body) => redactFields(body, secretFields))
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
 * Matches everything that may be a code of this length. The code comes in the response, so where that cannot be read, an
 * error message must not quote anything that may be the code.
 */
export function codePattern(length: number): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?=[A-Za-z]*\\d)[A-Za-z0-9]{${length}}(?![A-Za-z0-9])`, 'g');
}
