import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

/** What the page's guide shows of the sandbox itself, and what can be switched there: `GET /sandbox/controls`. */
export interface Controls {
  app: {
    name: string;
    hasHome: boolean;
    state: 'starting' | 'ready' | 'stopped';
    transport: 'http' | 'socket';
    log: string;
  };
  provider: {
    up: boolean;
    url: string;
    /** The provider key to paste into the app. */
    key: string;
    /** In naira. */
    balance: number;
    /** Their ids are what an app asks for: the API has no list of them. */
    phonebooks: readonly { id: string; name: string }[];
    magicNumbers: readonly { number: string; what: string }[];
    /** What other numbers one can make up do. */
    numberRules: readonly string[];
  };
  /** By the sandbox's clock, ISO 8601. */
  now: string;
  clockShifted: boolean;
}

const changeForm = z.union([
  z.object({ provider: z.enum(['up', 'down']) }),
  z.object({ app: z.literal('crash') }),
]);

/** `POST /sandbox/controls` */
export type ControlsChange = z.infer<typeof changeForm>;

/** Reads a change. Throws with words for the page; only JSON is taken, which no form of another site can send. */
export async function readChange(request: IncomingMessage): Promise<ControlsChange> {
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Error('Send JSON.');
  }
  const parsed = changeForm.safeParse(await json(request).catch(() => undefined));
  if (!parsed.success) {
    throw new Error('This is no change that the sandbox knows.');
  }
  return parsed.data;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
