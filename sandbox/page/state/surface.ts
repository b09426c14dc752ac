import type { JsonObject } from '../../lib/json.ts';
import type { Container } from '../../slack/protocol.ts';
import { objectAt, objectsAt } from '../json.ts';
import type { Directory } from './directory.ts';

/** The place of one interactive element: what Slack calls its block and its action. */
export interface Slot {
  blockId: string;
  actionId: string;
}

export interface OptionGroup {
  label?: JsonObject;
  options: JsonObject[];
}

/** `options` or `option_groups`, of a select or of what an app acknowledged an options request with. */
export function readOptionGroups(from: JsonObject): OptionGroup[] {
  const groups = objectsAt(from, 'option_groups');
  if (groups.length === 0) {
    return [{ options: objectsAt(from, 'options') }];
  }
  return groups.map((group) => {
    const label = objectAt(group, 'label');
    return { ...(label ? { label } : {}), options: objectsAt(group, 'options') };
  });
}

/** A message, a modal or a Home tab, as its blocks see it: what they show and what can be done there. */
export interface PageSurface {
  /** Unique in the document, for the ids of labels and inputs. */
  id: string;
  container: Container;
  /** The channel the person looks at, for a select that starts with the current conversation. */
  channel: string;
  directory: Directory;
  stateOf(slot: Slot): JsonObject | undefined;
  errorOf(blockId: string): string | undefined;
  /** Keeps a state and tells the stand-in for Slack, but not the app; typing is told after a pause. */
  fill(slot: Slot, state: JsonObject, typed: boolean): void;
  /** Tells the app. Resolves when it has acknowledged, or failed to. */
  act(slot: Slot, state?: JsonObject, typed?: boolean): Promise<void>;
  isBusy(slot: Slot): boolean;
  /** Asks the app for options. Throws with words for the person. */
  findOptions(slot: Slot, query: string): Promise<OptionGroup[]>;
  uploadFile(file: File): Promise<JsonObject>;
  /** Draws again what a declined confirmation left on the screen. */
  redraw(): void;
}
