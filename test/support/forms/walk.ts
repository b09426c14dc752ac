import assert from 'node:assert/strict';
import fc from 'fast-check';
import { request as post } from 'undici';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  parseJsonText,
  stringAt,
  toJson,
} from '../../../sandbox/lib/json.ts';
import { validateView } from '../../../sandbox/slack/block-kit/surfaces.ts';
import { everyListener } from '../app/registered-listeners.ts';
import { signingSecret } from '../app/test-app.ts';
import type { TestWorkspace } from '../app/test-workspace.ts';
import { signed, urlEncoded } from '../slack/signed-request.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import { fieldsOf, oddState, type ShownField } from './odd-values.ts';
import type { ShownForm } from './open-forms.ts';

/** A form with something else in some of its fields; `state` is undefined where Slack says nothing of one. */
interface Payload {
  form: ShownForm;
  changed: readonly { field: ShownField; state: Json | undefined }[];
}

/** Returns payloads with odd values, at first in each field of each form alone, then in several of one. */
function payloadsOf(
  forms: readonly ShownForm[],
  { count, seed }: { count: number; seed: number },
): Payload[] {
  const changing = (form: ShownForm, fields: readonly ShownField[]): fc.Arbitrary<Payload> =>
    fc
      .tuple(...fields.map((field) => oddState(field.element).map((state) => ({ field, state }))))
      .map((changed) => ({ form, changed }));
  const single = forms.flatMap((form) => fieldsOf(form.view).map((field) => changing(form, [field])));
  const several = fc
    .constantFrom(...forms)
    .chain((form) =>
      fc.shuffledSubarray(fieldsOf(form.view), { minLength: 1 }).chain((fields) => changing(form, fields)),
    );
  const first = fc.sample(fc.tuple(...single), { seed, numRuns: 1 }).flat();
  return [...first, ...fc.sample(several, { seed, numRuns: Math.max(0, count - first.length) })];
}

/**
 * Sends `count` payloads of the forms as a person: as a submission where the form can be submitted, and of a field that the
 * app hears of as its change, in turn. Asserts that none ends in *Something went wrong*, nor in what Slack refuses.
 */
export async function walkForms(
  testApp: TestWorkspace,
  person: SlackUser,
  { forms: shown, count, seed }: { forms: readonly ShownForm[]; count: number; seed: number },
): Promise<void> {
  const { app, slack } = testApp;
  const forms = shown.filter(({ view }) => fieldsOf(view).length > 0);
  const actions = new Set(
    everyListener(app()).flatMap(({ kind, name }) => (kind === 'action' ? [name] : [])),
  );
  const found: string[] = [];
  for (const [index, payload] of payloadsOf(forms, { count, seed }).entries()) {
    const live = payload.changed.find(
      ({ field, state }) => actions.has(field.actionId) && isJsonObject(state),
    );
    const canSubmit = payload.form.view.submit !== undefined;
    const acting = live !== undefined && (index % 2 === 0 || !canSubmit) ? live : undefined;
    if (acting === undefined && !canSubmit) {
      continue;
    }
    const seen = slack.exchanges.length;
    const body = new URLSearchParams({
      payload: JSON.stringify(requestOf(testApp, person, { payload, acting, index })),
    }).toString();
    const response = await post(`${testApp.url()}/slack/events`, {
      method: 'POST',
      headers: signed(signingSecret, body, urlEncoded),
      body,
    });
    const answer = await response.body.text();
    await app().settled();
    const sent = slack.exchanges.slice(seen).map(({ request }) => JSON.stringify(request));
    const faults = [
      ...(response.statusCode === 200 ? [] : [`status ${response.statusCode}`]),
      ...[answer, ...sent].filter((text) => text.includes('Something went wrong')),
      ...refusedBySlack(payload.form.view, parseJsonText(answer) ?? null),
    ];
    const { form, changed } = payload;
    if (faults.length > 0) {
      const what = changed.map(({ field, state }) => [field.actionId, state]);
      found.push(
        `payload ${index} of ${form.name}: ${faults.join('\n')} after ${JSON.stringify(what)}`.slice(
          0,
          2_000,
        ),
      );
    }
  }
  assert.deepEqual(found, [], `${found.length} of ${count} payloads, seed ${seed}`);
}

/** What Slack would refuse of the answer to a submission: a view, or an error beside a field that is not there. */
function refusedBySlack(form: JsonObject, answer: Json): string[] {
  const { view, errors } = isJsonObject(answer) ? answer : {};
  const blocks = new Set(objectsIn(form.blocks).map((block) => stringAt(block, 'block_id')));
  return [
    ...(isJsonObject(view) ? validateView(view).map((fault) => JSON.stringify(fault)) : []),
    ...Object.keys(isJsonObject(errors) ? errors : {})
      .filter((blockId) => !blocks.has(blockId))
      .map((blockId) => `an error beside ${blockId}`),
  ];
}

function requestOf(
  { teamId }: TestWorkspace,
  { id: userId }: SlackUser,
  sent: { payload: Payload; acting: Payload['changed'][number] | undefined; index: number },
): JsonObject {
  const { payload, acting, index } = sent;
  const { form, changed } = payload;
  const values: JsonObject = { ...objectAt({ values: toJson(form.values) }, 'values') };
  for (const { field, state } of changed) {
    values[field.blockId] = { ...objectAt(values, field.blockId), [field.actionId]: state ?? null };
    if (state === undefined) {
      delete values[field.blockId];
    }
  }
  // Each is of a view of its own, so that no request repeats another.
  const id = `VWALK${index}`;
  const view = {
    ...form.view,
    id,
    root_view_id: id,
    team_id: teamId,
    hash: `${index}.walk`,
    state: { values },
  };
  const team = { id: teamId, domain: 'sandbox' };
  const body = {
    team,
    user: { id: userId, team_id: teamId, username: 'somebody' },
    api_app_id: 'A0SWITCHBOARD',
    trigger_id: `${index}.1.walk`,
    view,
  };
  if (acting === undefined) {
    return { ...body, type: 'view_submission', response_urls: [] };
  }
  const { blockId, actionId } = acting.field;
  const state = isJsonObject(acting.state ?? null) ? objectAt({ state: acting.state ?? null }, 'state') : {};
  return {
    ...body,
    type: 'block_actions',
    container: { type: 'view', view_id: id },
    actions: [{ ...state, action_id: actionId, block_id: blockId, action_ts: `${index}.1` }],
  };
}
