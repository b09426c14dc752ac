import { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import type { Dialect } from '../dialect.ts';
import { codeInput, nonEmptyText } from '../request/input-fields.ts';
import type { ProviderOperation } from '../request/request-sender.ts';

/** A code that a recipient read back, of one that the provider made and sent. */
export interface TokenCheck {
  readonly pinId: string;
  /** 4 to 8 letters or digits. */
  readonly code: string | Secret;
}

/** What the provider says of a code. */
export interface TokenVerification {
  readonly verdict: 'match' | 'expired' | 'wrong';
}

const checkInput = z.object({
  pinId: nonEmptyText,
  code: codeInput(/^[A-Za-z0-9]{4,8}$/, 'must be 4 to 8 letters or digits'),
});

/** `verified` is a boolean or a text: `True`, `Expired`. Anything else is no answer. */
const verdict = z
  .union([z.boolean(), z.string()])
  .transform((verified) => verdicts.get(String(verified).trim().toLowerCase()))
  .pipe(z.enum(['match', 'expired', 'wrong']));

const verdicts: ReadonlyMap<string, TokenVerification['verdict']> = new Map([
  ['true', 'match'],
  ['expired', 'expired'],
  ['false', 'wrong'],
]);

/** Without the whole response: it may repeat the code. */
const answer = z
  .object({ verified: verdict })
  .transform(({ verified }): TokenVerification => ({ verdict: verified }));

/** Beyond the description: public pages of such a provider show it. */
export function verifyOperation({
  tokenVerifyPath,
}: Dialect): ProviderOperation<z.output<typeof checkInput>, TokenVerification> {
  return {
    name: 'tokens.verify',
    input: checkInput,
    unavailable: () =>
      tokenVerifyPath === undefined
        ? 'Verifying codes made by the provider is off: the provider’s profile has no `tokenVerifyPath`.'
        : undefined,
    redact: ({ code }) => ({ code }),
    request: ({ pinId, code }) => ({
      method: 'POST',
      path: tokenVerifyPath ?? '',
      json: { pin_id: pinId, pin: code },
    }),
    expect: () => ({
      answer,
      // A wrong code may come with a status of refusal. A match in a refusal contradicts it, and is unconfirmed.
      fromRefusal: (body) => {
        const { data } = answer.safeParse(body);
        return data?.verdict === 'match' ? undefined : data;
      },
    }),
  };
}
