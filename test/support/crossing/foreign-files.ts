import assert from 'node:assert/strict';
import { isJsonObject, type Json, type JsonObject, objectsIn, stringAt } from '../../../sandbox/lib/json.ts';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import type { TestApp } from '../app/test-app.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import { closesAll } from './cast.ts';
import { placeOf } from './evidence.ts';
import { numberOf, senderIdOf, type Tenant } from './tenants.ts';

/** The forms that read a file. */
const forms: readonly {
  what: string;
  label: string;
  opens: (person: SlackUser, tenant: Tenant) => Promise<void>;
}[] = [
  {
    what: 'the recipients of a campaign',
    label: 'File',
    async opens(person, tenant) {
      await person.types('/sms', 'bulk');
      await person.seesModal('New campaign');
      await person.fills('Route', 'Transactional (DND)');
      await person.fills('Sender ID', senderIdOf(tenant));
      await person.fills('Message', `${tenant.word} to a list`);
    },
  },
  {
    what: 'new contacts',
    label: 'File',
    async opens(person) {
      await person.types('/contacts', 'upload');
      await person.seesModal('Contact upload');
    },
  },
  {
    what: 'numbers to check',
    label: 'Or a CSV file',
    async opens(person) {
      await person.types('/dnd-check');
      await person.seesModal('Do-Not-Disturb check');
    },
  },
  {
    what: 'the do-not-contact list',
    label: 'File',
    async opens(person) {
      await person.types('/sms', 'do-not-contact');
      await person.presses('Import a CSV');
      await person.seesModal('CSV import');
    },
  },
];

/** What they say of a file that Slack does not hand over. */
const refusal = /Slack did(?:n’t| not) deliver/;

/**
 * Submits each form with a file of another workspace in the place of the person’s own: where it lies there, and as if it lay
 * with theirs. Returns how many were tried.
 */
export async function submitsForeignFiles(
  testApp: TestApp,
  person: SlackUser,
  { attacker, victim, exchanges }: { attacker: Tenant; victim: Tenant; exchanges: readonly LoggedRequest[] },
): Promise<number> {
  const { slack, provider, app } = testApp;
  const addresses = exchanges
    .filter(({ from, request }) => from === 'slack' && placeOf(request) === victim.workspaceId)
    .flatMap(({ request }) => addressesIn(request));
  const [address = assert.fail('no file')] = addresses;
  const moved = address.replace(victim.workspaceId, attacker.workspaceId);
  assert.notEqual(moved, address);
  for (const { what, label, opens } of forms) {
    for (const url of [address, moved]) {
      await opens(person, attacker);
      await person.drops(label, `${attacker.word}-list.csv`, `Phone\n${numberOf(attacker, 80)}\n`);
      const { id } = person.modal() ?? assert.fail('no form');
      const before = provider.arrivals.length;
      const { answer } = await slack.forge(
        {
          do: 'submit',
          person: person.id,
          viewId: id,
          ...(person.team !== undefined && { team: person.team }),
        },
        { rewrite: (payload) => withAddress(payload, url) },
      );
      await app().settled();
      const told = JSON.stringify([answer, person.modal(), person.messages().at(-1)]);
      assert.match(told, refusal, `${what} from ${url}`);
      const asked = provider.arrivals.slice(before).filter(({ method }) => method !== 'GET');
      assert.deepEqual(asked, [], what);
      await closesAll(person);
    }
  }
  return 2 * forms.length;
}

function filesOf(request: Json): JsonObject[] {
  if (!isJsonObject(request) || !isJsonObject(request.view) || !isJsonObject(request.view.state)) {
    return [];
  }
  const { values } = request.view.state;
  const blocks = isJsonObject(values) ? Object.values(values).filter(isJsonObject) : [];
  return blocks
    .flatMap((block) => Object.values(block))
    .filter(isJsonObject)
    .flatMap(({ files }) => objectsIn(files));
}

const addressesIn = (request: Json) =>
  filesOf(request).flatMap((file) => stringAt(file, 'url_private_download') ?? []);

function withAddress(payload: JsonObject, url: string): JsonObject {
  const forged = structuredClone(payload);
  for (const file of filesOf(forged)) {
    file.url_private = url;
    file.url_private_download = url;
  }
  return forged;
}
