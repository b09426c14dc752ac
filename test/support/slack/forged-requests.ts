import { randomBytes } from 'node:crypto';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  objectsIn,
  stringAt,
  toJson,
} from '../../../sandbox/lib/json.ts';
import type { UserAction } from '../../../sandbox/slack/protocol.ts';
import { readMenuOption } from '../../../src/slack/block-kit/build.ts';
import type { ListenerKind } from '../app/registered-listeners.ts';
import type { TestWorkspace } from '../app/test-workspace.ts';
import { receiveResponses } from './response-urls.ts';
import type { SlackUser } from './slack-user.ts';

/** The parts of a request that its sender could forge: a button's value and a view's metadata. */
export interface Attempt {
  kind: Exclude<ListenerKind, 'command' | 'shortcut' | 'home' | 'tool'>;
  name: string;
  value: string;
  /** `undefined` for an element of a message. */
  view?: { metadata: string; values: JsonObject } | undefined;
}

/** Records everything that a user can press and submit, until the returned function is called. */
export function noteAll({ slack }: TestWorkspace, person: SlackUser): () => Attempt[] {
  const attempts = new Map<string, Attempt>();
  const keep = (attempt: Attempt) => attempts.set(JSON.stringify(attempt), attempt);
  const note = () => {
    const { modals, messages, home } = slack.snapshot(person.id, person.team);
    for (const { view, values } of modals) {
      const carried = { metadata: stringAt(view, 'private_metadata') ?? '', values: plainObject(values) };
      const name = stringAt(view, 'callback_id') ?? '';
      keep({ kind: 'submission', name, value: '', view: carried });
      if (view.notify_on_close === true) {
        keep({ kind: 'closed', name, value: '', view: carried });
      }
      for (const pressed of pressable(view.blocks)) {
        keep({ kind: 'action', ...pressed, view: carried });
      }
    }
    for (const blocks of [home?.view.blocks, ...messages.map((message) => message.blocks)]) {
      for (const pressed of pressable(blocks)) {
        keep({ kind: 'action', ...pressed });
      }
    }
  };
  const stop = slack.onChange(note);
  return () => {
    stop();
    return [...attempts.values()];
  };
}

function pressable(blocks: Json | undefined): { name: string; value: string }[] {
  return objectsIn(blocks).flatMap((block) => {
    const elements = [block.element, block.accessory, ...objectsIn(block.elements)].filter(isJsonObject);
    return elements.flatMap((element) => {
      if (element.type === 'overflow') {
        return objectsIn(element.options).map((option) => {
          const { actionId, value } = readMenuOption(stringAt(option, 'value') ?? '');
          return { name: actionId, value };
        });
      }
      const name = stringAt(element, 'action_id') ?? '';
      if (element.type === 'overflow') {
        return objectsIn(element.options).map((option) => {
          const { actionId, value } = readMenuOption(stringAt(option, 'value') ?? '');
          return { name: actionId, value };
        });
      }
      const values = [
        stringAt(element, 'value') ?? '',
        ...objectsIn(element.options).map((option) => stringAt(option, 'value') ?? ''),
      ];
      return values.map((value) => ({ name, value }));
    });
  });
}

function plainObject(value: unknown): JsonObject {
  const json = toJson(value);
  return isJsonObject(json) ? json : {};
}

/** Ids of requests and of operations, of any user. */
const ids =
  /(?:[UW]0[A-Z]+\.)?(?<![\w-])[\w-]{22}(?![\w-])|(?<![\w-])[0-9a-f]{8}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const idsIn = (carried: string) => [...carried.matchAll(ids)].map(([id]) => id);

/** Returns the attempts that carry ids or search: of each listener at most this many with different ids, the newest. */
export function withIds(attempts: Iterable<Attempt>, most: number): Attempt[] {
  const byListener = new Map<string, Map<string, Attempt>>();
  for (const attempt of attempts) {
    const { kind, name, value, view } = attempt;
    const pressed = idsIn(value);
    const remembered = idsIn(view?.metadata ?? '');
    if (kind === 'options' || pressed.length + remembered.length > 0) {
      const listener = `${kind} ${name} ${view !== undefined}`;
      const byIds = byListener.get(listener) ?? new Map<string, Attempt>();
      byListener.set(listener, byIds);
      const told = (kind === 'action' ? pressed : remembered).join();
      // The newest come last.
      byIds.delete(told);
      byIds.set(told, attempt);
    }
  }
  return [...byListener.values()].flatMap((byIds) => [...byIds.values()].slice(-most));
}

/** Replaces the ids of an attempt by unknown ones, consistently. */
export function unknownIds(): (attempt: Attempt) => Attempt {
  const unknown = new Map<string, string>();
  return ({ value, view, ...attempt }) => {
    const replaced = (text: string) =>
      text.replaceAll(ids, (id) => {
        const end = id.length === operationId ? 12 : 22;
        // An id of a request, and what its user made of it, stay the same one.
        const known = id.slice(-end);
        const made = unknown.get(known) ?? random(end);
        unknown.set(known, made);
        return id.slice(0, -end) + made;
      });
    return {
      ...attempt,
      value: replaced(value),
      view: view && { ...view, metadata: replaced(view.metadata) },
    };
  };
}

const operationId = '00000000-00000000-0000-0000-0000-000000000000'.length;

function random(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

/** An option of the form that attempts are made in. */
const inChannel = { text: { type: 'plain_text', text: 'In a channel' }, value: 'channel' };

/** What the app asks Slack now and then only. */
const cachedReads = ['users.info', 'usergroups.list'];

/** The result of an attempt. */
export interface Told {
  /** Everything that the app returned, showed and posted. */
  answer: string;
  /** Requests to the provider except reads, which may be cached. */
  asked: string[];
}

/** Sends forged but correctly signed requests. */
export async function intruder(
  test: { after(end: () => void): void },
  testApp: TestWorkspace,
  person: SlackUser,
  message: { channel: string; ts: string; blockId: string; actionId: string },
): Promise<(attempt: Attempt) => Promise<Told>> {
  const { slack, provider, app } = testApp;
  const responses = await receiveResponses(test);

  /** Turns a genuine request into the forged one. */
  const forged =
    ({ kind, name, value, view }: Attempt) =>
    ({ actions: _, response_url: __, view: open, ...payload }: JsonObject): JsonObject => {
      const carried = view && {
        view: {
          ...(isJsonObject(open) ? open : {}),
          callback_id: name,
          private_metadata: view.metadata,
          state: { values: view.values },
        },
      };
      switch (kind) {
        case 'action':
          return {
            ...payload,
            ...(carried ?? { response_url: responses.of('attempt') }),
            actions: [{ type: 'button', action_id: name, block_id: 'b', value, action_ts: '1.1' }],
          };
        case 'submission':
          return { ...payload, type: 'view_submission', ...carried, response_urls: [] };
        case 'closed':
          return { ...payload, type: 'view_closed', ...carried, is_cleared: false };
        case 'options':
          return { ...payload, type: 'block_suggestion', ...carried, action_id: name, block_id: 'b', value };
      }
    };

  /** The hash of the modal while it is unchanged. */
  let untouched: string | undefined;
  return async (attempt) => {
    let action: UserAction;
    if (attempt.view === undefined) {
      const { channel, ts, blockId, actionId } = message;
      const container = { type: 'message' as const, channel, ts };
      action = { do: 'action', person: person.id, container, blockId, actionId };
    } else {
      if (untouched === undefined || person.modal()?.hash !== untouched) {
        await person.types('/dnd-check', '', message.channel);
        await app().settled();
      }
      const { id, hash } = await person.seesModal('Do-Not-Disturb check');
      untouched = hash;
      action = {
        do: 'action',
        person: person.id,
        container: { type: 'view', viewId: id },
        blockId: 'place_choice',
        actionId: 'dnd_check.destination',
        state: { type: 'radio_buttons', selected_option: inChannel },
      };
    }
    const lastSeen = slack.exchanges.at(-1)?.id;
    const arrived = provider.arrivals.length;
    responses.take('attempt');
    const { status, answer } = await slack.forge(
      person.team === undefined ? action : { ...action, team: person.team },
      { rewrite: forged(attempt) },
    );
    await app().settled();
    const since = slack.exchanges.findLastIndex(({ id }) => id === lastSeen) + 1;
    const calls = slack.exchanges
      .slice(since)
      .filter(({ from, what }) => from === 'app' && !cachedReads.includes(what))
      .map(({ what, request }) => [what, request]);
    return {
      answer: JSON.stringify([status, answer, calls, responses.take('attempt')]),
      asked: provider.arrivals
        .slice(arrived)
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`),
    };
  };
}

/** Removes from an answer what differs between requests. */
export function normalised(answer: string): string {
  return (
    answer
      // How markup shows an underscore at the end of a word.
      .replaceAll('ˍ', '_')
      .replaceAll(ids, '<id>')
      .replaceAll(/(?:U0GUEST|W0[A-Z]+)\.<id>/g, '<id>')
      .replaceAll(/[VTDF]0[0-9A-F]{10}/g, '<slack>')
      .replaceAll(/(block_id\\*":\\*")[\w-]{5}(?=\\*")/g, '$1<slack>')
      .replaceAll(/\d{10}\.[\w-]{6,8}/g, '<time>')
      .replaceAll(/\d{13}\.\d+\.[0-9a-f]{32}/g, '<trigger>')
      .replaceAll(/date\^\d+/g, '<date>')
      .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[ A-Z]*)/g, '<date>')
      .replaceAll(/ref `?[0-9a-f]{8}/g, '<fault>')
      .replaceAll(/89\d{17,18}|89•••\d{4}/g, '<iccid>')
      .replaceAll(/balance [\d,.]+/g, '<balance>')
      .replaceAll(/id `[^`]+`|id \\`[^`]+\\`/g, '<provider id>')
  );
}
