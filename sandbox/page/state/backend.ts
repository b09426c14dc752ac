import type { Controls, ControlsChange, PhoneReply } from '../../controls.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { Phone } from '../../provider/phones/phones.ts';
import type { Snapshot, UserAction, UserActionResult } from '../../slack/protocol.ts';

/** The client of the sandbox's HTTP API. Every function throws an Error with a message for the person. */

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch(() => {
    throw new Error('The sandbox does not answer. Is it still running?');
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

const asJson = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const backend = {
  async perform(action: UserAction): Promise<UserActionResult> {
    return (await ask('/sandbox/actions', asJson(action))).json();
  },

  /**
   * Reads what a person sees in a workspace; without one in their first. For an unknown person, such as of an old bookmark, an
   * administrator's.
   */
  async readState(person: string, team: string): Promise<Snapshot> {
    return (await ask(`/sandbox/state?${new URLSearchParams({ person, team })}`)).json();
  },

  async readExchanges(): Promise<LoggedRequest[]> {
    return (await ask('/sandbox/requests')).json();
  },

  async readControls(): Promise<Controls> {
    return (await ask('/sandbox/controls')).json();
  },

  async changeControls(change: ControlsChange): Promise<Controls> {
    return (await ask('/sandbox/controls', asJson(change))).json();
  },

  async readPhones(): Promise<Phone[]> {
    return (await ask('/sandbox/phones')).json();
  },

  async sendReply(reply: PhoneReply): Promise<Phone[]> {
    return (await ask('/sandbox/phones', asJson(reply))).json();
  },

  /** Removes the app from a workspace or an enterprise. */
  async uninstall(place: string): Promise<void> {
    await ask('/sandbox/uninstall', asJson({ place }));
  },

  async uploadFile(person: string, team: string, file: File): Promise<JsonObject> {
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
