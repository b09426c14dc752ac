import type { Person, SandboxChannel, Snapshot } from '../../slack/protocol.ts';

/** Resolves the ids in texts, with the reader's time zone and clock. */
export interface Directory {
  people: Person[];
  channels: SandboxChannel[];
  appName: string;
  me: string;
  zone: string;
  /** Unix seconds by the sandbox's clock, which may be shifted. */
  now(): number;
}

export function createDirectory(snapshot: Snapshot, appName: string, now: () => number): Directory {
  const { people, channels, me } = snapshot;
  return { people, channels, appName, me: me.id, zone: me.timeZone, now };
}

export function personName(directory: Directory, id: string): string | undefined {
  return directory.people.find((person) => person.id === id)?.name;
}

/** Returns the name of a channel. A direct message is named after the app, its only other participant. */
export function channelName(directory: Directory, id: string): string | undefined {
  const channel = directory.channels.find((each) => each.id === id);
  return channel?.kind === 'dm' ? directory.appName : channel?.name;
}
