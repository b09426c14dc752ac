import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import type { FailureFacts, FailureKind, Outcome } from '../errors.ts';
import { abortReasonOf } from '../http/exchange.ts';
import { raceWithSignal, startDeadline, type Timing } from '../http/timing.ts';
import { operationInfo } from '../operations.ts';
import { defineOperation, type RequestSender } from '../request/request-sender.ts';
import { providerError } from '../response/error-messages.ts';
import { omitUndefined, optionalObject, record } from '../response/fields.ts';
import { redactFields } from '../response/redaction.ts';
import { parseJson } from '../response/response-body.ts';

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
/** The API documents the field as `encrytedKey`, its example as `token`; it was also seen under `data`. */
const tokenFields = {
  token: usable.optional().catch(undefined),
  encrytedKey: usable.optional().catch(undefined),
  encryptedKey: usable.optional().catch(undefined),
};

/** The token that every other eSIM operation sends as `X-Token` (API §4.13.1). In `raw`, it is a `Secret` too. */
const esimToken = record({ ...tokenFields, data: optionalObject(tokenFields) })
  .transform(({ data, raw, ...bare }) => {
    const [token = new Secret('')] = [bare, data].flatMap((part) =>
      [part?.token, part?.encrytedKey, part?.encryptedKey].filter((value) => value !== undefined),
    );
    /** Known where the token is a JWT with an expiry. */
    const expiresAt = expiryOf(token.reveal());
    return { token, ...omitUndefined({ expiresAt }), raw };
  })
  .refine(({ token }) => token.reveal() !== '', { path: ['token'] });

export const authenticate = defineOperation({
  name: 'esims.authenticate',
  input: z.object({}),
  request: () => ({ method: 'POST', path: '/api/esim/authenticate', json: {} }),
  expect: () => ({
    answer: z
      .unknown()
      .transform((body) => redactFields(body, new Set(Object.keys(tokenFields))))
      .pipe(esimToken),
  }),
});

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

export type EsimTokens = ReturnType<typeof createEsimTokens>;

/** The eSIM token of one account: obtained once for concurrent callers, renewed before it expires, and cached. */
export function createEsimTokens(sendWithKey: RequestSender, cache: TokenCache | undefined, { now }: Timing) {
  let current: CachedToken | undefined;
  let refused: string | undefined;
  const isFresh = ({ expiresAt }: CachedToken) =>
    expiresAt === undefined || expiresAt - now() > renewalMargin;

  const renew = shared(async () => {
    const outcome = await sendWithKey(authenticate, {});
    if (outcome.kind !== 'accepted') {
      return outcome;
    }
    const { token, expiresAt } = outcome.value;
    const renewed: CachedToken = omitUndefined({ token: token.reveal(), expiresAt: expiresAt?.getTime() });
    current = renewed;
    await Promise.try(() => cache?.set(renewed)).catch(() => {});
    // Used even if it expires within the margin: no token lasts longer.
    return accepted(renewed);
  });

  const obtain = shared(async () => {
    const cached = await Promise.try(() => cache?.get()).catch(() => undefined);
    // Another process may have renewed the token in the meantime.
    if (cached && cached.token !== refused && isFresh(cached)) {
      current = cached;
      return accepted(cached);
    }
    if (cached) {
      await Promise.try(() => cache?.delete()).catch(() => {});
    }
    return renew();
  });

  return {
    /** Resolves to the current token or a new one. Concurrent callers share one request. */
    get: async () => (current && isFresh(current) ? accepted(current) : obtain()),
    /** Resolves to a new token, for a request that may go out only once and so must not meet a 401. Shared as in `get`. */
    renew,
    /** Stops using a token that the provider refused. */
    invalidate(token: Secret): void {
      refused = token.reveal();
      if (current?.token === refused) {
        current = undefined;
      }
    },
  };
}

/** Returns a function whose concurrent callers share one run of `work`. */
function shared(work: () => Promise<Outcome<Secret>>): () => Promise<Outcome<Secret>> {
  let running: Promise<Outcome<Secret>> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function accepted({ token }: CachedToken): Outcome<Secret> {
  return { kind: 'accepted', value: new Secret(token) };
}

/**
 * Sends requests that are authenticated by the account's eSIM token (API §5). `totalTimeout` milliseconds include the
 * request for the token.
 */
export function withEsimToken(
  send: RequestSender,
  { tokens, totalTimeout, timing }: { tokens: EsimTokens; totalTimeout: number; timing: Timing },
): RequestSender {
  return async (operation, input, options) => {
    // Invalid input is refused before anything leaves, a request for a token included.
    if (!operation.input.safeParse(input).success) {
      return send(operation, input, options);
    }
    const { name } = operation;
    const isRead = operationInfo[name].effect === 'read';
    const { signal, clear } = startDeadline(totalTimeout, timing, options?.signal);
    const fail = (kind: FailureKind, facts: Omit<FailureFacts, 'operation'>) => ({
      kind,
      error: providerError(kind, { ...facts, operation: name }),
    });
    const attempt = async () => {
      const obtained = await raceWithSignal(isRead ? tokens.get() : tokens.renew(), signal);
      if (obtained === undefined) {
        return { outcome: fail('not_sent', { reason: abortReasonOf(signal) }) };
      }
      if (obtained.kind !== 'accepted') {
        const { sent, retryable, message, ...facts } = obtained.error;
        // In either case the request itself never left.
        const kind = obtained.kind === 'rejected' ? 'rejected' : 'not_sent';
        const detail = [facts.detail, tokenFailed].filter(Boolean).join(' ');
        return { outcome: fail(kind, { ...facts, detail }) };
      }
      const token = obtained.value;
      const request = (checked: Parameters<typeof operation.request>[0]) => ({
        ...operation.request(checked),
        token,
      });
      return { token, outcome: await send({ ...operation, request }, input, { signal }) };
    };
    try {
      const first = await attempt();
      const { outcome } = first;
      const isRefused =
        outcome.kind === 'rejected' && (outcome.error.status === 401 || outcome.error.providerCode === '401');
      if (first.token === undefined || !isRefused) {
        return first.outcome;
      }
      tokens.invalidate(first.token);
      // Only a read is repeated. A creation or purchase went out with a new token: a 401 for that one means that the
      // account may not do this.
      return isRead ? (await attempt()).outcome : first.outcome;
    } finally {
      clear();
    }
  };
}

const tokenFailed = 'The request for a token, which eSIMs need, failed.';
