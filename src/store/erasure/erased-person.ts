import { type NumberMentions, removedNumber } from '../../domain/phone/number-mentions.ts';
import type { HashNumber } from '../encryption/phone-hashes.ts';

/** Whose traces are erased: a number, in some workspaces. */
export interface ErasedPerson {
  /** E.164: `+2348031234567`. */
  number: string;
  /** As histories show it: `+234803•••4567`. */
  masked: string;
  mentions: NumberMentions;
  /** What hashes a number, by the id of each workspace. */
  hashers: ReadonlyMap<string, HashNumber>;
}

/** What was removed, and what has to stay for now. Counts are of rows, unless said otherwise. */
export interface ErasureCounts {
  /** Operations whose masked number and recipient were removed. */
  operations: number;
  /** Texts of messages that went to the number, or mentioned it. */
  texts: number;
  /** Recipients of campaigns, once for each campaign. */
  recipients: number;
  /** Of those: recipients that were not sent to yet, and are skipped. */
  skipped: number;
  /** Rejected rows of files, and other rows that mentioned the number. */
  rows: number;
  /** Drafts, codes, uploads and preferences. */
  values: number;
  /** Entries of do-not-contact lists that are hashes from now on. */
  listed: number;
  /** Texts of campaigns that are not finished and mention the number: changing them would change what is sent. */
  keptTexts: number;
}

export function noCounts(): ErasureCounts {
  return {
    operations: 0,
    texts: 0,
    recipients: 0,
    skipped: 0,
    rows: 0,
    values: 0,
    listed: 0,
    keptTexts: 0,
  };
}

export function addCounts(counts: ErasureCounts, more: ErasureCounts): void {
  counts.operations += more.operations;
  counts.texts += more.texts;
  counts.recipients += more.recipients;
  counts.skipped += more.skipped;
  counts.rows += more.rows;
  counts.values += more.values;
  counts.listed += more.listed;
  counts.keptTexts += more.keptTexts;
}

/** Returns a text that no longer names the person; the same text where it did not. */
export function eraseFromText(text: string, { mentions, masked }: ErasedPerson): string {
  return mentions.remove(text).replaceAll(masked, removedNumber);
}

/**
 * Returns a JSON value in which no text names the person any more.
 *
 * @param dropsProperties whether a property that was the number alone is dropped, rather than kept as `•••`
 */
export function eraseFromJson(
  value: unknown,
  person: ErasedPerson,
  { dropsProperties = false }: { dropsProperties?: boolean } = {},
): unknown {
  if (typeof value === 'string') {
    return eraseFromText(value, person);
  }
  if (Array.isArray(value)) {
    return value.map((item) => eraseFromJson(item, person, { dropsProperties }));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const erased = Object.entries(value).map(
    ([name, item]) => [name, item, eraseFromJson(item, person, { dropsProperties })] as const,
  );
  const kept = erased.filter(
    ([, before, after]) => !(dropsProperties && before !== after && after === removedNumber),
  );
  return Object.fromEntries(kept.map(([name, , after]) => [name, after]));
}
