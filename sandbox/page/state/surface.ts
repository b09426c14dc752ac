import type { JsonObject } from '../../lib/json.ts';
import type { Container } from '../../slack/protocol.ts';
import { objectAt, objectsAt } from '../json.ts';
import type { Directory } from './directory.ts';

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
