import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import type { Outcome } from '../errors.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import { omitUndefined, optionalObject, record } from '../response/fields.ts';
import { parseJson } from '../response/json.ts';
import { redactFields } from '../response/redaction.ts';

/** The token that every other eSIM operation sends as `X-Token` (API §4.13.1). */
export interface EsimToken {
  readonly token: Secret;
  /** Known where the token is a JWT with an expiry. */
  readonly expiresAt?: Date | undefined;
  /** The whole response, in which the token is a `Secret` too. */
  readonly raw: unknown;
}

/** Keeps an account's token across restarts. An error costs one more authentication and never fails a request. */
export interface TokenCache {
  get(): Promise<CachedToken | undefined>;
  set(token: CachedToken): Promise<void>;
  delete(): Promise<void>;
}

interface CachedToken {
  /** Secret: to be stored encrypted. */
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** Characters that a header value may contain. */
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
      [part?.token, part?.encrytedKey, part?.encryptedKey].filter((value) => value !== undefined),
    );
    return omitUndefined({ token, expiresAt: expiryOf(token.reveal()) });
  },
).refine(({ token }) => token.reveal() !== '', { path: ['token'] });

const noInput = z.object({});

/** The API documents the field as `encrytedKey`, its example as `token`; it was also seen under `data`. */
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

/** The expiry of a token that is a JWT (RFC 7519 §4.1.4: seconds since 1970). */
function expiryOf(token: string): Date | undefined {
  const [, payload] = /^(?:Bearer )?[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(token) ?? [];
  if (payload === undefined) {
    return undefined;
  }
  const read = claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString())?.value);
  const date = new Date((read.data?.exp ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Milliseconds before its expiry at which a token is renewed, so that no request under way outlives it. */
const renewalMargin = 60_000;

/** The eSIM token of one account: obtained once for concurrent callers, renewed before it expires, and cached. */
export class EsimTokens {
  readonly #authenticate: () => Promise<Outcome<EsimToken>>;
  readonly #cache: TokenCache | undefined;
  readonly #now: () => number;
  #current: CachedToken | undefined;
  #obtaining: Promise<Outcome<Secret>> | undefined;
  #renewing: Promise<Outcome<Secret>> | undefined;
  #refused: string | undefined;

  constructor(options: {
    authenticate: () => Promise<Outcome<EsimToken>>;
    cache: TokenCache | undefined;
    now: () => number;
  }) {
    this.#authenticate = options.authenticate;
    this.#cache = options.cache;
    this.#now = options.now;
  }

  /** Resolves to the current token or a new one. Concurrent callers share one request. */
  async get(): Promise<Outcome<Secret>> {
    if (this.#current && this.#isFresh(this.#current)) {
      return accepted(this.#current);
    }
    this.#obtaining ??= this.#obtain().finally(() => {
      this.#obtaining = undefined;
    });
    return this.#obtaining;
  }

  /** Resolves to a new token, for a request that may go out only once and so must not meet a 401. Shared as in `get`. */
  renew(): Promise<Outcome<Secret>> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Stops using a token that the provider refused. */
  invalidate(token: Secret): void {
    this.#refused = token.reveal();
    if (this.#current?.token === this.#refused) {
      this.#current = undefined;
    }
  }

  async #obtain(): Promise<Outcome<Secret>> {
    const cached = await Promise.try(() => this.#cache?.get()).catch(() => undefined);
    // Another process may have renewed the token in the meantime.
    if (cached && cached.token !== this.#refused && this.#isFresh(cached)) {
      this.#current = cached;
      return accepted(cached);
    }
    if (cached) {
      await Promise.try(() => this.#cache?.delete()).catch(() => {});
    }
    return this.renew();
  }

  async #renew(): Promise<Outcome<Secret>> {
    const outcome = await this.#authenticate();
    if (outcome.kind !== 'accepted') {
      return outcome;
    }
    const { token, expiresAt } = outcome.value;
    const renewed: CachedToken = omitUndefined({ token: token.reveal(), expiresAt: expiresAt?.getTime() });
    this.#current = renewed;
    await Promise.try(() => this.#cache?.set(renewed)).catch(() => {});
    // Used even if it expires within the margin: no token lasts longer.
    return accepted(renewed);
  }

  #isFresh({ expiresAt }: CachedToken): boolean {
    return expiresAt === undefined || expiresAt - this.#now() > renewalMargin;
  }
}

function accepted({ token }: CachedToken): Outcome<Secret> {
  return { kind: 'accepted', value: new Secret(token) };
}
