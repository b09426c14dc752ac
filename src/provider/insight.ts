import type { CallOptions } from './call.ts';
import type { Outcome } from './outcome.ts';

/** What the provider knows of a number's Do-Not-Disturb state (API §2.7b). */
export interface DndCheck {
  /** Digits without `+`. */
  readonly number: string;
  /** `undefined`: the answer does not say. */
  readonly dndActive: boolean | undefined;
  readonly network?: string;
  readonly networkCode?: string;
  readonly status?: string;
  readonly message?: string;
  readonly raw: unknown;
}

export interface Insight {
  checkDnd(input: { readonly phoneNumber: string }, options?: CallOptions): Promise<Outcome<DndCheck>>;
}
