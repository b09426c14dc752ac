import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

/** The state and switches of the sandbox itself, for the guide of the page: `GET /sandbox/controls`. */
export interface Controls {
  app: {
    name: string;
    hasHome: boolean;
    /** The state of each instance. */
    instances: readonly ('starting' | 'ready' | 'stopped')[];
    transport: 'http' | 'socket';
    /** The app's landing page. */
    url: string;
    /** Whether people install it in their workspaces. */
    oauth: boolean;
    log: string;
  };
  provider: {
    up: boolean;
    url: string;
    /** The provider key to paste into the app. */
    key: string;
    /** In naira. */
    balance: number;
    /** The app asks for their ids, since the provider's API has no list of them. */
    phonebooks: readonly { id: string; name: string }[];
    magicNumbers: readonly { number: string; what: string }[];
    /** Rules for numbers that a person makes up. */
    numberRules: readonly string[];
  };
  /** The PostgreSQL that several instances share. */
  database?: { up: boolean };
  /** By the sandbox's clock, ISO 8601. */
  now: string;
  clockShifted: boolean;
}

const changeSchema = z.union([
  z.object({ provider: z.enum(['up', 'down']) }),
  z.object({ database: z.enum(['up', 'down']) }),
  // The index of an instance.
  z.object({ crash: z.int().min(0) }),
]);

/** `POST /sandbox/controls` */
export type ControlsChange = z.infer<typeof changeSchema>;

/** Reads a change. Throws with a message for the page. Accepts JSON only, which a form of another site cannot send. */
export async function readChange(request: IncomingMessage): Promise<ControlsChange> {
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Error('Send JSON.');
  }
  const parsed = changeSchema.safeParse(await json(request).catch(() => undefined));
  if (!parsed.success) {
    throw new Error('This is no change that the sandbox knows.');
  }
  return parsed.data;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
