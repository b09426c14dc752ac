import type { Person, SandboxChannel, Snapshot } from '../../slack/protocol.ts';

/** Resolves the ids in texts, with the reader's time zone and clock. */
export interface Directory {
  people: Person[];
  channels: SandboxChannel[];
  otherChannels: Snapshot['otherChannels'];
  appName: string;
  me: string;
  zone: string;
  /** Unix seconds by the sandbox's clock, which may be shifted. */
  now(): number;
}

export function createDirectory(snapshot: Snapshot, appName: string, now: () => number): Directory {
  const { people, channels, otherChannels, me } = snapshot;
  return { people, channels, otherChannels, appName, me: me.id, zone: me.timeZone, now };
}

export function personName(directory: Directory, id: string): string | undefined {
  return directory.people.find((person) => person.id === id)?.name;
}

/** Returns the name of a channel. A direct message is named after the app, its only other participant. */
export function channelName(directory: Directory, id: string): string | undefined {
  const channel = directory.channels.find((each) => each.id === id);
  return channel?.kind === 'dm' ? directory.appName : channel?.name;
}

/** Returns how a text names a channel. Slack does not name a private one to people outside it. */
export function channelLabel(directory: Directory, id: string, fallback?: string): string {
  if (directory.channels.some((channel) => channel.id === id && channel.kind === 'dm')) {
    return `@${directory.appName}`;
  }
  const other = directory.otherChannels.find((each) => each.id === id);
  const name = channelName(directory, id) ?? other?.name ?? fallback;
  return name === undefined ? 'private channel' : `#${name}`;
}
