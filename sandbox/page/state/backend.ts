import type { Controls, ControlsChange, PhoneReply } from '../../controls.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { Phone } from '../../provider/phones/phones.ts';
import type { Snapshot, UserAction, UserActionResult } from '../../slack/protocol.ts';

/** The client of the sandbox's HTTP API. Every function throws an Error with a message for the person. */

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch(() => {
    throw new Error('The sandbox isn’t answering. Is it still running?');
  });
  if (response.ok) {
    return response;
  }
  const body: unknown = await response.json().catch(() => undefined);
  const message = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  throw new Error(
    typeof message === 'string' ? message : `The sandbox answered ${response.status} to ${path}.`,
  );
}

async function send<Answer>(path: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

export const backend = {
  perform: (action: UserAction) => send<UserActionResult>('/sandbox/actions', action),

  /**
   * Reads what a person sees in a workspace; without one in their first. For an unknown person, such as of an old bookmark, an
   * administrator's.
   */
  readState: async (person: string, team: string): Promise<Snapshot> =>
    (await ask(`/sandbox/state?${new URLSearchParams({ person, team })}`)).json(),

  readExchanges: async (): Promise<LoggedRequest[]> => (await ask('/sandbox/requests')).json(),

  readControls: async (): Promise<Controls> => (await ask('/sandbox/controls')).json(),

  changeControls: (change: ControlsChange) => send<Controls>('/sandbox/controls', change),

  readPhones: async (): Promise<Phone[]> => (await ask('/sandbox/phones')).json(),

  sendReply: (reply: PhoneReply) => send<Phone[]>('/sandbox/phones', reply),

  /** Removes the app from a workspace or an enterprise. */
  uninstall: (place: string) => send<unknown>('/sandbox/uninstall', { place }),

  uploadFile: async (person: string, team: string, file: File): Promise<JsonObject> => {
    const query = new URLSearchParams({ person, team, name: file.name });
    return (await ask(`/sandbox/files?${query}`, { method: 'POST', body: file })).json();
  },

  /** Calls back on each change, and when the connection opens or is lost. */
  watch(on: { change: () => void; open: () => void; lost: () => void }): void {
    const events = new EventSource('/sandbox/events');
    events.addEventListener('change', on.change);
    events.addEventListener('open', on.open);
    events.addEventListener('error', on.lost);
  },
};

export type Backend = typeof backend;
