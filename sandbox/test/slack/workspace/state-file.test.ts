import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { channel, person, recording, words } from '../recorder.ts';

describe('The state of the workspace', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slack-state-'));
  });
  after(async () => await rm(folder, { recursive: true }));

  it('keeps messages, direct messages, files and Home over a restart', async () => {
    const stateFile = join(folder, 'kept', 'slack.json');
    let earlier: ReturnType<typeof probeState> | undefined;
    {
      await using probe = await recording(undefined, { stateFile });
      const { client } = probe.app;
      await probe.slack.perform({ do: 'message', person, channel, text: 'Hello' });
      await client.chat.postMessage({ channel: person, text: 'For you' });
      await client.files.uploadV2({ channel_id: channel, file: Buffer.from('x'), filename: 'x.txt' });
      const blocks = [{ type: 'section' as const, text: words('Home') }];
      await client.views.publish({ user_id: person, view: { type: 'home', blocks } });
      earlier = probeState(probe);
    }
    await using probe = await recording(undefined, { stateFile });
    assert.deepEqual(probeState(probe), earlier);
    await probe.slack.perform({ do: 'message', person, channel, text: 'Again' });
    const times = probe.slack.snapshot(person).messages.map(({ ts }) => ts);
    assert.equal(new Set(times).size, times.length);
    assert.deepEqual(await readdir(join(folder, 'kept')), ['slack.json']);
  });

  it('starts empty when its file cannot be read', async () => {
    const stateFile = join(folder, 'broken.json');
    await writeFile(stateFile, '{"channels": [');
    await using probe = await recording(undefined, { stateFile });
    assert.deepEqual(probe.slack.snapshot(person).messages, []);
  });
});

function probeState({ slack }: Awaited<ReturnType<typeof recording>>) {
  const { messages, channels, home } = slack.snapshot(person);
  return { messages, channels, home };
}
