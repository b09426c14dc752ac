import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { addPhonebook, loyal } from '../support/slack/phonebook-steps.ts';

const env = profileEnv({ phonebooksPath: '/api/phonebooks' });

describe('the provider’s list of phonebooks', () => {
  it('is searched instead of typing an ID', async (test) => {
    const { grace, connect } = await joinTestApp(test, { env });
    await connect();
    await grace.types('/contacts');
    await grace.seesModal('New phonebook');
    const all = await grace.searches('Phonebook', '');
    assert.ok(all.includes('Loyal customers') && all.includes('Shop managers'), all.join());
    assert.deepEqual(await grace.searches('Phonebook', 'loyal'), ['Loyal customers', 'loyal']);
    await grace.fills('Phonebook', 'Loyal customers');
    await grace.submits();
    await grace.seesModal('Phonebooks', '*Loyal customers* added');
  });

  it('falls back on a typed ID where it fails', async (test) => {
    const { grace, provider, connect } = await joinTestApp(test, { env });
    await connect();
    provider.orderFault({
      operation: 'beyond.phonebooks',
      times: 9,
      fault: { kind: 'status', status: 403, message: 'Not allowed' },
    });
    await grace.types('/contacts');
    await grace.seesModal('New phonebook');
    assert.deepEqual(await grace.searches('Phonebook', loyal.id), [loyal.id]);
    await grace.fills('Phonebook', loyal.id);
    await grace.submits();
    await grace.seesModal('Phonebooks', '*Loyal customers* added');
  });

  it('is off without its setting, which the form says', async (test) => {
    const testApp = await joinTestApp(test);
    await addPhonebook(testApp, loyal);
    const { grace } = testApp;
    await grace.types('/contacts', 'phonebooks');
    await grace.presses('Add a phonebook');
    await grace.seesModal('New phonebook', 'Choosing from the provider’s list is off');
  });
});
