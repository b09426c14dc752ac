import fc from 'fast-check';
import type { Json } from '../../../sandbox/lib/json.ts';
import type { Place } from './places.ts';
import { isObject, type Sample } from './samples.ts';

/** What requests and views carried, of all people and workspaces: each may turn up in a request of anybody else. */
export interface Carried {
  /** The metadata of views. */
  metadata: readonly string[];
  /** The values of buttons and of selected options. */
  values: readonly string[];
  blockIds: readonly string[];
  fileIds: readonly string[];
}

/** Who sends a sample, from where, with which of the ids that others carried; what is undefined stays as it is. */
interface Crossing {
  sender?: { team: string; user: string } | undefined;
  metadata?: string | undefined;
  value?: string | undefined;
  blockId?: string | undefined;
  fileId?: string | undefined;
}

/** Reads what the samples carry. */
export function carriedBy(samples: readonly Sample[]): Carried {
  const metadata = new Set<string>();
  const values = new Set<string>();
  const blockIds = new Set<string>();
  const fileIds = new Set<string>(['F0ELSEWHERE', '../../../etc/passwd']);
  const kinds: Readonly<Record<string, Set<string>>> = {
    private_metadata: metadata,
    value: values,
    block_id: blockIds,
  };
  const read = (content: Json): void => {
    for (const [key, field] of Object.entries(content ?? {})) {
      if (typeof field === 'string') {
        kinds[key]?.add(field);
        if (key === 'id' && field.startsWith('F0')) {
          fileIds.add(field);
        }
      } else if (typeof field === 'object' && field !== null) {
        read(field);
      }
    }
  };
  for (const { body } of samples) {
    read(body);
  }
  return {
    metadata: [...metadata],
    values: [...values],
    blockIds: [...blockIds],
    fileIds: [...fileIds],
  };
}

/** Any person in any workspace, their own or not, with anything that anybody carried. */
export function crossing(places: readonly Place[], carried: Carried): fc.Arbitrary<Crossing> {
  const people = places.flatMap(({ members, others }) => [...members, ...others]);
  const anyOf = (texts: readonly string[]) =>
    fc.option(texts.length === 0 ? fc.constant('') : fc.constantFrom(...texts), { nil: undefined });
  return fc.record({
    sender: fc.option(
      fc.record({
        team: fc.constantFrom(...places.map(({ team }) => team), 'T0ELSEWHERE'),
        user: fc.constantFrom(...people),
      }),
      { nil: undefined },
    ),
    metadata: anyOf(carried.metadata),
    value: anyOf(carried.values),
    blockId: anyOf(carried.blockIds),
    fileId: anyOf(carried.fileIds),
  });
}

/** Returns the request with the crossing's sender and ids in place of its own, wherever they stand. */
export function cross(body: Json, crossing: Crossing, key = ''): Json {
  if (Array.isArray(body)) {
    return body.map((entry) => cross(entry, crossing, key));
  }
  if (isObject(body)) {
    return Object.fromEntries(
      Object.entries(body).map(([name, field]) => [name, cross(field, crossing, `${key}.${name}`)]),
    );
  }
  return typeof body === 'string' ? (replaced(key, body, crossing) ?? body) : body;
}

function replaced(path: string, text: string, crossing: Crossing): string | undefined {
  const { sender, metadata, value, blockId, fileId } = crossing;
  switch (path.slice(path.lastIndexOf('.') + 1)) {
    case 'team_id':
    case 'app_installed_team_id':
      return sender?.team;
    case 'user_id':
      return sender?.user;
    case 'user':
      return path === '.event.user' ? sender?.user : undefined;
    case 'id':
      return path === '.team.id'
        ? sender?.team
        : path === '.user.id'
          ? sender?.user
          : text.startsWith('F0')
            ? fileId
            : undefined;
    case 'private_metadata':
      return metadata;
    case 'value':
      return value;
    case 'block_id':
      return blockId;
    default:
      return undefined;
  }
}
