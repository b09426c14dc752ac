import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { AccountState } from '../state/state.ts';

const rate = z.number().min(0, 'must be 0 to 1').max(1, 'must be 0 to 1').default(0);

/** Nothing that the sandbox sends leaves this machine. */
const isOnThisMachine = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(url)?.hostname ?? '');

/**
 * The one webhook of an account, which a person enters in the provider's dashboard (facts): where reports and inbound
 * messages go, how they are signed, and what becomes of them on their way.
 */
export const accountWebhookSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'The address must begin with http:// or https://.' })
    .refine(isOnThisMachine, 'The address must be one of this machine, such as http://127.0.0.1:4302/….'),
  header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'The header must be letters, digits and hyphens.')
    .default('X-Provider-Signature'),
  hash: z.enum(['sha512', 'sha256']).default('sha512'),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  /** The key of the signature. Without one, the account's API key. */
  secret: z.string().min(1).exactOptional(),
  /** Whether the body is wrapped in `data`. */
  wrapped: z.boolean().default(false),
  /** How long each report waits for its turn, in milliseconds. */
  delayMs: z.int().min(0).max(86_400_000).default(2_000),
  /** The shares of reports that are lost, sent twice, and preceded by a forged one. */
  lossRate: rate,
  duplicateRate: rate,
  forgeryRate: rate,
  /** The share of recipients whose reports come in the opposite order. */
  reorderRate: rate,
  /** Decides which ones. */
  seed: z.int().default(1),
  /** Whether reports wait until `deliver` is called, and not for a time. */
  held: z.boolean().default(false),
});

export type AccountWebhook = z.infer<typeof accountWebhookSchema>;
/** All but the address has a default. */
export type AccountWebhookInput = z.input<typeof accountWebhookSchema>;

/** The defaults, without an address. */
export const defaultWebhook: AccountWebhook = {
  ...accountWebhookSchema.parse({ url: 'http://127.0.0.1/' }),
  url: '',
};

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
