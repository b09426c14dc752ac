import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import { omitUndefined, optionalObject, record } from '../response/fields.ts';
import type { Outcome } from '../outcome.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import { parseJson } from '../response/json.ts';
import { redactFields } from '../response/redact-fields.ts';

/** What every other operation on eSIMs takes in its header `X-Token` (API §4.13.1). */
export interface EsimToken {
  readonly token: Secret;
  /** Where the token is a JWT that says so. */
  readonly expiresAt?: Date;
  /** The whole answer, in which the token is a `Secret` too. */
  readonly raw: unknown;
}

/** Where an account's token outlives the program. What it throws costs an authentication, never a call. */
export interface TokenCache {
  get(): Promise<StoredToken | undefined>;
  set(token: StoredToken): Promise<void>;
  delete(): Promise<void>;
}

interface StoredToken {
  /** To be kept as the secret it is. */
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** An account's token, whoever asks for it. */
export interface EsimTokens {
  /** The token in use, or a new one. Who asks while one is being obtained gets that one. */
  get(): Promise<Outcome<Secret>>;
  /** A new one, for what may go out only once and so must not meet a 401. Shared by all who ask at the same time. */
  renew(): Promise<Outcome<Secret>>;
  /** The provider does not take this token any more: it is not given out again. */
  invalidate(token: Secret): void;
}

/** As a header may hold it. */
const headerValue = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const usable = z.instanceof(Secret).refine((token) => headerValue.test(token.reveal()));
const tokenFields = {
  token: usable.optional().catch(undefined),
  encrytedKey: usable.optional().catch(undefined),
  encryptedKey: usable.optional().catch(undefined),
};

const answer = record(
  { ...tokenFields, data: optionalObject(tokenFields) },
  ({ data, ...bare }): Omit<EsimToken, 'raw'> => {
    const [token = new Secret('')] = [bare, data].flatMap((part) =>
      [part?.token, part?.encrytedKey, part?.encryptedKey].filter((found) => found !== undefined),
    );
    return omitUndefined({ token, expiresAt: expiryOf(token.reveal()) });
  },
).refine(({ token }) => token.reveal() !== '', { path: ['token'] });

const noInput = z.object({});

/** The description calls the field `encrytedKey`, its example `token`; it was seen under `data` too (facts). */
export const authenticate: ProviderOperation<z.output<typeof noInput>, EsimToken> = {
  name: 'esims.authenticate',
  input: noInput,
  request: () => ({ method: 'POST', path: '/api/esim/authenticate', json: {} }),
  expect: () => ({
    answer: z
      .unknown()
      .transform((body) => redactFields(body, new Set(Object.keys(tokenFields))))
      .pipe(answer),
  }),
};

const claims = z.looseObject({ exp: z.number().positive() });

/** When a token expires, where it is a JWT that says so (RFC 7519 §4.1.4: seconds since 1970). */
function expiryOf(token: string): Date | undefined {
  const [, payload] = /^(?:Bearer )?[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(token) ?? [];
  if (payload === undefined) {
    return undefined;
  }
  const read = claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString())?.value);
  const date = new Date((read.data?.exp ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A token is renewed so long before it expires, in milliseconds: a call under way must not outlive it. */
const margin = 60_000;

/** Keeps one token for an account: obtained once for all who ask, renewed before it expires, remembered. */
export function createEsimTokens(options: {
  authenticate: () => Promise<Outcome<EsimToken>>;
  cache: TokenCache | undefined;
  now: () => number;
}): EsimTokens {
  const { cache, now } = options;
  let current: StoredToken | undefined;
  let obtaining: Promise<Outcome<Secret>> | undefined;
  let renewing: Promise<Outcome<Secret>> | undefined;
  let refused: string | undefined;

  const lasts = ({ expiresAt }: StoredToken) => expiresAt === undefined || expiresAt - now() > margin;
  const accepted = ({ token }: StoredToken): Outcome<Secret> => ({
    kind: 'accepted',
    value: new Secret(token),
  });

  const obtain = async (): Promise<Outcome<Secret>> => {
    const stored = await Promise.try(() => cache?.get()).catch(() => undefined);
    // Another process may have renewed the token meanwhile.
    if (stored && stored.token !== refused && lasts(stored)) {
      current = stored;
      return accepted(stored);
    }
    if (stored) {
      await Promise.try(() => cache?.delete()).catch(() => {});
    }
    return renew();
  };

  const renew = (): Promise<Outcome<Secret>> => {
    renewing ??= authenticateAnew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  const authenticateAnew = async (): Promise<Outcome<Secret>> => {
    const outcome = await options.authenticate();
    if (outcome.kind !== 'accepted') {
      return outcome;
    }
    const { token, expiresAt } = outcome.value;
    const fresh: StoredToken = omitUndefined({ token: token.reveal(), expiresAt: expiresAt?.getTime() });
    current = fresh;
    await Promise.try(() => cache?.set(fresh)).catch(() => {});
    // However soon it expires: there is none that lasts longer.
    return accepted(fresh);
  };

  return {
    async get() {
      if (current && lasts(current)) {
        return accepted(current);
      }
      obtaining ??= obtain().finally(() => {
        obtaining = undefined;
      });
      return obtaining;
    },
    renew,
    invalidate(token) {
      refused = token.reveal();
      if (current?.token === refused) {
        current = undefined;
      }
    },
  };
}
