import type { JsonObject, OpenView, SandboxMessage } from '../../slack/protocol.ts';
import { isObject } from '../json.ts';
import type { Directory } from './directory.ts';
import type { Desk } from './page-state.ts';
import { type PageSurface, readOptionGroups, type Slot } from './surface.ts';

/** Long enough to wait for the next letter, short enough to feel at once, in milliseconds. */
const typingPause = 250;

const slotKey = ({ blockId, actionId }: Slot): string => `${blockId}\n${actionId}`;

type Shown = Pick<PageSurface, 'id' | 'container' | 'stateOf' | 'errorOf'>;

/** The surface of a modal or a Home tab: its state is the server's, its inputs may be filled in. */
export function viewSurface(desk: Desk, directory: Directory, view: OpenView): PageSurface {
  return createSurface(desk, directory, {
    id: view.id,
    container: { type: 'view', viewId: view.id },
    stateOf: ({ blockId, actionId }) => view.values[blockId]?.[actionId],
    errorOf: (blockId) => view.errors[blockId],
  });
}

/** The surface of a message: what is chosen in it is remembered by the page alone. */
export function messageSurface(
  desk: Desk,
  directory: Directory,
  { channel, ts }: SandboxMessage,
): PageSurface {
  return createSurface(desk, directory, {
    id: `${channel}-${ts}`,
    container: { type: 'message', channel, ts },
    stateOf: () => undefined,
    errorOf: () => undefined,
  });
}

function createSurface(desk: Desk, directory: Directory, shown: Shown): PageSurface {
  const { id, container } = shown;
  const { person } = desk.place;
  const keep = container.type === 'message';
  const busyKey = (slot: Slot) => `${id}\n${slotKey(slot)}`;

  async function tellApp(slot: Slot, state?: JsonObject): Promise<void> {
    desk.busy.add(busyKey(slot));
    desk.redraw();
    await desk.perform({ do: 'action', person, container, ...slot, ...(state ? { state } : {}) });
    desk.busy.delete(busyKey(slot));
    desk.redraw();
  }

  async function tellSlack(slot: Slot, state: JsonObject): Promise<void> {
    if (container.type === 'view') {
      await desk.perform({ do: 'fill', person, viewId: container.viewId, ...slot, state });
    }
  }

  function keepState(
    slot: Slot,
    state: JsonObject,
    typed: boolean,
    send: () => Promise<void>,
  ): Promise<void> {
    const sent = desk.drafts.put(id, slotKey(slot), state, { send, pause: typed ? typingPause : 0, keep });
    desk.redraw();
    return sent;
  }

  return {
    ...shown,
    channel: desk.channel?.id ?? '',
    directory,
    stateOf: (slot) => desk.drafts.stateOf(id, slotKey(slot)) ?? shown.stateOf(slot),
    fill: (slot, state, typed) => void keepState(slot, state, typed, () => tellSlack(slot, state)),
    async act(slot, state, typed = false) {
      if (state) {
        return keepState(slot, state, typed, () => tellApp(slot, state));
      }
      if (desk.busy.has(busyKey(slot))) {
        return;
      }
      await desk.drafts.flush(id);
      await tellApp(slot);
    },
    isBusy: (slot) => desk.busy.has(busyKey(slot)),
    async findOptions(slot, query) {
      const result = await desk.perform({ do: 'options', person, container, ...slot, query });
      if (!result || result.trouble) {
        throw new Error(result?.trouble ?? 'The sandbox did not answer.');
      }
      return isObject(result.answer) ? readOptionGroups(result.answer) : [];
    },
    uploadFile: (file) => desk.uploadFile(file),
    redraw: () => desk.redraw(),
  };
}
