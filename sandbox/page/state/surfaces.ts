import { isJsonObject, type JsonObject, objectAt, objectsAt } from '../../lib/json.ts';
import type { Container, OpenView, SandboxMessage } from '../../slack/protocol.ts';
import type { Directory } from './directory.ts';
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
        throw new Error(result?.trouble ?? 'The sandbox didn’t answer.');
      }
      return isJsonObject(result.answer) ? readOptionGroups(result.answer) : [];
    },
    uploadFile: (file) => pageState.uploadFile(file),
    redraw: () => pageState.redraw(),
  };
}
