import { createHmac, randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { AccountState } from '../state/state.ts';
import type { AccountWebhook } from './account-webhook.ts';

/** One report or inbound message that was sent, or lost on its way. */
export interface WebhookPost {
  /** The account's key. */
  account: string;
  url: string;
  headers: Record<string, string>;
  /** The body that was signed, to the byte. */
  text: string;
  /** Whether it has the right signature. */
  genuine: boolean;
  /** The status of the answer. */
  outcome: number | 'lost' | 'no answer';
}

/** Signs a body (facts: the HMAC of its bytes). */
function webhookSignature(
  text: string,
  { hash, encoding }: Pick<AccountWebhook, 'hash' | 'encoding'>,
  key: string,
): string {
  return createHmac(hash, key).update(text).digest(encoding);
}

/** Composes what is posted to the webhook of an account. */
export function composePost(
  { key, webhook }: Pick<AccountState, 'key'> & { webhook: AccountWebhook },
  body: JsonObject,
  genuine: boolean,
): Omit<WebhookPost, 'outcome'> {
  const text = JSON.stringify(webhook.wrapped ? { data: body } : body);
  const secret = webhook.secret ?? key;
  return {
    account: key,
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      [webhook.header]: webhookSignature(text, webhook, genuine ? secret : `not ${secret}`),
    },
    text,
    genuine,
  };
}

const timeoutMs = 10_000;

/** Posts once, whatever the answer is: the facts know of no second attempt. Resolves with the post for the request log. */
export async function postOnce(
  { url, headers, text }: Omit<WebhookPost, 'outcome'>,
  { at, signal }: { at: Date; signal: AbortSignal },
): Promise<LoggedRequest> {
  const startedAt = performance.now();
  const answered = await fetch(url, {
    method: 'POST',
    headers,
    body: text,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
    .then(async (response) => ({ status: response.status, answer: await response.text() }))
    .catch(() => ({ status: 'no answer', answer: '' }));
  const body = parseJsonText(text);
  const { status, answer } = answered;
  return {
    id: randomUUID(),
    at: at.toISOString(),
    from: 'provider',
    to: 'app',
    what: `POST ${maskedPath(url)}`,
    request: isJsonObject(body) ? body : text,
    status,
    answer: answer === '' ? null : (parseJsonText(answer) ?? answer),
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

/** The end of the address of a webhook is a secret. */
function maskedPath(url: string): string {
  return new URL(url).pathname.replace(/[^/]{8,}$/, (token) => `•••${token.slice(-4)}`);
}

/**
 * Returns the path of an address of reports that the app shows in a modal, as an admin would copy it into the provider’s
 * dashboard.
 */
export function shownAddress({ from, what, request }: LoggedRequest): string | undefined {
  return from === 'app' && what.startsWith('views.')
    ? /\/provider\/reports\/[\w-]{43}/.exec(JSON.stringify(request))?.[0]
    : undefined;
}
