/** The parts of a campaign's version. A person who saw another version is told which of them changed. */
export type VersionPart = 'name' | 'text' | 'sender' | 'recipients' | 'start' | 'repeat';

/**
 * In the order of the version string. `start` takes two entries: the time and the latest time. A campaign
 * without repeats ends there.
 */
const parts: readonly VersionPart[] = ['name', 'text', 'sender', 'recipients', 'start', 'start', 'repeat'];

/** The parts of a campaign's content, each as a keyed hash. */
export type ContentHashes = Record<Exclude<VersionPart, 'start' | 'repeat'>, string>;

/** Returns the keyed hash of one part of a campaign's content. */
export const hashPart = (
  hash: (content: string) => string,
  part: keyof ContentHashes,
  content: unknown,
): string => hash(`${part} ${JSON.stringify(content)}`);

/** Returns the digest of a campaign's content, with the full list before any recipient is removed. */
export function digestOf({ name, text, sender, recipients }: ContentHashes): string {
  return [name, text, sender, recipients].join('.');
}

/** Returns the digest with another sender. */
export function withSender(digest: string, sender: string): string {
  const [name = '', text = '', _, recipients = ''] = digest.split('.');
  return digestOf({ name, text, sender, recipients });
}

interface Times {
  startAt?: Date | undefined;
  latestStart?: Date | undefined;
  repeat?: object | undefined;
}

/**
 * Returns the version of a campaign as a person reviews it. `isVersion` in campaign-moves.ts is the same in
 * SQL.
 */
export function versionOf(digest: string | undefined, { startAt, latestStart, repeat }: Times): string {
  const times = [startAt?.getTime() ?? '', latestStart?.getTime() ?? ''];
  return [digest ?? '', ...times, ...(repeat === undefined ? [] : [JSON.stringify(repeat)])].join('.');
}

/** Returns which parts differ between two versions. */
export function changedParts(seen: string, now: string): VersionPart[] {
  const [before, after] = [seen.split('.'), now.split('.')];
  return [...new Set(parts.filter((_, index) => before[index] !== after[index]))];
}
