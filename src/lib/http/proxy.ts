import { Agent, EnvHttpProxyAgent, fetch as fetchThrough, Pool } from 'undici';
import type { Secret } from '../secret.ts';

/** The way to addresses that begin with `https://`. */
export interface WebProxy {
  /** With the name and password that it asks for, if any. */
  address: Secret;
  /** The hosts that are reached directly, as in the usual `NO_PROXY`. */
  except: string;
}

export type Fetch = (address: string | URL, init?: RequestInit) => Promise<Response>;

/** Connection pools, through the proxy where there is one. They speak HTTP/1.1. */
export function createAgent(
  proxy: WebProxy | undefined,
  options: Omit<Agent.Options, 'allowH2'> & { connectTimeout: number },
): Agent | EnvHttpProxyAgent {
  const { connectTimeout } = options;
  // On HTTP/2 undici requeues what a closing server left unanswered, which could send it twice.
  const http1 = { ...options, allowH2: false };
  if (proxy === undefined) {
    return new Agent(http1);
  }
  return new EnvHttpProxyAgent({
    ...http1,
    // Not what the environment says besides: http is for this machine.
    httpProxy: '',
    httpsProxy: proxy.address.reveal(),
    noProxy: proxy.except,
    // A proxy that does not answer is no better than one that cannot be reached.
    clientFactory: (origin, rest) => new Pool(origin, { ...rest, headersTimeout: connectTimeout }),
  });
}

/** The proxy did not connect: nothing was sent. */
export class ProxyRefusedError extends Error {
  override readonly name = 'ProxyRefusedError';
  readonly code = 'SWITCHBOARD_PROXY_REFUSED';
}

/**
 * Returns a `fetch` that goes through an agent. Node's own takes no agent of another release of undici, and undici's no form
 * of Node's.
 */
export function createFetch(agent: Agent | EnvHttpProxyAgent): Fetch {
  return async (address, init = {}) => {
    try {
      return await fetchThrough(address, { ...(await encodeForm(init)), dispatcher: agent });
    } catch (error) {
      // undici gives this error the same code as any request that was cut off.
      throw error instanceof Error &&
        error.cause instanceof Error &&
        /^Proxy response \(\d+\)/.test(error.cause.message)
        ? new ProxyRefusedError('the proxy did not connect', { cause: error })
        : error;
    }
  };
}

async function encodeForm(init: RequestInit) {
  const { body } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  if (!(body instanceof FormData)) {
    return { ...init, headers, body: body ?? null };
  }
  const encoded = new Response(body);
  const type = encoded.headers.get('content-type') ?? '';
  return { ...init, headers: { ...headers, 'content-type': type }, body: await encoded.arrayBuffer() };
}
