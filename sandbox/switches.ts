import type { IncomingMessage } from 'node:http';
import type { AppProcess } from './app-process/app-process.ts';
import { type Controls, type PhoneReply, readChange } from './controls.ts';
import type { AppManifest } from './manifest.ts';
import type { PostgresServer } from './postgres-server.ts';
import { magicNumbers, numberRules } from './provider/faults/magic-numbers.ts';
import { deliveryNumbers } from './provider/messages/delivery-numbers.ts';
import type { ProviderSandbox } from './provider/server.ts';
import { type AccountWebhookInput, defaultWebhook } from './provider/webhook/account-webhook.ts';
import type { StateFolder } from './state-folder.ts';

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
