import type { TestContext } from 'node:test';
import { type ProviderSandbox, type ProviderSandboxOptions, startProvider } from '../../provider/server.ts';

/** Noon in Lagos, outside quiet hours. */
export const noon = new Date('2026-03-02T11:00:00Z');

/** Starts a provider that stops with its test. */
export async function provide(
  t: TestContext,
  options: ProviderSandboxOptions = {},
): Promise<ProviderSandbox> {
  const provider = await startProvider({ clock: () => noon, ...options });
  t.after(() => provider.stop());
  return provider;
}

export function post(provider: Pick<ProviderSandbox, 'url'>, path: string, body: unknown): Promise<Response> {
  return fetch(`${provider.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export function get(
  provider: ProviderSandbox,
  path: string,
  query: Record<string, string> = {},
): Promise<Response> {
  const parameters = new URLSearchParams({ api_key: provider.account.key, ...query });
  return fetch(`${provider.url}${path}?${parameters}`);
}

/** Returns a message that is right in every field. */
export function message(provider: ProviderSandbox, changes: Record<string, unknown> = {}) {
  return {
    api_key: provider.account.key,
    to: '2348030000011',
    from: 'PalmMarket',
    sms: 'Your order is on its way.',
    channel: 'dnd',
    type: 'plain',
    ...changes,
  };
}

export function send(provider: ProviderSandbox, changes: Record<string, unknown> = {}): Promise<Response> {
  return post(provider, '/api/sms/send', message(provider, changes));
}

/** Describes the result of a request that may fail at any point. */
export async function outcome(answer: Promise<Response>): Promise<string> {
  const response = await answer.catch(() => undefined);
  if (!response) {
    return 'no answer';
  }
  const text = await response.text().catch(() => undefined);
  if (text === undefined) {
    return `${response.status}, body cut`;
  }
  if (text === '') {
    return `${response.status}, empty`;
  }
  try {
    const { code, message } = JSON.parse(text);
    return `${response.status}, ${code ?? 'no code'}: ${message}`;
  } catch {
    return `${response.status}, ${response.headers.get('content-type')}, not JSON`;
  }
}

/** Starts a provider whose clock stands at noon until `pass` moves it. */
export async function provideWithClock(t: TestContext, options: ProviderSandboxOptions = {}) {
  let now = noon;
  const provider = await provide(t, { clock: () => now, ...options });
  const pass = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  return { provider, pass };
}
