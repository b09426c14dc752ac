import type { HashNumber } from '../encryption/phone-hashes.ts';

/** What a message says, and from whom. */
export interface ComparableContent {
  sender: string;
  text: string;
}

/**
 * Returns what two messages with the same sender and text have in common, so that they can be compared without keeping
 * either: a text may hold a one-time code. How its lines are broken and its spaces counted may change on the way.
 */
export function hashContent(hash: HashNumber, { sender, text }: ComparableContent): string {
  return hash(`content ${JSON.stringify([sender.trim(), text.trim().replaceAll(/\s+/g, ' ')])}`);
}
