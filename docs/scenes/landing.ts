import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { openStateFolder } from '../../sandbox/state-folder.ts';
import type { Stage } from './stage.ts';

/** The landing page, as it is where people add the app themselves. */
export async function landing({ pageUser, sandbox, camera }: Stage): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-landing-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const state = await openStateFolder(join(folder, 'state'));
  const installable = await startSandbox({ folder: state, transport: 'http', oauth: 'keep' });
  cleanUp.defer(() => installable.stop());
  const { page } = pageUser;
  await page.goto(installable.url);
  const address = await page.getByRole('link', { name: 'Add Switchboard' }).getAttribute('href');
  await page.goto(address ?? '');
  await page.getByRole('link', { name: 'Add to Slack' }).first().waitFor();
  await camera.page('landing');
  await page.goto(sandbox.url);
}
