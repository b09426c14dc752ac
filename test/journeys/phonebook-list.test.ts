import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { answer } from '../support/http/raw-server.ts';
import { list, serve } from '../support/provider/provider-client.ts';
import { addPhonebook, loyal } from '../support/slack/phonebook-steps.ts';

const empty = { content: [], totalPages: 1, last: true };

/** A provider that lists phonebooks, and names none with its contacts. */
async function listing(test: TestContext, of: { fails: boolean }) {
  const server = await serve(test, (socket, received) => {
    const { pathname } = new URL(received.path, 'http://localhost');
    if (pathname === '/api/phonebooks') {
      const content = [
        { id: 'a1', name: 'Loyal customers', total_number_of_contacts: 12 },
        { id: 'b2', name: 'Staff' },
      ];
      answer(of.fails ? 500 : 200, { content, last: true })(socket, received);
    } else if (pathname.startsWith('/api/phonebooks/')) {
      answer(200, { headers: [], data: empty })(socket, received);
    } else {
      answer(200, list)(socket, received);
    }
  });
  return { PROVIDER_BASE_URL: server.url.href, PROVIDER_PHONEBOOKS_PATH: '/api/phonebooks' };
}

describe('the provider’s list of phonebooks', () => {
  it('is searched instead of typing an ID, and names the phonebook', async (test) => {
    const { grace, connect } = await startTestApp(test, { env: await listing(test, { fails: false }) });
    await connect();
    await grace.types('/contacts');
    await grace.seesModal('New phonebook');
    assert.deepEqual(await grace.searches('Phonebook', ''), ['Loyal customers', 'Staff']);
    assert.deepEqual(await grace.searches('Phonebook', 'loyal'), ['Loyal customers', 'loyal']);
    await grace.fills('Phonebook', 'Loyal customers');
    await grace.submits();
    await grace.seesModal('Phonebooks', '*Loyal customers* added');
  });

  it('falls back on a typed ID where it fails', async (test) => {
    const { grace, connect } = await startTestApp(test, { env: await listing(test, { fails: true }) });
    await connect();
    await grace.types('/contacts');
    await grace.seesModal('New phonebook');
    assert.deepEqual(await grace.searches('Phonebook', 'b2'), ['b2']);
    await grace.fills('Phonebook', 'b2');
    await grace.fills('Name', 'Staff');
    await grace.submits();
    await grace.seesModal('Phonebooks', '*Staff* added');
  });

  it('is off without its setting, which the form says', async (test) => {
    const testApp = await startTestApp(test);
    await addPhonebook(testApp, loyal);
    const { grace } = testApp;
    await grace.types('/contacts', 'phonebooks');
    await grace.presses('Add a phonebook');
    await grace.seesModal('New phonebook', 'Choosing from the provider’s list is off');
  });
});
