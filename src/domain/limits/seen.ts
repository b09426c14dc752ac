import { z } from 'zod';

/**
 * The facts a person was shown that may change before they confirm. Buttons, forms, drafts and requests carry
 * it. A missing fact wasn't shown or known.
 */
export const seenSchema = z.object({
  /** Sending overlaps with quiet hours, so some recipients wouldn't get the message then. */
  quietHours: z.literal(true).exactOptional(),
  /** Whether the provider listed the sender ID as active. */
  sender: z.enum(['active', 'inactive']).exactOptional(),
  /** Whether a second person has to approve it; `given`: already approved. */
  approval: z.enum(['needed', 'given']).exactOptional(),
  /** The order and its price, as one text to compare. */
  offer: z.string().exactOptional(),
  /** Identifies the workspace's code settings. */
  codeSettings: z.string().exactOptional(),
});
export type Seen = z.infer<typeof seenSchema>;

/** How the current facts can differ from those shown. */
export const changes = [
  'quiet_hours',
  'sender_inactive',
  'approval_needed',
  'approval_not_needed',
  'offer',
  'code_settings',
] as const;
export type Change = (typeof changes)[number];

const proof: unique symbol = Symbol('unchanged');

/** Proves that nothing has changed since it was shown. Only `compareSeen` creates it. */
export interface Unchanged {
  kind: 'unchanged';
  /**
   * What was shown, to compare again at the start. Quiet hours are left out if it no longer overlaps with
   * them, because they were shown for another time.
   */
  seen: Seen;
  readonly [proof]: true;
}

/** Something has changed and has to be shown first. Nothing was done. */
export interface NotAsShown {
  kind: 'not_as_shown';
  changes: readonly Change[];
  /** The current facts. */
  seen: Seen;
}

/**
 * Compares the facts shown with the current ones. Everything that spends calls this first and stops on a
 * change. A warning that no longer applies doesn't count, nor does one that was already shown.
 */
export function compareSeen(seen: Seen, now: Seen): Unchanged | NotAsShown {
  const isChanged: Record<Change, boolean> = {
    quiet_hours: now.quietHours === true && seen.quietHours !== true,
    sender_inactive: now.sender === 'inactive' && seen.sender !== 'inactive',
    approval_needed: now.approval === 'needed' && seen.approval === undefined,
    approval_not_needed: now.approval === undefined && seen.approval === 'needed',
    offer: now.offer !== seen.offer,
    code_settings: now.codeSettings !== seen.codeSettings,
  };
  const found = changes.filter((change) => isChanged[change]);
  if (found.length > 0) {
    return { kind: 'not_as_shown', changes: found, seen: now };
  }
  const { quietHours: _, ...rest } = seen;
  return { kind: 'unchanged', seen: now.quietHours ? seen : rest, [proof]: true };
}

/** For automatic replies, which nobody reviews. test/architecture.test.ts lists who uses it. */
export const nothingShown: Unchanged = { kind: 'unchanged', seen: {}, [proof]: true };
