import { z } from 'zod';

/**
 * What a person was shown of the facts that may change before they go on. The button, form, draft or request that goes on
 * carries it. A fact that is absent was not shown, or not known.
 */
export const seenSchema = z.object({
  /** Sending meets quiet hours, and somebody would not get the message for that. */
  quietHours: z.literal(true).exactOptional(),
  /** Whether the provider listed the sender ID as active. */
  sender: z.enum(['active', 'inactive']).exactOptional(),
  /** Whether a second person has to approve it; `given`: one has. */
  approval: z.enum(['needed', 'given']).exactOptional(),
  /** What is ordered and what it costs, as one text to compare. */
  offer: z.string().exactOptional(),
  /** Names the workspace's settings of codes. */
  codeSettings: z.string().exactOptional(),
});
export type Seen = z.infer<typeof seenSchema>;

/** How what is true now differs from what was shown. */
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

/** Proves that what is about to be done is what was shown. Only `compareSeen` makes one. */
export interface Unchanged {
  kind: 'unchanged';
  /** What was shown of it, to compare once more as it starts. Quiet hours that it doesn't meet were shown of another time. */
  seen: Seen;
  readonly [proof]: true;
}

/** Something is not as it was shown, and has to be seen first. Nothing was done. */
export interface NotAsShown {
  kind: 'not_as_shown';
  changes: readonly Change[];
  /** What is true now. */
  seen: Seen;
}

/**
 * Compares what was shown with what is true now. Everything that spends asks this first, and does nothing where something
 * changed. A warning that no longer applies is no change, and one that was shown is not given again.
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

/** For what nobody is shown before it is sent: an automatic answer. test/architecture.test.ts lists who uses it. */
export const nothingShown: Unchanged = { kind: 'unchanged', seen: {}, [proof]: true };
