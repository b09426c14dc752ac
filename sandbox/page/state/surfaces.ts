import { isJsonObject, type JsonObject, objectAt, objectsAt } from '../../lib/json.ts';
import type {
  Container,
  OpenView,
  Person,
  SandboxChannel,
  SandboxMessage,
  Snapshot,
} from '../../slack/protocol.ts';
import type { PageState } from './page-state.ts';

/** Identifies one interactive element by its `block_id` and `action_id`. */
export interface Slot {
  blockId: string;
  actionId: string;
}

export interface OptionGroup {
  label?: JsonObject | undefined;
  options: JsonObject[];
}

/** Reads `options` or `option_groups` of a select, or of the app's answer to an options request. */
export function readOptionGroups(from: JsonObject): OptionGroup[] {
  const groups = objectsAt(from, 'option_groups');
  if (groups.length === 0) {
    return [{ options: objectsAt(from, 'options') }];
  }
  return groups.map((group) => ({ label: objectAt(group, 'label'), options: objectsAt(group, 'options') }));
}

/** A message, a modal or a Home tab, as its blocks use it. */
export interface PageSurface {
  /** Unique in the document, for the ids of labels and inputs. */
  id: string;
  container: Container;
  /** The id of the shown channel, for a select that starts with the current conversation. */
  channel: string;
  directory: Directory;
  stateOf(slot: Slot): JsonObject | undefined;
  errorOf(blockId: string): string | undefined;
  /** Sends a state to the sandbox's Slack, but not to the app. `typed` waits for a pause in the typing. */
  fill(slot: Slot, state: JsonObject, typed: boolean): void;
  /** Sends the action to the app. Resolves when the app has acknowledged it or failed to. */
  act(slot: Slot, state?: JsonObject, typed?: boolean): Promise<void>;
  isBusy(slot: Slot): boolean;
  /** Requests options from the app. Throws with a message for the person. */
  findOptions(slot: Slot, query: string): Promise<OptionGroup[]>;
  uploadFile(file: File): Promise<JsonObject>;
  /** Redraws, to reset an input after a declined confirmation. */
  redraw(): void;
}

/** Typed text is sent after this pause. */
const typingPauseMs = 250;

const slotKey = ({ blockId, actionId }: Slot): string => `${blockId}\n${actionId}`;

type Shown = Pick<PageSurface, 'id' | 'container' | 'stateOf' | 'errorOf'>;

/** The surface of a modal or a Home tab. The server keeps its state. */
export function viewSurface(pageState: PageState, directory: Directory, view: OpenView): PageSurface {
  return createSurface(pageState, directory, {
    id: view.id,
    container: { type: 'view', viewId: view.id },
    stateOf: ({ blockId, actionId }) => view.values[blockId]?.[actionId],
    errorOf: (blockId) => view.errors[blockId],
  });
}

/** The surface of a message. Only the page keeps its state. */
export function messageSurface(
  pageState: PageState,
  directory: Directory,
  { channel, ts }: SandboxMessage,
): PageSurface {
  return createSurface(pageState, directory, {
    id: `${channel}-${ts}`,
    container: { type: 'message', channel, ts },
    stateOf: () => undefined,
    errorOf: () => undefined,
  });
}

function createSurface(pageState: PageState, directory: Directory, shown: Shown): PageSurface {
  const { id, container } = shown;
  const { person } = pageState.location;
  const keep = container.type === 'message';
  const busyKey = (slot: Slot) => `${id}\n${slotKey(slot)}`;

  async function sendToApp(slot: Slot, state?: JsonObject): Promise<void> {
    pageState.busy.add(busyKey(slot));
    pageState.redraw();
    await pageState.perform({ do: 'action', person, container, ...slot, ...(state ? { state } : {}) });
    pageState.busy.delete(busyKey(slot));
    pageState.redraw();
  }

  async function sendToSlack(slot: Slot, state: JsonObject): Promise<void> {
    if (container.type === 'view') {
      await pageState.perform({ do: 'fill', person, viewId: container.viewId, ...slot, state });
    }
  }

  function keepState(
    slot: Slot,
    state: JsonObject,
    typed: boolean,
    send: () => Promise<void>,
  ): Promise<void> {
    const sent = pageState.drafts.put(id, slotKey(slot), state, {
      send,
      pause: typed ? typingPauseMs : 0,
      keep,
    });
    pageState.redraw();
    return sent;
  }

  return {
    ...shown,
    channel: pageState.channel?.id ?? '',
    directory,
    stateOf: (slot) => pageState.drafts.stateOf(id, slotKey(slot)) ?? shown.stateOf(slot),
    fill: (slot, state, typed) => void keepState(slot, state, typed, () => sendToSlack(slot, state)),
    async act(slot, state, typed = false) {
      if (state) {
        return keepState(slot, state, typed, () => sendToApp(slot, state));
      }
      if (pageState.busy.has(busyKey(slot))) {
        return;
      }
      await pageState.drafts.flush(id);
      await sendToApp(slot);
    },
    isBusy: (slot) => pageState.busy.has(busyKey(slot)),
    async findOptions(slot, query) {
      const result = await pageState.perform({ do: 'options', person, container, ...slot, query });
      if (!result || result.trouble) {
        throw new Error(result?.trouble ?? 'The sandbox did not answer.');
      }
      return isJsonObject(result.answer) ? readOptionGroups(result.answer) : [];
    },
    uploadFile: (file) => pageState.uploadFile(file),
    redraw: () => pageState.redraw(),
  };
}

interface Draft {
  state: JsonObject;
  send: () => Promise<void>;
  timer?: ReturnType<typeof setTimeout>;
  keep: boolean;
}

/**
 * The inputs that the server does not show yet. A draft takes precedence over the snapshot until it has been sent, so
 * that an update of the view does not overwrite typed text. Drafts of one container are sent in order.
 */
export class InputDrafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #queues = new Map<string, Promise<void>>();

  stateOf(container: string, slot: string): JsonObject | undefined {
    return this.#drafts.get(`${container} ${slot}`)?.state;
  }

  /**
   * Keeps `state` and calls `send` after `pause` milliseconds, unless a later state of the slot replaces it. With `keep`
   * the draft stays after it has been sent, since only the page remembers choices in messages.
   */
  put(
    container: string,
    slot: string,
    state: JsonObject,
    options: { send: () => Promise<void>; pause: number; keep: boolean },
  ): Promise<void> {
    const key = `${container} ${slot}`;
    clearTimeout(this.#drafts.get(key)?.timer);
    const draft: Draft = { state, send: options.send, keep: options.keep };
    this.#drafts.set(key, draft);
    if (options.pause === 0) {
      return this.#start(container, key, draft);
    }
    draft.timer = setTimeout(() => void this.#start(container, key, draft), options.pause);
    return Promise.resolve();
  }

  /** Sends the waiting drafts of a container. Resolves when all have arrived. */
  async flush(container: string): Promise<void> {
    for (const [key, draft] of this.#drafts) {
      if (draft.timer !== undefined && key.startsWith(`${container} `)) {
        void this.#start(container, key, draft);
      }
    }
    await this.#queues.get(container);
  }

  #start(container: string, key: string, draft: Draft): Promise<void> {
    clearTimeout(draft.timer);
    delete draft.timer;
    const before = this.#queues.get(container) ?? Promise.resolve();
    const queued = before.then(draft.send).finally(() => {
      if (!draft.keep && this.#drafts.get(key) === draft) {
        this.#drafts.delete(key);
      }
      if (this.#queues.get(container) === queued) {
        this.#queues.delete(container);
      }
    });
    this.#queues.set(container, queued);
    return queued;
  }
}

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

/** Returns the name of a channel. Direct messages have the name of the app, the only other participant. */
export function channelName(directory: Directory, id: string): string | undefined {
  const channel = directory.channels.find((each) => each.id === id);
  return channel?.kind === 'dm' ? directory.appName : channel?.name;
}
