import { randomBytes } from 'node:crypto';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { checkMessage } from '../block-kit/surfaces.ts';
import { ApiError } from '../errors.ts';
import type { SandboxMessage } from '../protocol.ts';
import { withIds } from './block-ids.ts';
import type { Workspace } from './workspace.ts';

/** An action of a person that lets the app open a view for them. */
export interface Trigger {
  person: string;
  /** The channel of the action, for selects that start with the current conversation. */
  channel?: string;
  /** The modal of the action. */
  viewId?: string;
}

/** An id is reported as expired rather than unknown for this long. */
const KNOWN_MS = 3_600_000;
const PATTERN = /^\d+\.\d+\.[0-9a-f]{32}$/;

/** Trigger ids. Each can be redeemed once, within `validMs` milliseconds of the given clock. */
export class Triggers {
  readonly #clock: () => Date;
  readonly #issued = new Map<string, Trigger & { at: number; exchanged: boolean }>();

  readonly #validMs: number;

  constructor(clock: () => Date, validMs: number) {
    this.#clock = clock;
    this.#validMs = validMs;
  }

  issue(trigger: Trigger): string {
    const at = this.#clock().getTime();
    for (const [old, { at: then }] of this.#issued) {
      if (at - then > KNOWN_MS) {
        this.#issued.delete(old);
      }
    }
    const id = `${at}.${this.#issued.size + 1}.${randomBytes(16).toString('hex')}`;
    this.#issued.set(id, { ...trigger, at, exchanged: false });
    return id;
  }

  has(id: string): boolean {
    return this.#issued.has(id);
  }

  /** Throws `expired_trigger_id`, `exchanged_trigger_id`, `invalid_trigger_id`. Slack: views.open. */
  redeem(id: string): Trigger {
    if (!PATTERN.test(id)) {
      throw new ApiError('invalid_arguments', ['[ERROR] invalid `trigger_id` [json-pointer:/trigger_id]']);
    }
    const trigger = this.#issued.get(id);
    if (!trigger) {
      throw new ApiError('invalid_trigger_id');
    }
    if (this.#clock().getTime() - trigger.at > this.#validMs) {
      throw new ApiError('expired_trigger_id');
    }
    if (trigger.exchanged) {
      throw new ApiError('exchanged_trigger_id');
    }
    trigger.exchanged = true;
    return trigger;
  }
}

/** The person and channel that a response_url posts to. */
export interface ResponseUrlGrant {
  person: string;
  channel: string;
  /** The message that the app may replace or delete: the one interacted with, else its last post. */
  original?: SandboxMessage;
  threadTs?: string;
}

const MAX_USES = 5;
const VALID_MS = 30 * 60_000;

/** The response_urls, with which an app answers an interaction at most five times within half an hour. */
export class ResponseUrls {
  readonly #workspace: Workspace;
  readonly #base: () => string;
  readonly #issued = new Map<string, { grant: ResponseUrlGrant; at: number; uses: number }>();

  constructor(workspace: Workspace, base: () => string) {
    this.#workspace = workspace;
    this.#base = base;
  }

  issue(kind: 'commands' | 'actions' | 'app', grant: ResponseUrlGrant): string {
    const token = randomBytes(12).toString('base64url');
    const at = this.#workspace.now().getTime();
    for (const [old, { at: then }] of this.#issued) {
      if (at - then > VALID_MS) {
        this.#issued.delete(old);
      }
    }
    this.#issued.set(token, { grant, at, uses: 0 });
    return `${this.#base()}/response/${kind}/${this.#workspace.team.id}/${token}`;
  }

  /** Applies a post of the app. Throws `expired_url`, `used_url`, `invalid_blocks` and other errors of messages. */
  use(token: string, body: JsonObject): void {
    const issued = this.#issued.get(token);
    if (!issued || this.#workspace.now().getTime() - issued.at > VALID_MS) {
      throw new ApiError('expired_url');
    }
    if (issued.uses >= MAX_USES) {
      throw new ApiError('used_url');
    }
    issued.uses += 1;
    applyResponse(this.#workspace, issued.grant, body);
  }
}

/**
 * Applies a response from a response_url or from the acknowledgement of a command: posts a message, ephemeral unless
 * `in_channel`, or changes the original.
 */
export function applyResponse(workspace: Workspace, grant: ResponseUrlGrant, body: JsonObject): void {
  const original = grant.original && workspace.message(grant.original.channel, grant.original.ts);
  if (isTrue(body.delete_original)) {
    if (original) {
      workspace.remove(original);
    }
    if (body.text === undefined && body.blocks === undefined) {
      return;
    }
  }
  const refused = checkMessage(body, workspace.unknownBlocks);
  if (refused) {
    throw new ApiError(refused.error, refused.messages);
  }
  const content = { text: stringAt(body, 'text') ?? '', blocks: withIds(body.blocks) };
  if (isTrue(body.replace_original) && original && !isTrue(body.delete_original)) {
    workspace.rewrite(original, content);
    return;
  }
  const threadTs = stringAt(body, 'thread_ts') ?? grant.threadTs;
  const posted = workspace.post({
    ...content,
    channel: grant.channel,
    from: 'app',
    ...(threadTs !== undefined && { threadTs }),
    ...(body.response_type !== 'in_channel' && { onlyFor: grant.person }),
  });
  if (!original) {
    grant.original = posted;
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
