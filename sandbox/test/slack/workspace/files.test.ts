import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { botToken } from '../app-under-test.ts';
import { commanded, fillIn, person, recording, refusal, words } from '../recorder.ts';

const picture = Buffer.from('89504e470d0a1a0a', 'hex');

describe('A file of the app', () => {
  it('is not shared where the app may not write', async () => {
    await using probe = await recording();
    const share = { channel_id: 'C0CAMPAIGNS', file: picture, filename: 'code.png' };
    await assert.rejects(probe.app.client.files.uploadV2(share), refusal('not_in_channel'));
    assert.deepEqual(probe.slack.snapshot(person).messages, []);
  });

  it('exists only once its content has the announced length', async () => {
    await using probe = await recording();
    const { files } = probe.app.client;
    const { upload_url = '', file_id = '' } = await files.getUploadURLExternal({
      filename: 'a.csv',
      length: 3,
    });
    const complete = { files: [{ id: file_id }] as [{ id: string }] };
    await assert.rejects(files.completeUploadExternal(complete), refusal('file_not_found'));
    assert.equal((await fetch(upload_url, { method: 'POST', body: 'abcd' })).status, 400);
    assert.equal((await fetch(upload_url, { method: 'POST', body: 'abc' })).status, 200);
    await files.completeUploadExternal(complete);
    const { file } = await files.info({ file: file_id });
    assert.deepEqual([file?.name, file?.size, file?.mimetype], ['a.csv', 3, 'text/csv']);
  });
});

describe('A file of a person', () => {
  it('is sent in the state of its input, and downloaded with the bot token only', async () => {
    await using probe = await recording();
    const { trigger_id = '' } = await commanded(probe);
    const input = {
      type: 'input' as const,
      block_id: 'csv',
      label: words('CSV'),
      element: { type: 'file_input' as const, action_id: 'file', filetypes: ['csv'] },
    };
    const view = { type: 'modal' as const, title: words('Upload'), submit: words('Go'), blocks: [input] };
    await probe.app.client.views.open({ trigger_id, view });
    const viewId = probe.slack.snapshot(person).modals[0]?.id ?? '';

    const target = `${probe.slack.url}/sandbox/files?${new URLSearchParams({ person, name: 'list.csv' })}`;
    const file = await (await fetch(target, { method: 'POST', body: 'number\n+2348031234567' })).json();
    await fillIn(probe.slack, viewId, 'csv', 'file', { type: 'file_input', files: [file] });
    const { status } = await probe.slack.perform({ do: 'submit', person, viewId });
    assert.equal(status, 200);
    assert.match(JSON.stringify(probe.last()), /list\.csv/);

    const authorization = `Bearer ${botToken}`;
    const own = await fetch(file.url_private, { headers: { authorization } });
    assert.equal(await own.text(), 'number\n+2348031234567');
    const other = await fetch(file.url_private, { redirect: 'manual' });
    assert.equal(other.status, 302);
  });
});
