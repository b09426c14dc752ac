/**
 * Tells the other instances at once what each of them may drop from its memory. It may be lost, so nothing depends on it
 * alone: cached values also expire, or are checked where it counts.
 */
export interface Broadcast {
  /** Returns at once, and never throws. */
  send(topic: string, key: string): void;
  /**
   * Calls the handler with the key of what another instance sends; without one where something may have been missed: then
   * any key may be meant.
   */
  on(topic: string, handler: (key: string | undefined) => void): void;
}

/** For a process that has the data to itself. */
export const noOthers: Broadcast = { send() {}, on() {} };
