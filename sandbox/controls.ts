import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { AppManifest } from './app-manifest.ts';
import type { AppProcess } from './app-process/app-process.ts';
import { isJsonObject } from './lib/json.ts';
import type { PostgresServer } from './postgres-server.ts';
import { magicNumbers, numberRules } from './provider/faults/magic-numbers.ts';
import type { ProviderSandbox } from './provider/server.ts';
import {
  type AccountWebhook,
  type AccountWebhookInput,
  accountWebhookSchema,
  defaultWebhook,
} from './provider/webhook/account-webhook.ts';
import { deliveryNumbers } from './provider/webhook/plan-reports.ts';
import type { StateFolder } from './state-folder.ts';

/** The state and switches of the sandbox itself, for the guide of the page: `GET /sandbox/controls`. */
export interface Controls {
  app: {
    name: string;
    hasHome: boolean;
    /** Whether people can’t write to the app. */
    isReadOnly: boolean;
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
async function readChange(request: IncomingMessage): Promise<ControlsChange> {
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
    throw new Error('The sandbox doesn’t know this change.');
  }
  return parsed.data;
}

/** Reads a reply. Throws with a message for the page. */
export async function readReply(request: IncomingMessage): Promise<PhoneReply> {
  const parsed = replySchema.safeParse(await readJson(request));
  if (!parsed.success) {
    throw new Error('The sandbox doesn’t know this reply.');
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

interface SwitchesOptions {
  manifest: AppManifest;
  transport: 'http' | 'socket';
  /** Grows while they are started. */
  instances: readonly AppProcess[];
  appUrl: () => string;
  oauth: boolean;
  folder: StateFolder;
  provider: ProviderSandbox;
  /** The PostgreSQL of the instances. */
  database: PostgresServer | undefined;
  clock: () => Date;
  clockShifted: boolean;
}

/** What the page's guide shows and switches. */
export class Switches {
  readonly #options: SwitchesOptions;
  #providerUp = true;
  #databaseUp = true;

  constructor(options: SwitchesOptions) {
    this.#options = options;
  }

  controls(): Controls {
    const { manifest, transport, instances, appUrl, oauth, folder, provider, database, clock, clockShifted } =
      this.#options;
    const { account, url } = provider;
    return {
      app: {
        ...manifest,
        instances: instances.map(({ state }) => state),
        transport,
        url: `${appUrl()}/`,
        oauth,
        log: folder.appLog,
      },
      provider: {
        up: this.#providerUp,
        url,
        key: account.key,
        balance: account.balance,
        phonebooks: account.phonebooks.map(({ id, name }) => ({ id, name })),
        magicNumbers,
        deliveryNumbers,
        webhook: account.webhook ?? defaultWebhook,
        numberRules,
      },
      ...(database && { database: { up: this.#databaseUp } }),
      now: clock().toISOString(),
      clockShifted,
    };
  }

  async change(request: IncomingMessage): Promise<void> {
    const change = await readChange(request);
    if ('crash' in change) {
      this.#options.instances[change.crash]?.crash();
    } else if ('topUp' in change) {
      const { provider } = this.#options;
      provider.setBalance(provider.account.balance + change.topUp);
    } else if ('webhook' in change) {
      this.#enterWebhook(change.webhook);
    } else if ('database' in change) {
      await this.#switchDatabase(change.database === 'up');
    } else {
      await this.#switchProvider(change.provider === 'up');
    }
  }

  /** Sends a reply from a phone to the sender of a conversation. */
  async reply({ number, conversation: id, text }: PhoneReply): Promise<void> {
    const { provider } = this.#options;
    const phone = provider.phones().find((each) => each.number === number);
    const conversation = phone?.conversations.find((each) => each.id === id);
    if (!conversation) {
      throw new Error('The phone has no such conversation.');
    }
    await provider.receive({ from: number, to: conversation.sender, text }, conversation.account);
  }

  #enterWebhook(webhook: AccountWebhookInput | null): void {
    const { provider } = this.#options;
    if (webhook) {
      provider.webhook.set(webhook);
    } else {
      provider.webhook.remove();
    }
  }

  async #switchProvider(up: boolean): Promise<void> {
    const { provider } = this.#options;
    this.#providerUp = up;
    await (up ? provider.comeUp() : provider.goDown());
  }

  async #switchDatabase(up: boolean): Promise<void> {
    const { database } = this.#options;
    if (database !== undefined && up !== this.#databaseUp) {
      this.#databaseUp = up;
      await (up ? database.start() : database.stop());
    }
  }
}
