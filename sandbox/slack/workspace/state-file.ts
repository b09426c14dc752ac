import { readFileSync } from 'node:fs';
import { isJsonObject, objectsIn, parseJsonText } from '../../lib/json.ts';
import type { Installation } from '../installations/installations.ts';
import type { WorkspaceState } from './workspace.ts';

/** What a restart keeps. */
export interface SavedSlack {
  /** By the id of the workspace. */
  workspaces: Record<string, WorkspaceState>;
  installations: Installation[];
}

/** Reads what an earlier run saved. Returns an empty state when there is none or it cannot be read. */
export function readSlackState(path: string): SavedSlack {
  const empty = { workspaces: {}, installations: [] };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return empty;
  }
  const saved = parseJsonText(text);
  return isSavedSlack(saved) ? saved : empty;
}

function isSavedSlack(saved: unknown): saved is SavedSlack {
  return (
    isJsonObject(saved) &&
    isJsonObject(saved.workspaces) &&
    Object.values(saved.workspaces).every(isWorkspaceState) &&
    Array.isArray(saved.installations) &&
    objectsIn(saved.installations).every(({ place, tokens }) => isJsonObject(place) && Array.isArray(tokens))
  );
}

function isWorkspaceState(state: unknown): state is WorkspaceState {
  const lists = ['channels', 'messages', 'homes', 'files'];
  return (
    isJsonObject(state) &&
    lists.every((key) => Array.isArray(state[key])) &&
    typeof state.lastTime === 'number'
  );
}
