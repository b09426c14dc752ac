import type { Snapshot } from '../../slack/protocol.ts';

const panels = ['closed', 'guide', 'phone', 'requests'] as const;
export type Panel = (typeof panels)[number];

/** What the page shows. Kept in the address, so that a reload or a bookmark restores it. */
export interface PageLocation {
  person: string;
  /** The id of the workspace. Empty for the person's first. */
  team: string;
  /** The id of a channel, `app` or `slackbot`. */
  channel: string;
  tab: 'messages' | 'home';
  panel: Panel;
}

/** The value of `channel` for the app itself. */
export const appChannel = 'app';

/** The value of `channel` for Slackbot. */
export const slackbotChannel = 'slackbot';

/** The admin, who takes the first step: to connect the provider. */
const defaultPerson = 'U0ADMIN';

/** Reads the location from the address. The guide is open by default in a wide window. */
export function readPageLocation(): PageLocation {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const panel = panels.find((each) => each === parameters.get('panel'));
  const isWide = window.matchMedia('(min-width: 1100px)').matches;
  return {
    person: parameters.get('as') ?? defaultPerson,
    team: parameters.get('team') ?? '',
    channel: parameters.get('in') ?? '',
    tab: parameters.get('tab') === 'home' ? 'home' : 'messages',
    panel: panel ?? (isWide ? 'guide' : 'closed'),
  };
}

export function writePageLocation({ person, team, channel, tab, panel }: PageLocation): void {
  const place = { in: channel, tab, panel };
  const parameters = new URLSearchParams({ as: person, ...(team !== '' && { team }), ...place });
  history.replaceState(null, '', `#${parameters}`);
}

const storageKey = 'sandbox-read-marks';

function storedMarks(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** The last read message per person and channel, kept in the browser. */
export class ReadMarks {
  readonly #marks = new Map<string, number>(storedMarks());

  read(snapshot: Snapshot, channel: string): void {
    const latest = Math.max(0, ...this.#seconds(snapshot, channel));
    const key = `${snapshot.me.id} ${channel}`;
    if ((this.#marks.get(key) ?? 0) === latest) {
      return;
    }
    this.#marks.set(key, latest);
    localStorage.setItem(storageKey, JSON.stringify([...this.#marks]));
  }

  unread(snapshot: Snapshot, channel: string): number {
    const mark = this.#marks.get(`${snapshot.me.id} ${channel}`) ?? 0;
    return this.#seconds(snapshot, channel).filter((seconds) => seconds > mark).length;
  }

  #seconds(snapshot: Snapshot, channel: string): number[] {
    return snapshot.messages
      .filter((message) => message.channel === channel && message.from !== snapshot.me.id)
      .map((message) => Number(message.ts));
  }
}
