import { type JsonObject, stringAt } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { Wait } from '../http/replies.ts';
import { marketKey } from '../state/seed.ts';
import type { AcceptedMessage, AccountState, InboundText } from '../state/state.ts';
import { type AccountWebhook, type AccountWebhookInput, accountWebhookSchema } from './account-webhook.ts';
import { type PlannedReport, planInbound, planReports, seededRandom } from './plan-reports.ts';
import { composePost, postOnce, type WebhookPost } from './post-webhook.ts';

/** The webhooks of the provider's accounts, for tests. Each function takes an account's key, by default that of the first. */
export interface ProviderWebhook {
  /**
   * Enters the webhook of an account in place of the one before. What it leaves out has its default. Throws a `ZodError` for a
   * wrong one, such as an address that is not on this machine.
   */
  set(webhook: AccountWebhookInput, key?: string): void;
  /** Removes it: reports that are still to be sent are dropped. */
  remove(key?: string): void;
  /** Everything that was sent or lost, in the order in which that ended. */
  readonly posts: readonly WebhookPost[];
  /**
   * Sends held reports now, each after the one before: of one message where `messageId` is given, and only with one status where
   * `status` is. Resolves when they are answered.
   */
  deliver(messageId?: string, status?: string): Promise<void>;
  /** Sends any body now, with a wrong signature unless it is genuine. Throws when the account has no webhook. */
  send(body: JsonObject, options?: { key?: string; genuine?: boolean }): Promise<WebhookPost>;
  /** Resolves when nothing is under way. What is held is not. */
  settled(): Promise<void>;
}

interface WebhookOptions {
  clock: () => Date;
  wait: Wait;
  /** Finds an account by its key. */
  accountOf(key: string): AccountState;
  /** Called after a webhook was entered or removed. */
  onChange(): void;
  onExchange?: ((exchange: LoggedRequest) => void) | undefined;
}

/** The most posts at a time. */
const maxPosts = 16;

/** What became of a report of one recipient, for the page. */
export interface ReportOutcome {
  status: string;
  outcome: WebhookPost['outcome'];
}

interface HeldReport {
  key: string;
  report: PlannedReport;
}

/** Sends the reports and inbound texts of all accounts to their webhooks. */
export class WebhookSender implements ProviderWebhook {
  readonly #options: WebhookOptions;
  #stopped = new AbortController();
  /** By the account's key; each for the webhook that was entered last. */
  #randoms = new Map<string, { webhook: AccountWebhook; random: () => number }>();
  #held: HeldReport[] = [];
  #posts: WebhookPost[] = [];
  #outcomes = new Map<string, ReportOutcome[]>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #inTurn = limitConcurrency(maxPosts);

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  get posts(): readonly WebhookPost[] {
    return this.#posts;
  }

  set(webhook: AccountWebhookInput, key = marketKey): void {
    this.#options.accountOf(key).webhook = accountWebhookSchema.parse(webhook);
    this.#options.onChange();
  }

  remove(key = marketKey): void {
    delete this.#options.accountOf(key).webhook;
    this.#options.onChange();
  }

  async deliver(messageId?: string, status?: string): Promise<void> {
    const isMeant = ({ report: { body } }: HeldReport) =>
      (messageId === undefined || body.message_id === messageId) &&
      (status === undefined || body.status === status);
    const { meant = [], others = [] } = Object.groupBy(this.#held, (held) =>
      isMeant(held) ? 'meant' : 'others',
    );
    this.#held = others;
    for (const { key, report } of meant) {
      await this.#send(key, report);
    }
  }

  async send(
    body: JsonObject,
    { key = marketKey, genuine = true }: { key?: string; genuine?: boolean } = {},
  ): Promise<WebhookPost> {
    const post = await this.#send(key, { body, genuine, lost: false });
    if (!post) {
      throw new Error(`The account with the key ${key} has no webhook`);
    }
    return post;
  }

  async settled(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
    }
  }

  /** Plans the reports of an accepted message, and begins to send them unless they are held. */
  accepted(message: AcceptedMessage): void {
    const key = message.account;
    const { webhook } = this.#options.accountOf(key);
    // No source knows of reports of e-mails.
    if (!webhook || message.channel === 'email') {
      return;
    }
    const random = this.#randomOf(key, webhook);
    for (const delivery of message.deliveries) {
      const reports = planReports(message, delivery, webhook, random);
      if (webhook.held) {
        this.#held.push(...reports.map((report) => ({ key, report })));
      } else {
        this.#track(this.#play(key, reports));
      }
    }
  }

  /** Sends a text from a phone now, also where reports are held. Resolves when it is answered. */
  async received(text: InboundText): Promise<void> {
    const key = text.account;
    const { webhook } = this.#options.accountOf(key);
    if (webhook) {
      await this.#play(key, planInbound(text, webhook, this.#randomOf(key, webhook)));
    }
  }

  /** What became of the genuine reports of a message to one number. */
  outcomesOf(messageId: string, number: string): readonly ReportOutcome[] {
    return this.#outcomes.get(`${messageId} ${number}`) ?? [];
  }

  /** Drops what is under way or held, and forgets the posts. */
  reset(): void {
    this.#stopped.abort();
    this.#stopped = new AbortController();
    this.#randoms.clear();
    this.#held = [];
    this.#posts = [];
    this.#outcomes.clear();
  }

  #randomOf(key: string, webhook: AccountWebhook): () => number {
    const known = this.#randoms.get(key);
    if (known?.webhook === webhook) {
      return known.random;
    }
    const random = seededRandom(webhook.seed);
    this.#randoms.set(key, { webhook, random });
    return random;
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Sends the reports of one recipient, each after the one before. */
  async #play(key: string, reports: readonly PlannedReport[]): Promise<void> {
    const { signal } = this.#stopped;
    for (const report of reports) {
      if (report.delayMs > 0) {
        await this.#options.wait(report.delayMs, signal);
      }
      if (signal.aborted) {
        return;
      }
      await this.#send(key, report);
    }
  }

  /** Resolves with what became of it; undefined without a webhook, and after a reset. */
  async #send(
    key: string,
    { body, genuine, lost }: Pick<PlannedReport, 'body' | 'genuine' | 'lost'>,
  ): Promise<WebhookPost | undefined> {
    const { signal } = this.#stopped;
    const { webhook } = this.#options.accountOf(key);
    if (!webhook) {
      return undefined;
    }
    const composed = composePost({ key, webhook }, body, genuine);
    const outcome = lost ? 'lost' : await this.#inTurn(() => this.#post(composed, signal));
    if (signal.aborted) {
      return undefined;
    }
    const post: WebhookPost = { ...composed, outcome };
    this.#posts.push(post);
    this.#note(body, post);
    return post;
  }

  async #post(composed: Omit<WebhookPost, 'outcome'>, signal: AbortSignal): Promise<WebhookPost['outcome']> {
    const exchange = await postOnce(composed, { at: this.#options.clock(), signal });
    this.#options.onExchange?.(exchange);
    return typeof exchange.status === 'number' ? exchange.status : 'no answer';
  }

  #note(body: JsonObject, { genuine, outcome }: WebhookPost): void {
    const [id, number, status] = ['message_id', 'receiver', 'status'].map((name) => stringAt(body, name));
    if (!genuine || id === undefined || number === undefined || status === undefined) {
      return;
    }
    const key = `${id} ${number}`;
    this.#outcomes.set(key, [...(this.#outcomes.get(key) ?? []), { status, outcome }]);
  }
}

/** Returns a function that runs at most `most` works at a time, in the order of the calls. */
function limitConcurrency(most: number): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) {
      free -= 1;
    } else {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) {
        next();
      } else {
        free += 1;
      }
    }
  };
}
