import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { isJsonObject } from './lib/json.ts';
import { type AccountWebhook, accountWebhookSchema } from './provider/webhook/account-webhook.ts';

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
    /** Without an address where none is entered. */
    webhook: AccountWebhook;
    /** In naira. */
    balance: number;
    /** The app asks for their ids, since the provider's API has no list of them. */
    phonebooks: readonly { id: string; name: string }[];
    magicNumbers: readonly { number: string; what: string }[];
    /** Numbers that decide how an accepted message ends. */
    deliveryNumbers: readonly { number: string; what: string }[];
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
  // In naira.
  z.object({ topUp: z.int().min(1).max(1_000_000) }),
  z.object({ database: z.enum(['up', 'down']) }),
  // The index of an instance.
  z.object({ crash: z.int().min(0) }),
]);

const webhookChangeSchema = z.object({ webhook: accountWebhookSchema.nullable() });

/** `POST /sandbox/controls` */
export type ControlsChange = z.infer<typeof changeSchema> | z.input<typeof webhookChangeSchema>;

const replySchema = z.object({ number: z.string(), conversation: z.string(), text: z.string() });

/** A reply that a person types on a phone: `POST /sandbox/phones` */
export type PhoneReply = z.infer<typeof replySchema>;

/** Reads a change. Throws with a message for the page. */
export async function readChange(request: IncomingMessage): Promise<ControlsChange> {
  const body = await readJson(request);
  if (isJsonObject(body) && 'webhook' in body) {
    const parsed = webhookChangeSchema.safeParse(body);
    if (!parsed.success) {
      throw new Error(parsed.error.issues[0]?.message);
    }
    return parsed.data;
  }
  const parsed = changeSchema.safeParse(body);
  if (!parsed.success) {
    throw new Error('This is no change that the sandbox knows.');
  }
  return parsed.data;
}

/** Reads a reply. Throws with a message for the page. */
export async function readReply(request: IncomingMessage): Promise<PhoneReply> {
  const parsed = replySchema.safeParse(await readJson(request));
  if (!parsed.success) {
    throw new Error('This is no reply that the sandbox knows.');
  }
  return parsed.data;
}

/** Accepts JSON only, which a form of another site cannot send. Resolves with undefined for a body that is not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Error('Send JSON.');
  }
  return await json(request).catch(() => undefined);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
