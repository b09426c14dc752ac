import { readFileSync } from 'node:fs';
import { isJsonObject, parseJsonText } from '../../lib/json.ts';
import type { WorkspaceState } from './workspace.ts';

/** Reads the workspace that an earlier run saved. Returns undefined when there is none or it cannot be read. */
export function readSlackState(path: string): WorkspaceState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const state = parseJsonText(text);
  return isState(state) ? state : undefined;
}

function isState(state: unknown): state is WorkspaceState {
  const lists = ['channels', 'messages', 'homes', 'files'];
  return (
    isJsonObject(state) &&
    lists.every((key) => Array.isArray(state[key])) &&
    typeof state.lastTime === 'number'
  );
}
