import type { HashNumber } from '../encryption/phone-hashes.ts';

/**
 * Returns what two messages with the same sender and text have in common, so that they can be compared without keeping
 * either: a text may hold a one-time code. How its lines are broken and its spaces counted may change on the way.
 */
export function hashContent(hash: HashNumber, { sender, text }: { sender: string; text: string }): string {
  return hash(`content ${JSON.stringify([sender.trim(), text.trim().replaceAll(/\s+/g, ' ')])}`);
}
