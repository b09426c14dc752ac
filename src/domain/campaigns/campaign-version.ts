/** What a campaign's version is made of. A person who saw another version is told which of these changed. */
export type VersionPart = 'name' | 'text' | 'sender' | 'recipients' | 'start' | 'repeat';

/** In the order of a version; `start` has two: the time, and the latest time. A campaign that is sent once ends there. */
const parts: readonly VersionPart[] = ['name', 'text', 'sender', 'recipients', 'start', 'start', 'repeat'];

/** The parts of a campaign's content, each as a keyed hash. */
export type ContentHashes = Record<Exclude<VersionPart, 'start' | 'repeat'>, string>;

/** Hashes one part of a campaign's content by a keyed hash. */
export const hashPart = (
  hash: (content: string) => string,
  part: keyof ContentHashes,
  content: unknown,
): string => hash(`${part} ${JSON.stringify(content)}`);

/** Returns what names the content of a campaign: its list as it was read, before anyone is taken off it. */
export function digestOf({ name, text, sender, recipients }: ContentHashes): string {
  return [name, text, sender, recipients].join('.');
}

/** Returns the digest of a campaign that is from another sender now. */
export function withSender(digest: string, sender: string): string {
  const [name = '', text = '', _, recipients = ''] = digest.split('.');
  return digestOf({ name, text, sender, recipients });
}

/** When a campaign is sent. */
interface Times {
  startAt?: Date | undefined;
  latestStart?: Date | undefined;
  repeat?: object | undefined;
}

/** Returns what names a campaign as a person reviews it. `isVersion` in campaign-moves.ts has the same in SQL. */
export function versionOf(digest: string | undefined, { startAt, latestStart, repeat }: Times): string {
  const times = [startAt?.getTime() ?? '', latestStart?.getTime() ?? ''];
  return [digest ?? '', ...times, ...(repeat === undefined ? [] : [JSON.stringify(repeat)])].join('.');
}

/** Returns what differs between two versions. */
export function changedParts(seen: string, now: string): VersionPart[] {
  const [before, after] = [seen.split('.'), now.split('.')];
  return [...new Set(parts.filter((_, index) => before[index] !== after[index]))];
}
