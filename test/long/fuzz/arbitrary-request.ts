import fc from 'fast-check';
import type { Json } from '../../../sandbox/lib/json.ts';
import { json, urlEncoded } from '../../support/slack/signed-request.ts';
import { type Carried, cross, crossing } from './crossed.ts';
import { mutate, mutation } from './mutate.ts';
import { contentType, malformed, oddLine, visit } from './odd-requests.ts';
import type { Place } from './places.ts';
import { isObject, type Sample } from './samples.ts';

export type FuzzRequest =
  | { kind: 'line'; line: string }
  | { kind: 'visit'; method: string; path: string; headers: Record<string, string> }
  | {
      kind: 'post';
      body: string;
      contentType: string;
      signing: 'right' | 'wrong' | 'old' | 'none';
    };

const signing = fc.oneof(
  { weight: 8, arbitrary: fc.constant('right' as const) },
  { weight: 1, arbitrary: fc.constantFrom('wrong' as const, 'old' as const, 'none' as const) },
);

/**
 * Requests of a stranger or of someone with the signing secret: Slack's own with the ids of others in them, with odd
 * values in them, and what Slack never sends.
 */
export function fuzzRequest(options: {
  samples: readonly Sample[];
  places: readonly Place[];
  carried: Carried;
}): fc.Arbitrary<FuzzRequest> {
  const { samples, places, carried } = options;
  const slacks = fc
    .record({
      sample: fc.constantFrom(...samples),
      crossing: fc.option(crossing(places, carried), { nil: undefined }),
      mutations: fc.array(mutation, { maxLength: 3 }),
      trigger: fc.option(fc.nat()),
      signing,
    })
    .map(({ sample: { encoding, body, kept }, crossing, mutations, trigger, signing }): FuzzRequest => {
      // Each user action has a new trigger id; with an old one most requests would be duplicates.
      const fresh: Json = trigger === null ? body : { ...body, trigger_id: `${trigger}.1.fuzz` };
      const crossed = crossing === undefined || kept === true ? fresh : cross(fresh, crossing);
      const result = mutations.reduce<Json>(mutate, crossed);
      return encoding === 'json'
        ? { kind: 'post', body: JSON.stringify(result), contentType: json, signing }
        : { kind: 'post', body: formOf(encoding, result), contentType: urlEncoded, signing };
    });
  const oddPost = fc
    .record({ body: malformed, contentType, signing })
    .map((post): FuzzRequest => ({ kind: 'post', ...post }));
  return fc.oneof(
    { weight: 10, arbitrary: slacks },
    { weight: 3, arbitrary: oddPost },
    { weight: 2, arbitrary: visit.map((each): FuzzRequest => ({ kind: 'visit', ...each })) },
    { weight: 1, arbitrary: oddLine.map((line): FuzzRequest => ({ kind: 'line', line })) },
  );
}

function formOf(encoding: 'payload' | 'fields', body: Json): string {
  if (encoding === 'payload' || !isObject(body)) {
    return new URLSearchParams({ payload: JSON.stringify(body) }).toString();
  }
  return new URLSearchParams(
    Object.entries(body).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
}
