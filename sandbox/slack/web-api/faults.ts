import type { JsonObject } from '../../lib/json.ts';

/** How a call of a Web API method is to fail. */
export interface SlackFault {
  /** Answered as `{ok: false, error}`. */
  error?: string;
  /** An HTTP status without Slack's JSON, such as 500; with 429 comes `Retry-After`. */
  status?: number;
  /** In seconds. */
  retryAfter?: number;
  /** Never answered. */
  hang?: boolean;
  /** The connection is cut in place of an answer. */
  cut?: boolean;
  /** Answered as it should be, after so many milliseconds. */
  delay?: number;
  /** The work is done all the same, before it fails. */
  after?: boolean;
  /** How many calls it strikes: one unless it says more. */
  times?: number;
}

export type FaultResponse =
  | { status: number; headers: Record<string, string>; body: JsonObject }
  | 'silence'
  | 'cut';

/** Faults waiting for the next calls of a method. */
export class SlackFaults {
  readonly #waiting = new Map<string, SlackFault[]>();
  /** Chooses for calls that no fault waits for. */
  choose: (method: string) => SlackFault | undefined = () => undefined;

  add(method: string, fault: SlackFault): void {
    const strikes = Array.from({ length: fault.times ?? 1 }, () => fault);
    this.#waiting.set(method, [...(this.#waiting.get(method) ?? []), ...strikes]);
  }

  next(method: string): SlackFault | undefined {
    return this.#waiting.get(method)?.shift() ?? this.choose(method);
  }

  answer(fault: SlackFault, work: () => unknown): FaultResponse {
    if (fault.after) {
      work();
    }
    if (fault.hang) {
      return 'silence';
    }
    if (fault.cut) {
      return 'cut';
    }
    if (fault.status === 429) {
      const headers = { 'retry-after': String(fault.retryAfter ?? 1) };
      return { status: 429, headers, body: { ok: false, error: 'ratelimited' } };
    }
    const error = fault.error ?? 'internal_error';
    return { status: fault.status ?? 200, headers: {}, body: { ok: false, error } };
  }
}
