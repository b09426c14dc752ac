import { randomBytes } from 'node:crypto';
import { ApiError } from '../api-error.ts';

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
