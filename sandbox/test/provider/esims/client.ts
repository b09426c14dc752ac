import assert from 'node:assert/strict';
import { z } from 'zod';
import type { ProviderSandbox } from '../../../provider/server.ts';
import { post } from '../client.ts';

/** Requests a token, by default for the first account. */
export async function authenticate(
  provider: Pick<ProviderSandbox, 'url' | 'account'>,
  key = provider.account.key,
): Promise<string> {
  const response = await post(provider, '/api/esim/authenticate', { api_key: key });
  assert.equal(response.status, 200);
  return z.object({ token: z.string() }).parse(await response.json()).token;
}

export interface EsimClient {
  get(path: string, query?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

/** Creates a client that sends a token. */
export async function esimClient(
  provider: Pick<ProviderSandbox, 'url' | 'account'>,
  key?: string,
): Promise<EsimClient> {
  const token = { 'x-token': await authenticate(provider, key) };
  return {
    get: (path, query = {}) =>
      fetch(`${provider.url}/api/esim${path}?${new URLSearchParams(query)}`, { headers: token }),
    post: (path, body) =>
      fetch(`${provider.url}/api/esim${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...token },
        body: JSON.stringify(body),
      }),
  };
}
