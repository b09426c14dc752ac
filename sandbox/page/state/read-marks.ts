import type { Snapshot } from '../../slack/protocol.ts';

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
