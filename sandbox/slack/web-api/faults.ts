import type { JsonObject } from '../../lib/json.ts';

/** A fault of a Web API call. */
export interface SlackFault {
  /** Answered as `{ok: false, error}`. */
  error?: string;
  /** The HTTP status, such as 500. 429 is sent with `Retry-After`. */
  status?: number;
  /** In seconds. */
  retryAfter?: number;
  /** Never answers. */
  hang?: boolean;
  /** Cuts the connection instead of an answer. */
  cut?: boolean;
  /** Answers correctly after this many milliseconds. */
  delay?: number;
  /** Executes the call before it fails. */
  after?: boolean;
  /** The number of calls that fail. One by default. */
  times?: number;
  /** Only of calls with the token of this workspace or enterprise. Of all by default. */
  place?: string;
}

export type FaultResponse =
  | { status: number; headers: Record<string, string>; body: JsonObject }
  | 'silence'
  | 'cut';

/** The faults of the next calls, by method. */
export class SlackFaults {
  readonly #waiting = new Map<string, SlackFault[]>();
  /** Chooses the fault of a call without a waiting one. */
  choose: (method: string) => SlackFault | undefined = () => undefined;

  add(method: string, fault: SlackFault): void {
    const repeated = Array.from({ length: fault.times ?? 1 }, () => fault);
    this.#waiting.set(method, [...(this.#waiting.get(method) ?? []), ...repeated]);
  }

  next(method: string, place: string | undefined): SlackFault | undefined {
    const waiting = this.#waiting.get(method) ?? [];
    const index = waiting.findIndex((fault) => fault.place === undefined || fault.place === place);
    return index < 0 ? this.choose(method) : waiting.splice(index, 1)[0];
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

/** A Web API call that is or will be held. */
export interface HeldCall {
  /** Resolves when the call has arrived. */
  arrived: Promise<void>;
  /** Lets the call continue. */
  release(): void;
}

/** Holds the next calls by method. A held call does nothing until it is released. */
export class HeldCalls {
  #waiting: { method: string; place: string | undefined; hold: () => Promise<void> }[] = [];

  /** @param place holds only a call with the token of this workspace or enterprise */
  add(method: string, place?: string): HeldCall {
    const arrival = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const hold = (): Promise<void> => {
      arrival.resolve();
      return release.promise;
    };
    this.#waiting.push({ method, place, hold });
    return { arrived: arrival.promise, release: release.resolve };
  }

  /** Resolves when a call may continue: at once, unless it is held. */
  async pass(method: string, place: string | undefined): Promise<void> {
    const next = this.#waiting.find(
      (each) => each.method === method && (each.place === undefined || each.place === place),
    );
    this.#waiting = this.#waiting.filter((each) => each !== next);
    await next?.hold();
  }
}
